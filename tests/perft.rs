//! End-to-end tests of `go perft` and `koel perft`, compared with shakmaty.

#![allow(clippy::unwrap_used, reason = "a test may fail by a panic")]

mod support;

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
