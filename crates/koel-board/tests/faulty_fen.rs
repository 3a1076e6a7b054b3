//! Every FEN that `from_faulty_fen` accepts gives legal play by shakmaty.
//!
//! `KOEL_FENS=1000000 cargo test --release -p koel-board --test faulty_fen` tries more.

#![allow(clippy::unwrap_used, reason = "a test may fail by a panic")]

use koel_board::{CastlingNotation, Position};
use koel_random::Rng;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position as _, PositionError};

const FENS: [&str; 7] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "4k2r/8/8/8/8/8/8/R3K3 w Qk - 99 80",
];

/// Changes some characters and fields.
fn damaged(fen: &str, rng: &mut Rng) -> String {
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    for _ in 0..=rng.below(3) {
        let field = rng.below(fields.len());
        match rng.below(6) {
            0 => fields[2] = pick(rng, &["KQkq", "HAha", "KkQx", "-", "abcdefgh", "qqKK"]),
            1 => fields[3] = pick(rng, &["e3", "e6", "d6", "a3", "h6", "z9", "e"]),
            2 if fields.len() > 1 => drop(fields.pop()),
            3 => fields.push(pick(rng, &["-1", "7", "100", "99999", "x", "1.5"])),
            _ => {
                let text = &mut fields[field];
                let places: Vec<usize> = text.char_indices().map(|(place, _)| place).collect();
                if !places.is_empty() {
                    let place = places[rng.below(places.len())];
                    let new = pick(rng, &["p", "P", "k", "K", "r", "R", "n", "Q", "1", "-", "w"]);
                    text.replace_range(place..=place, &new);
                }
            }
        }
        fields.resize_with(fields.len().max(4), || "-".to_owned());
    }
    fields.truncate(4 + rng.below(4));
    fields.join(" ")
}

fn pick(rng: &mut Rng, texts: &[&str]) -> String {
    texts[rng.below(texts.len())].to_owned()
}

/// Returns shakmaty's position for a FEN, with the rules of Chess960.
fn shakmatys(fen: &str) -> Chess {
    fen.parse::<Fen>()
        .unwrap()
        .into_position::<Chess>(CastlingMode::Chess960)
        .or_else(PositionError::ignore_impossible_check)
        .unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[test]
fn every_accepted_fen_gives_legal_play() {
    let count = std::env::var("KOEL_FENS").map_or(20_000, |text| text.parse().unwrap());
    let mut rng = Rng::new(51);
    let (mut accepted, mut mended) = (0, 0);
    for _ in 0..count {
        let fen = damaged(FENS[rng.below(FENS.len())], &mut rng);
        let Ok((mut position, faults)) = Position::from_faulty_fen(&fen) else { continue };
        accepted += 1;
        mended += usize::from(!faults.is_empty());
        let mut chess = shakmatys(&position.to_string());
        for _ in 0..4 {
            let uci = |m| position.uci(m, CastlingNotation::Chess960);
            let mut ours: Vec<String> = position.legal_moves().into_iter().map(uci).collect();
            let legal = chess.legal_moves();
            let mut theirs: Vec<String> =
                legal.iter().map(|m| m.to_uci(CastlingMode::Chess960).to_string()).collect();
            ours.sort();
            theirs.sort();
            assert_eq!(ours, theirs, "{fen}: {position}");
            if legal.is_empty() {
                break;
            }
            let m = legal[rng.below(legal.len())];
            position.play(position.from_shakmaty_move(m));
            chess.play_unchecked(m);
        }
    }
    assert!(accepted > count / 4 && mended > count / 8, "{accepted} accepted, {mended} mended");
}
