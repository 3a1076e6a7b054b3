//! Tests of tablebases in the real program. `KOEL_SYZYGY_PATH` names the folder with those of up to
//! four pieces; without it these tests are skipped, except that of a wrong folder.

use koel_random::Rng;
use koel_uci::{Info, Reply, Score};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};
use shakmaty_syzygy::{Tablebase, Wdl};

use crate::support::{Engine, SOON, best_move, dialogue, errors};

#[allow(clippy::print_stdout, reason = "reports a skipped test")]
fn folder() -> Option<String> {
    let folder = std::env::var("KOEL_SYZYGY_PATH").ok();
    if folder.is_none() {
        println!("skipped: KOEL_SYZYGY_PATH is not set");
    }
    folder
}

fn tables(folder: &str) -> Tablebase<Chess> {
    let mut tables = Tablebase::new();
    tables.add_directory(folder).unwrap();
    tables
}

fn engine(folder: &str) -> Engine {
    let mut engine = Engine::start();
    engine.send(format!("setoption name SyzygyPath value {folder}"));
    let replies = engine.finish();
    assert!(replies.len() == 1 && replies[0].contains(" endgame tables of up to "), "{replies:#?}");
    engine
}

fn last_info(replies: &[String]) -> Info {
    let infos = replies.iter().rev().filter_map(|line| match line.parse() {
        Ok(Reply::Info(info)) if info.score.is_some() => Some(*info),
        _ => None,
    });
    infos.into_iter().next().unwrap_or_else(|| panic!("{replies:#?}"))
}

#[test]
fn a_folder_without_tables_is_refused() {
    let here = env!("CARGO_MANIFEST_DIR");
    for path in ["/nowhere/at/all", here] {
        let lines = dialogue(format!("setoption name SyzygyPath value {path}\nwait\n"));
        let errors = errors(&lines);
        assert!(errors[0].contains("SyzygyPath") && errors[0].contains("kept"), "{lines:#?}");
    }
    let lines = dialogue(
        "setoption name SyzygyPath value <empty>\nsetoption name SyzygyPath value\n\
         setoption name SyzygyProbeDepth value 5\nsetoption name SyzygyProbeLimit value 4\n\
         setoption name Syzygy50MoveRule value false\nisready\n",
    );
    assert_eq!(lines, ["readyok"]);
}

#[cfg(unix)]
#[test]
fn a_missing_folder_is_a_warning_beside_one_with_tables() {
    let Some(folder) = folder() else { return };
    for path in [format!("/nowhere/at/all:{folder}"), format!("{folder}:/nowhere/at/all")] {
        let mut engine = Engine::start();
        engine.send(format!("setoption name SyzygyPath value {path}"));
        let replies = engine.finish();
        assert_eq!(replies.len(), 2, "{replies:#?}");
        let warning = "info string warning: option SyzygyPath: /nowhere/at/all: ";
        assert!(replies[0].starts_with(warning), "{replies:#?}");
        assert!(replies[1].contains(" endgame tables of up to "), "{replies:#?}");
    }
}

/// The score is that of the tablebases, and the best move preserves it.
#[test]
fn scores_are_those_of_the_tables() {
    let Some(folder) = folder() else { return };
    let tables = tables(&folder);
    let mut engine = engine(&folder);
    let mut rng = Rng::new(1);
    let mut checked = 0;
    while checked < 300 {
        let Some(root) = random_ending(&mut rng) else { continue };
        let verdict = tables.probe_wdl_after_zeroing(&root).unwrap();
        let fen = Fen::from_position(&root, EnPassantMode::Legal);
        engine.send(format!("position fen {fen}\ngo nodes 200"));
        let replies = engine.receive_until("bestmove", SOON);
        let info = last_info(&replies);
        let reported = info.score.unwrap().score;
        let expected = match verdict {
            Wdl::Win => matches!(reported, Score::Centipawns(19_999) | Score::Mate(1..)),
            Wdl::Loss => matches!(reported, Score::Centipawns(-19_999) | Score::Mate(..=-1)),
            Wdl::Draw => reported == Score::Centipawns(0),
            Wdl::CursedWin => matches!(reported, Score::Centipawns(1..=99)),
            Wdl::BlessedLoss => matches!(reported, Score::Centipawns(-99..=-1)),
        };
        assert!(expected, "{fen}: {verdict:?}, {reported:?}");
        assert!(info.tbhits.unwrap() > 0);
        let best = best_move(&replies).parse::<UciMove>().unwrap().to_move(&root).unwrap();
        let mut after = root.clone();
        after.play_unchecked(best);
        let kept = if after.is_checkmate() {
            Wdl::Win
        } else {
            -tables.probe_wdl_after_zeroing(&after).unwrap()
        };
        assert_eq!(kept, verdict, "{fen} {best}");
        checked += 1;
    }
}

/// Returns a random position of two kings and two other pieces that is neither over nor drawn by
/// insufficient material.
fn random_ending(rng: &mut Rng) -> Option<Chess> {
    let pieces = [b"QRBNP"[rng.below(5)], b"qrbnpRBNPQ"[rng.below(10)]];
    let ending = random_position(&[b'K', b'k', pieces[0], pieces[1]], rng)?;
    (!ending.is_insufficient_material()).then_some(ending)
}

/// Places these pieces at random, with White or Black to move.
fn random_position(pieces: &[u8], rng: &mut Rng) -> Option<Chess> {
    let mut squares = [b'1'; 64];
    for &piece in pieces {
        squares[rng.below(64)] = piece;
    }
    let rows: Vec<_> = squares.chunks(8).map(|row| String::from_utf8_lossy(row)).collect();
    let turn = ["w", "b"][rng.below(2)];
    let fen = format!("{} {turn} - - 0 1", rows.join("/"));
    let position: Chess = fen.parse::<Fen>().ok()?.into_position(CastlingMode::Chess960).ok()?;
    let is_whole = position.board().occupied().count() == pieces.len();
    (is_whole && !position.legal_moves().is_empty()).then_some(position)
}

/// The defending side.
#[derive(Clone, Copy, Debug)]
enum Defence {
    LineGenerator,
    /// The longest defence by the tablebases.
    Best,
}

#[test]
fn won_endings_are_won_within_the_fifty_move_rule() {
    let Some(folder) = folder() else { return };
    let tables = tables(&folder);
    let mut engine = engine(&folder);
    let mut rng = Rng::new(2);
    for pieces in ["KQk", "KRk", "KBNk", "KBBk"] {
        for defence in [Defence::LineGenerator, Defence::Best] {
            for _ in 0..4 {
                let start = won_start(pieces, &tables, &mut rng);
                let plies = win(&mut engine, &tables, start, defence, &mut rng);
                println!("{pieces} against {defence:?}: mate in {plies} plies");
            }
        }
    }
}

/// A position with White to move and win.
fn won_start(pieces: &str, tables: &Tablebase<Chess>, rng: &mut Rng) -> Chess {
    loop {
        let Some(position) = random_position(pieces.as_bytes(), rng) else { continue };
        let is_won = || tables.probe_wdl_after_zeroing(&position).unwrap() == Wdl::Win;
        if position.turn().is_white() && is_won() {
            return position;
        }
    }
}

/// Lets Koel win; the plies it takes.
fn win(
    engine: &mut Engine,
    tables: &Tablebase<Chess>,
    start: Chess,
    defence: Defence,
    rng: &mut Rng,
) -> u32 {
    let fen = Fen::from_position(&start, EnPassantMode::Legal);
    let (mut position, mut moves) = (start, Vec::new());
    let mut seen = std::collections::HashMap::new();
    engine.send("ucinewgame");
    loop {
        engine.send(format!("position fen {fen} moves {}\ngo nodes 500", moves.join(" ")));
        let replies = engine.receive_until("bestmove", SOON);
        let text = best_move(&replies).to_owned();
        position.play_unchecked(text.parse::<UciMove>().unwrap().to_move(&position).unwrap());
        moves.push(text);
        let line = || format!("{fen} moves {}", moves.join(" "));
        if position.is_checkmate() {
            return position.halfmoves();
        }
        assert!(position.halfmoves() < 100 && !position.is_stalemate(), "{}", line());
        assert!(position.board().occupied().count() > 2, "{}", line());
        let times = seen.entry(position.board().clone()).or_insert(0);
        *times += 1;
        assert!(*times < 3, "for the third time: {}", line());
        let reply = match defence {
            Defence::LineGenerator => {
                let legal = position.legal_moves();
                legal[rng.below(legal.len())]
            }
            Defence::Best => tables.best_move(&position).unwrap().unwrap().0,
        };
        position.play_unchecked(reply);
        moves.push(reply.to_uci(CastlingMode::Chess960).to_string());
        assert!(position.board().occupied().count() > 2, "a piece is lost: {fen} {moves:?}");
    }
}

/// In a won position after repeated shuffling, a third occurrence is avoided.
#[test]
fn a_won_root_is_not_repeated_away() {
    let Some(folder) = folder() else { return };
    let mut engine = engine(&folder);
    let shuffle = "a1b1 h8g8 b1a1 g8h8";
    for times in [1, 2] {
        let moves = [shuffle].repeat(times).join(" ");
        for last in ["", " a1b1 h8g8"] {
            let line = format!("fen 7k/8/8/8/8/8/8/R3K3 w - - 0 1 moves {moves}{last}");
            engine.send(format!("position {line}\ngo nodes 2000"));
            let replies = engine.receive_until("bestmove", SOON);
            let is_back = matches!(best_move(&replies), "b1a1");
            assert!(last.is_empty() || times == 1 || !is_back, "{line}: {replies:#?}");
            let reported = last_info(&replies).score.unwrap().score;
            assert!(
                matches!(reported, Score::Centipawns(19_999) | Score::Mate(1..)),
                "{reported:?}"
            );
        }
    }
}

#[test]
fn tablebases_are_probed_in_the_search() {
    let Some(folder) = folder() else { return };
    // Five pieces: the tables are reached by captures.
    let go = "position fen 8/3k4/8/3n4/8/8/2R1P3/4K3 w - - 0 1\ngo depth 12\nwait\n";
    let hits = |options: &str| {
        let path = format!("setoption name SyzygyPath value {folder}\n");
        let lines = dialogue(format!("{path}{options}{go}"));
        last_info(&lines).tbhits.unwrap()
    };
    assert!(hits("") > 0);
    assert_eq!(hits("setoption name SyzygyProbeLimit value 0\n"), 0);
    assert!(hits("setoption name SyzygyProbeLimit value 3\n") < hits(""));
    assert!(hits("setoption name SyzygyProbeDepth value 100\n") < hits(""));
    assert_eq!(hits("setoption name SyzygyPath value <empty>\n"), 0);
    // Reproducible.
    assert_eq!(hits(""), hits(""));
}
