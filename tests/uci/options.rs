//! Tests of the options in the real program.

use std::collections::HashSet;

use koel_uci::{Bound, Info, Reply, Score};

use crate::support::{Engine, SOON, Scratch, best_move, errors, without_remarks};

fn infos(lines: &[String]) -> Vec<Info> {
    let read = |line: &String| match line.parse() {
        Ok(Reply::Info(info)) if info.score.is_some() => Some(*info),
        _ => None,
    };
    lines.iter().filter_map(read).collect()
}

/// Returns the output of a search with these options.
fn search(options: &[&str], position: &str, go: &str) -> Vec<String> {
    let mut engine = Engine::start();
    for option in options {
        engine.send(format!("setoption name {option}"));
    }
    engine.send(format!("position {position}\n{go}"));
    let replies = without_remarks(engine.receive_until("bestmove", SOON));
    assert!(errors(&replies).is_empty(), "{replies:#?}");
    replies
}

#[test]
fn minimal_prints_the_last_report_and_the_move() {
    for threads in ["1", "2"] {
        let threads = format!("Threads value {threads}");
        let replies = search(&["Minimal value true", &threads], "startpos", "go depth 7");
        assert_eq!(replies.len(), 2, "{replies:#?}");
        let info = &infos(&replies)[0];
        assert_eq!(info.depth, Some(7));
        assert_eq!(info.pv[0].as_str(), best_move(&replies));
    }
    let replies = search(&["Minimal value false"], "startpos", "go depth 7");
    assert!(infos(&replies).len() >= 7);
    // Also without a legal move.
    let replies =
        search(&["Minimal value true"], "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go depth 3");
    assert_eq!(replies, ["info depth 0 score cp 0", "bestmove (none)"]);
}

#[test]
fn win_draw_loss_is_printed_on_request_and_adds_up() {
    let replies = search(&["UCI_ShowWDL value true"], "startpos", "go depth 6");
    for info in infos(&replies) {
        let wdl = info.wdl.expect("win, draw and loss");
        assert_eq!(wdl.win + wdl.draw + wdl.loss, 1000);
    }
    let mate = "fen 7k/8/6K1/8/8/8/8/1Q6 w - - 0 1";
    let replies = search(&["UCI_ShowWDL value true"], mate, "go depth 6");
    let last = infos(&replies).pop().unwrap();
    assert!(matches!(last.score.unwrap().score, Score::Mate(1..)), "{replies:#?}");
    assert_eq!(last.wdl.unwrap().win, 1000);
    let replies = search(&["UCI_ShowWDL value false"], "startpos", "go depth 4");
    assert!(infos(&replies).iter().all(|info| info.wdl.is_none()));
}

#[test]
fn a_dead_position_is_a_certain_draw() {
    for fen in [
        "8/8/8/3k4/8/3K4/8/8 w - - 0 1",
        "8/8/8/3k4/8/3KN3/8/8 b - - 0 1",
        "8/8/1b6/3k4/8/3K4/5B2/8 w - - 0 1",
    ] {
        for contempt in [0, 40, -300] {
            let contempt = format!("Contempt value {contempt}");
            let options = ["UCI_ShowWDL value true", contempt.as_str()];
            let replies = search(&options, &format!("fen {fen}"), "go depth 3");
            for info in infos(&replies) {
                assert_eq!(info.score.unwrap().score, Score::Centipawns(0), "{replies:#?}");
                let wdl = info.wdl.unwrap();
                assert_eq!((wdl.win, wdl.draw, wdl.loss), (0, 1000, 0), "{replies:#?}");
            }
        }
    }
}

#[test]
fn contempt_is_not_in_win_draw_loss() {
    let drawn = "fen 8/8/3k4/8/8/3K4/8/7R b - - 99 90";
    let wdl = |contempt: &str| {
        let replies = search(&["UCI_ShowWDL value true", contempt], drawn, "go depth 3");
        infos(&replies).pop().unwrap().wdl.unwrap()
    };
    assert_eq!(wdl("Contempt value 200"), wdl("Contempt value 0"));
    assert_eq!(wdl("Contempt value -200").win, wdl("Contempt value 0").loss);
}

/// A search that ends before it has searched a move knows the static evaluation.
#[test]
fn the_shortest_search_has_a_score() {
    let queen_up = "fen 4k3/pppp4/8/8/8/8/PPPP4/3QK3 w - - 0 1";
    for (position, sign) in [(queen_up, 1), ("fen 4k3/pppp4/8/8/8/8/PPPP4/3QK3 b - - 0 1", -1)] {
        for options in [&[][..], &["MultiPV value 3"], &["UCI_LimitStrength value true"]] {
            let replies = search(options, position, "go nodes 1");
            let info = infos(&replies).pop().unwrap();
            assert_eq!((info.depth, info.multipv), (Some(1), Some(1)), "{replies:#?}");
            let Score::Centipawns(score) = info.score.unwrap().score else { panic!() };
            assert!(score * sign > 100, "{replies:#?}");
            assert_eq!(info.pv[0].as_str(), best_move(&replies));
        }
    }
}

#[test]
fn nodestime_measures_time_in_nodes() {
    let nodes = |go: &str| {
        let replies = search(&["nodestime value 100", "Move Overhead value 0"], "startpos", go);
        infos(&replies).pop().unwrap().nodes.unwrap()
    };
    for time in [3, 200, 1000] {
        let (searched, limit) = (nodes(&format!("go movetime {time}")), 100 * time);
        assert!(
            (limit * 95 / 100..=limit).contains(&searched),
            "{searched} for {time} ms of 100 nodes"
        );
    }
    let go = "go wtime 1000 btime 1000 winc 10 binc 10";
    assert_eq!(nodes(go), nodes(go), "reproducible");
    assert!(nodes(go) <= 50_000);
}

#[test]
fn the_debug_log_has_every_line_in_and_out() {
    let file = Scratch::new("dialogue.log");
    let mut engine = Engine::start();
    engine.send("isready");
    engine.receive_until("readyok", SOON);
    engine.send(format!("setoption name Debug Log File value {}", file.0.display()));
    engine.sync();
    engine.send("position startpos moves e2e4\nwhat is this\ngo depth 3");
    let replies = engine.receive_until("bestmove", SOON);
    engine.sync();
    engine.send("setoption name Debug Log File value <empty>");
    engine.sync();
    engine.send("d");
    engine.sync();
    let text = String::from_utf8(file.bytes()).unwrap();
    let output = replies.iter().map(|line| format!("<< {line}"));
    let told =
        [">> position startpos moves e2e4", ">> what is this", ">> go depth 3", ">> isready"];
    for line in output.chain(told.map(str::to_owned)) {
        let found = text.lines().find(|logged| logged.ends_with(&line));
        let found = found.unwrap_or_else(|| panic!("{line} in {text}"));
        assert!(found.as_bytes()[..4].iter().all(u8::is_ascii_digit), "a time: {found}");
    }
    assert!(!text.contains("Fen:"), "nothing is written after the file is closed");
    // The file is appended to, not overwritten.
    engine.send(format!("setoption name Debug Log File value {}", file.0.display()));
    engine.sync();
    engine.send("d");
    engine.sync();
    let longer = String::from_utf8(file.bytes()).unwrap();
    assert!(longer.starts_with(&text) && longer.contains("Fen:"));
    engine.send("setoption name Debug Log File value /nowhere/at/all");
    let replies = engine.sync();
    assert!(errors(&replies)[0].contains("the old one is kept"), "{replies:#?}");
}

#[test]
fn go_mate_searches_until_the_mate_is_found() {
    // Mate in two.
    let position = "fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    let replies = search(&[], position, "go mate 2");
    let last = infos(&replies).pop().unwrap();
    assert_eq!(last.score.unwrap().score, Score::Mate(2), "{replies:#?}");
    assert_eq!(best_move(&replies), "a1a6");
}

/// Checks MultiPV output: lines 1, 2 and so on of equal depth, each with its own first move, in
/// order of their scores.
fn check_lines(replies: &[String], lines: usize) {
    let complete =
        infos(replies).into_iter().filter(|info| info.score.unwrap().bound == Bound::Exact);
    let complete = complete.collect::<Vec<_>>();
    assert!(complete.len().is_multiple_of(lines) && !complete.is_empty(), "{replies:#?}");
    for set in complete.chunks(lines) {
        let centipawns = |info: &Info| match info.score.unwrap().score {
            Score::Centipawns(centipawns) => centipawns,
            Score::Mate(moves) => 100_000 * moves.signum() - moves,
        };
        assert!(set.is_sorted_by_key(|info| std::cmp::Reverse(centipawns(info))), "{set:#?}");
        let mut firsts = HashSet::new();
        for (number, info) in (1..).zip(set) {
            assert_eq!((info.nodes, info.time), (set[0].nodes, set[0].time), "{replies:#?}");
            assert_eq!((info.multipv, info.depth), (Some(number), set[0].depth), "{replies:#?}");
            assert!(firsts.insert(info.pv[0]), "{replies:#?}");
        }
    }
    let last = &complete[complete.len() - lines];
    assert_eq!(last.pv[0].as_str(), best_move(replies));
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
    // Also when the search is interrupted in the middle of an iteration.
    for nodes in [700, 3000, 10_000, 20_000, 30_000] {
        let replies = search(&["MultiPV value 3"], "startpos", &format!("go nodes {nodes}"));
        check_lines(&replies, 3);
    }
    // Also with limited strength, which plays one of the lines.
    for elo in [1320, 1500, 1800, 2850] {
        let options =
            ["MultiPV value 3", "UCI_LimitStrength value true", &format!("UCI_Elo value {elo}")];
        let replies = search(&options, "startpos", "go depth 5");
        let lines = infos(&replies);
        let last = &lines[lines.len() - 3..];
        let firsts: HashSet<_> = last.iter().map(|info| info.pv[0]).collect();
        assert_eq!(firsts.len(), 3, "{replies:#?}");
        let numbers: Vec<_> = lines.iter().map(|info| info.multipv.unwrap()).collect();
        assert!(numbers.chunks(3).all(|set| set == [1, 2, 3]), "{replies:#?}");
        assert_eq!(last[0].pv[0].as_str(), best_move(&replies), "{replies:#?}");
        let totals = |info: &Info| (info.nodes, info.time, info.nps);
        assert!(lines.chunks(3).all(|set| set.iter().all(|line| totals(line) == totals(&set[0]))));
    }
    // At most one line per legal move.
    let only = "fen k7/8/8/8/8/8/6q1/7K w - - 0 1";
    let replies = search(&["MultiPV value 256"], only, "go depth 3");
    check_lines(&replies, 1);
    let replies = search(&["MultiPV value 256"], "startpos", "go depth 2");
    check_lines(&replies, 20);
    let replies = search(&["MultiPV value 5"], "startpos", "go depth 3 searchmoves a2a3 h2h3");
    check_lines(&replies, 2);
}

#[test]
fn some_gui_options_are_accepted_without_a_reply() {
    let mut engine = Engine::start();
    for option in [
        "UCI_AnalyseMode value true",
        "Ponder value false",
        "UCI_Opponent value GM 2800 human Gary Kasparov",
        "UCI_Opponent value none none computer Shredder",
        "UCI_Variant value chess",
        "Skill Level value 20",
    ] {
        engine.send(format!("setoption name {option}"));
        assert!(engine.sync().is_empty(), "{option}");
    }
    engine.send("uci");
    let replies = engine.receive_until("uciok", SOON);
    assert!(!replies.iter().any(|line| line.contains("UCI_Opponent")), "{replies:#?}");
}
