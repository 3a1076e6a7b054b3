//! End-to-end tests of `go perft` and `koel perft`, compared with shakmaty.

#![allow(clippy::unwrap_used, reason = "a test may fail by a panic")]

mod support;

use koel_random::Rng;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};
use support::{Engine, SOON, dialogue, koel};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Checks the format of the output and returns the moves with their counts, and the total.
fn parse_perft(lines: &[String]) -> (Vec<(&str, u64)>, u64) {
    let [shares @ .., gap, last] = lines else { panic!("{lines:#?}") };
    assert_eq!(gap, "");
    let sum = last.strip_prefix("Nodes searched: ").expect("the total comes last");
    let read = |line: &'_ str| -> (usize, u64) {
        let (text, nodes) = line.split_once(": ").expect("move: nodes");
        (text.len(), nodes.parse().unwrap())
    };
    let shares = shares.iter().map(|line| {
        let (length, nodes) = read(line);
        (&line[..length], nodes)
    });
    (shares.collect(), sum.parse().unwrap())
}

#[test]
fn perft_agrees_with_shakmaty_by_move_and_in_total() {
    for (fen, depth) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3),
        (KIWIPETE, 3),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5),
        ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 3),
    ] {
        let lines = dialogue(format!(
            "setoption name UCI_Chess960 value true\nposition fen {fen}\ngo perft {depth}\nwait\n"
        ));
        let (shares, sum) = parse_perft(&lines);
        let position: Chess =
            fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap();
        assert_eq!(sum, shakmaty::perft(&position, depth));
        assert_eq!(sum, shares.iter().map(|(_, nodes)| nodes).sum::<u64>());
        assert_eq!(shares.len(), position.legal_moves().len());
        for m in position.legal_moves() {
            let text = m.to_uci(CastlingMode::Chess960).to_string();
            let child = position.clone().play(m).unwrap();
            let expected = shakmaty::perft(&child, depth - 1);
            assert!(shares.contains(&(text.as_str(), expected)), "{fen}: {text}");
        }
    }
}

#[test]
fn depth_zero_and_positions_without_moves() {
    let lines = dialogue("go perft 0\nwait\n");
    assert_eq!(lines, ["Nodes searched: 1"]);
    let lines = dialogue("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo perft 2\nwait\n");
    assert_eq!(lines, ["", "Nodes searched: 0"]);
}

#[test]
fn perft_as_an_argument() {
    let (output, _, is_success) = koel(&["perft", "2", "--fen", KIWIPETE]);
    assert!(is_success);
    assert!(output.contains("e1g1: 43\n"), "castling in standard notation: {output}");
    assert!(output.ends_with("\n\nNodes searched: 2039\n"), "{output}");
    assert!(!koel(&["perft", "2", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"]).2);
}

#[test]
fn a_long_count_is_stopped() {
    let mut engine = Engine::start();
    engine.send("go perft 20\nisready\nstop");
    engine.receive_until("readyok", SOON);
    engine.receive_until("info string perft was stopped", SOON);
    engine.send("go perft 21");
    assert_eq!(engine.receive_line(SOON), "info string error: go: perft takes at most 20 plies");
}

/// Scripts send many positions at once and close the pipe.
#[test]
fn every_perft_of_a_pipe_is_counted() {
    let mut rng = Rng::new(24);
    let mut input = "setoption name UCI_Chess960 value true\n".to_owned();
    let mut expected = Vec::new();
    for fen in [KIWIPETE, "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"] {
        for _ in 0..50 {
            let start = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960);
            let mut position: Chess = start.unwrap();
            input += &format!("position fen {fen} moves");
            for _ in 0..rng.below(30) {
                let moves = position.legal_moves();
                let Some(m) = moves.get(rng.below(moves.len().max(1))) else { break };
                input += &format!(" {}", m.to_uci(CastlingMode::Chess960));
                position.play_unchecked(*m);
            }
            let depth = 1 + rng.below(3) as u32;
            input += &format!("\ngo perft {depth}\n");
            expected.push(format!("Nodes searched: {}", shakmaty::perft(&position, depth)));
        }
    }
    let mut engine = Engine::start();
    engine.send(input + "quit");
    let (lines, status) = engine.end_input();
    assert!(status.success());
    let is_total = |line: &String| line.starts_with("Nodes searched: ");
    assert_eq!(lines.into_iter().filter(is_total).collect::<Vec<_>>(), expected);
}
