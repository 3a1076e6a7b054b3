//! What the options change, in the real program.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use koel_uci::{Info, Reply, ScoreBound, UciScore};

use crate::support::{Engine, SOON, Scratch, best_move, errors};

fn infos(lines: &[String]) -> Vec<Info> {
    let read = |line: &String| match line.parse() {
        Ok(Reply::Info(info)) if info.score.is_some() => Some(*info),
        _ => None,
    };
    lines.iter().filter_map(read).collect()
}

/// What is said to a search after these options.
fn search(options: &[&str], position: &str, go: &str) -> Vec<String> {
    let mut engine = Engine::start();
    for option in options {
        engine.say(format!("setoption name {option}"));
    }
    engine.say(format!("position {position}\n{go}"));
    let heard = engine.hear_until("bestmove", SOON);
    assert!(errors(&heard).is_empty(), "{heard:#?}");
    heard
}

#[test]
fn minimal_says_the_last_report_and_the_move() {
    for threads in ["1", "2"] {
        let threads = format!("Threads value {threads}");
        let heard = search(&["Minimal value true", &threads], "startpos", "go depth 7");
        assert_eq!(heard.len(), 2, "{heard:#?}");
        let info = &infos(&heard)[0];
        assert_eq!(info.depth, Some(7));
        assert_eq!(info.pv[0].as_str(), best_move(&heard));
    }
    let heard = search(&["Minimal value false"], "startpos", "go depth 7");
    assert!(infos(&heard).len() >= 7);
    // With nothing to think about too.
    let heard = search(&["Minimal value true"], "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go depth 3");
    assert_eq!(heard, ["info depth 0 score cp 0", "bestmove (none)"]);
}

#[test]
fn chances_come_when_wanted_and_add_up() {
    let heard = search(&["UCI_ShowWDL value true"], "startpos", "go depth 6");
    for info in infos(&heard) {
        let wdl = info.wdl.expect("chances");
        assert_eq!(wdl.win + wdl.draw + wdl.loss, 1000);
    }
    let mate = "fen 7k/8/6K1/8/8/8/8/1Q6 w - - 0 1";
    let heard = search(&["UCI_ShowWDL value true"], mate, "go depth 6");
    let last = infos(&heard).pop().unwrap();
    assert!(matches!(last.score.unwrap().score, UciScore::Mate(1..)), "{heard:#?}");
    assert_eq!(last.wdl.unwrap().win, 1000);
    let heard = search(&["UCI_ShowWDL value false"], "startpos", "go depth 4");
    assert!(infos(&heard).iter().all(|info| info.wdl.is_none()));
}

#[test]
fn with_nodestime_nodes_are_the_clock() {
    let nodes = |go: &str| {
        let heard = search(&["nodestime value 100", "Move Overhead value 0"], "startpos", go);
        infos(&heard).pop().unwrap().nodes.unwrap()
    };
    // Time is asked for every thousand nodes or so.
    let searched = nodes("go movetime 200");
    assert!((15_000..=25_000).contains(&searched), "{searched} for 200 ms of 100 nodes");
    let go = "go wtime 1000 btime 1000 winc 10 binc 10";
    assert_eq!(nodes(go), nodes(go), "no clock, no chance");
    assert!(nodes(go) <= 50_000);
    // What would take a minute by the clock takes no time worth mentioning.
    let start = Instant::now();
    nodes("go movetime 1000");
    assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
}

#[test]
fn the_debug_log_has_every_line_in_and_out() {
    let file = Scratch::new("dialogue.log");
    let mut engine = Engine::start();
    engine.say("isready");
    engine.hear_until("readyok", SOON);
    engine.say(format!("setoption name Debug Log File value {}", file.0.display()));
    engine.sync();
    engine.say("position startpos moves e2e4\nwhat is this\ngo depth 3");
    let heard = engine.hear_until("bestmove", SOON);
    engine.sync();
    engine.say("setoption name Debug Log File value <empty>");
    engine.sync();
    engine.say("d");
    engine.sync();
    let text = String::from_utf8(file.bytes()).unwrap();
    let said = heard.iter().map(|line| format!("<< {line}"));
    let told =
        [">> position startpos moves e2e4", ">> what is this", ">> go depth 3", ">> isready"];
    for line in said.chain(told.map(str::to_owned)) {
        let found = text.lines().find(|logged| logged.ends_with(&line));
        let found = found.unwrap_or_else(|| panic!("{line} in {text}"));
        assert!(found.as_bytes()[..4].iter().all(u8::is_ascii_digit), "a time: {found}");
    }
    assert!(!text.contains("Fen:"), "nothing is written behind the end of it");
    // The file is written on, not over.
    engine.say(format!("setoption name Debug Log File value {}", file.0.display()));
    engine.sync();
    engine.say("d");
    engine.sync();
    let longer = String::from_utf8(file.bytes()).unwrap();
    assert!(longer.starts_with(&text) && longer.contains("Fen:"));
    engine.say("setoption name Debug Log File value /nowhere/at/all");
    let heard = engine.sync();
    assert!(errors(&heard)[0].contains("the old one is kept"), "{heard:#?}");
}

#[test]
fn a_mate_is_sought_for_as_long_as_it_takes() {
    // Mate in two.
    let position = "fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    let heard = search(&[], position, "go mate 2");
    let last = infos(&heard).pop().unwrap();
    assert_eq!(last.score.unwrap().score, UciScore::Mate(2), "{heard:#?}");
    assert_eq!(best_move(&heard), "a1a6");
}

/// Lines 1, 2 and so on of equal depth, each with its own first move, none better than the one
/// before.
fn check_lines(heard: &[String], lines: usize) {
    let complete =
        infos(heard).into_iter().filter(|info| info.score.unwrap().bound == ScoreBound::Exact);
    let complete = complete.collect::<Vec<_>>();
    assert!(complete.len().is_multiple_of(lines) && !complete.is_empty(), "{heard:#?}");
    for set in complete.chunks(lines) {
        let worth = |info: &Info| match info.score.unwrap().score {
            UciScore::Centipawns(worth) => worth,
            UciScore::Mate(moves) => 100_000 * moves.signum() - moves,
        };
        assert!(set.is_sorted_by_key(|info| std::cmp::Reverse(worth(info))), "{set:#?}");
        let mut firsts = HashSet::new();
        for (number, info) in (1..).zip(set) {
            assert_eq!((info.multipv, info.depth), (Some(number), set[0].depth), "{heard:#?}");
            assert!(firsts.insert(info.pv[0]), "{heard:#?}");
        }
    }
    let last = &complete[complete.len() - lines];
    assert_eq!(last.pv[0].as_str(), best_move(heard));
}

#[test]
fn several_lines_come_in_order() {
    for (position, lines) in [
        ("startpos", 4),
        ("fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 3),
        ("fen 7k/8/6K1/8/8/8/8/1Q6 w - - 0 1", 2),
    ] {
        let option = format!("MultiPV value {lines}");
        check_lines(&search(&[&option], position, "go depth 6"), lines);
        check_lines(&search(&[&option, "Minimal value true"], position, "go depth 6"), lines);
        check_lines(&search(&[&option, "Threads value 2"], position, "go depth 6"), lines);
    }
    // Also when the search is broken off in the middle of an iteration.
    for nodes in [700, 3000, 10_000, 20_000, 30_000] {
        let heard = search(&["MultiPV value 3"], "startpos", &format!("go nodes {nodes}"));
        check_lines(&heard, 3);
    }
    // Not more lines than there are moves.
    let only = "fen k7/8/8/8/8/8/6q1/7K w - - 0 1";
    let heard = search(&["MultiPV value 256"], only, "go depth 3");
    check_lines(&heard, 1);
    let heard = search(&["MultiPV value 256"], "startpos", "go depth 2");
    check_lines(&heard, 20);
    let heard = search(&["MultiPV value 5"], "startpos", "go depth 3 searchmoves a2a3 h2h3");
    check_lines(&heard, 2);
}

#[test]
fn some_gui_options_are_accepted_in_silence() {
    let mut engine = Engine::start();
    engine.say("setoption name UCI_AnalyseMode value true\nsetoption name Ponder value false");
    assert!(engine.sync().is_empty());
}
