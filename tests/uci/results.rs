//! Tests of the output of a search: scores, principal variations and best moves.

use koel_uci::{Bound, Info, MoveText, Reply, Score};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};

use crate::support::{best_move, dialogue, without_remarks};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap()
}

/// Plays a line; panics on an illegal move.
fn play(mut position: Chess, moves: &[MoveText]) -> Chess {
    for text in moves {
        let m = text.as_str().parse::<UciMove>().unwrap().to_move(&position);
        position.play_unchecked(m.unwrap_or_else(|error| panic!("{text} in {moves:?}: {error}")));
    }
    position
}

#[test]
fn every_line_is_complete_and_every_move_legal() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        KIWIPETE,
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    ] {
        for threads in [1, 2] {
            let lines = dialogue(format!(
                "setoption name Threads value {threads}\nposition fen {fen}\ngo depth 8\nwait\n"
            ));
            check_lines(fen, &without_remarks(lines));
        }
    }
}

fn check_lines(fen: &str, lines: &[String]) {
    let (last, infos) = lines.split_last().unwrap();
    let Ok(Reply::BestMove { best: Some(best), ponder }) = last.parse() else { panic!("{last}") };
    let mut deepest = 0;
    let mut pv = Vec::new();
    for line in infos {
        assert!(line.starts_with("info depth "), "{line}");
        let Ok(Reply::Info(info)) = line.parse() else { panic!("{line}") };
        let Info { depth: Some(depth), score: Some(score), .. } = *info else { panic!("{line}") };
        assert!(info.seldepth.is_some() && info.nodes.is_some() && info.nps.is_some(), "{line}");
        assert!(info.time.is_some() && info.hashfull.is_some_and(|full| full <= 1000), "{line}");
        assert!(info.multipv == Some(1) && info.ignored.is_empty(), "{line}");
        assert!(depth >= deepest, "{line}");
        assert!(!info.pv.is_empty(), "{line}");
        play(position(fen), &info.pv);
        deepest = depth;
        if score.bound == Bound::Exact {
            pv = info.pv;
        }
    }
    assert_eq!(pv[0], best, "{lines:#?}");
    assert!(ponder.is_none_or(|ponder| pv.get(1) == Some(&ponder)), "{lines:#?}");
}

#[test]
fn mates_are_counted_in_moves_and_their_lines_end_in_mate() {
    for (fen, expected) in [
        ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 1),
        ("r5k1/5ppp/8/8/8/8/3Q4/1K1R4 w - - 0 1", 2),
        ("7k/8/5K2/6Q1/8/8/8/8 b - - 0 1", -1),
    ] {
        let lines = dialogue(format!("position fen {fen}\ngo depth 6\nwait\n"));
        let report = lines.iter().rev().find(|line| line.contains(" pv ")).unwrap();
        let Ok(Reply::Info(info)) = report.parse() else { panic!("{report}") };
        assert_eq!(info.score, Some(Score::Mate(expected).into()), "{lines:#?}");
        assert!(play(position(fen), &info.pv).is_checkmate(), "{report}");
    }
}

#[test]
fn without_a_legal_move_there_is_none() {
    for (fen, score) in [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "mate 0"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0"),
    ] {
        for go in ["go depth 5", "go movetime 50", "go nodes 10", "go wtime 100 btime 100"] {
            let lines = without_remarks(dialogue(format!("position fen {fen}\n{go}\nwait\n")));
            assert_eq!(lines, [format!("info depth 0 score {score}"), "bestmove (none)".into()]);
        }
    }
}

#[test]
fn a_drawn_root_still_has_a_move() {
    for setup in [
        "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
        "position fen 8/8/8/3k4/8/3K4/8/8 w - - 0 1",
        "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 100 90",
    ] {
        let lines = dialogue(format!("{setup}\ngo depth 5\nwait\n"));
        assert_ne!(best_move(&lines), "(none)", "{setup}");
    }
}

#[test]
fn castling_is_written_as_the_option_says_and_read_in_both_notations() {
    let castles = "fen 5k2/8/8/8/8/8/7P/4K2R w K - 0 1";
    for (chess960, expected) in [("false", "e1g1"), ("true", "e1h1")] {
        let lines = dialogue(format!(
            "setoption name UCI_Chess960 value {chess960}\nposition {castles}\n\
             go depth 3 searchmoves e1g1\nwait\nposition {castles} moves e1h1\nd\n\
             position {castles} moves e1g1\nd\n"
        ));
        let best = lines.iter().find_map(|line| line.strip_prefix("bestmove ")).unwrap();
        assert_eq!(best.split(' ').next(), Some(expected));
        let castled = |line: &&String| **line == "Fen: 5k2/8/8/8/8/8/7P/5RK1 b - - 1 1";
        assert_eq!(lines.iter().filter(castled).count(), 2, "{lines:#?}");
    }
}
