//! Tests of `uci`, of the options and of one-shot commands.

use koel_uci::{Options, Reply};

use crate::support::{Engine, SOON, dialogue, errors, koel};

#[test]
fn uci_prints_the_name_and_the_options() {
    let lines = dialogue("uci\n");
    assert!(lines[0].starts_with("id name Koel "));
    assert!(lines[1].starts_with("id author "));
    assert_eq!(lines.last().unwrap(), "uciok");
    let mut options = Options::default();
    for line in &lines[2..lines.len() - 1] {
        let Ok(Reply::Option(declaration)) = line.parse() else { panic!("{line}") };
        options.add(declaration).unwrap();
    }
    for expected in [
        "option name Hash type spin default 16 min 1 max 33554432",
        "option name Clear Hash type button",
        "option name Threads type spin default 1 min 1 max 1024",
        "option name Move Overhead type spin default 10 min 0 max 5000",
        "option name UCI_Chess960 type check default false",
        "option name Ponder type check default false",
        "option name MultiPV type spin default 1 min 1 max 256",
        "option name UCI_ShowWDL type check default false",
        "option name nodestime type spin default 0 min 0 max 10000",
        "option name EvalFile type string default <empty>",
        "option name Hash File type string default <empty>",
        "option name Save Hash type button",
        "option name Load Hash type button",
        "option name Debug Log File type string default <empty>",
        "option name Minimal type check default false",
        "option name UCI_LimitStrength type check default false",
        "option name Skill Level type spin default 20 min 0 max 20",
        "option name UCI_Elo type spin default 1600 min 1320 max 2850",
        "option name Contempt type spin default 0 min -300 max 300",
        "option name SyzygyPath type string default <empty>",
        "option name SyzygyProbeDepth type spin default 1 min 1 max 100",
        "option name SyzygyProbeLimit type spin default 7 min 0 max 7",
        "option name Syzygy50MoveRule type check default true",
    ] {
        assert!(lines.iter().any(|line| line == expected), "{expected} in {lines:#?}");
    }
}

#[test]
fn options_are_set_without_a_reply() {
    let cores = std::thread::available_parallelism().unwrap();
    let lines = dialogue(format!(
        "setoption name Hash value 32\nsetoption name clear hash\nsetoption name Clear Hash value\n\
         setoption name Threads value {cores}\nsetoption name Threads value 1\n\
         setoption name move overhead value 100\nsetoption name Ponder value true\n\
         setoption name UCI_AnalyseMode value true\nsetoption name UCI_Chess960 value false\n\
         debug on\nregister later\nucinewgame\nisready\n",
    ));
    assert_eq!(lines, ["readyok"]);
}

/// The memory limit makes the allocation fail on any machine.
#[cfg(unix)]
#[test]
fn a_table_too_large_is_refused_and_the_old_one_kept() {
    let script = format!("ulimit -v 4000000; exec {}", env!("CARGO_BIN_EXE_koel"));
    let mut engine = Engine::spawn(std::process::Command::new("sh").args(["-c", &script]));
    engine.send("setoption name Hash value 65536");
    let replies = engine.sync();
    assert_eq!(errors(&replies).len(), 1, "{replies:#?}");
    assert!(replies[0].ends_with("the old table is kept"), "{replies:#?}");
    engine.send("go depth 4");
    engine.receive_until("bestmove", SOON);
}

#[test]
fn many_threads_start_and_end() {
    let mut engine = Engine::start();
    engine.send("setoption name Threads value 64\ngo depth 5");
    engine.receive_until("bestmove", 3 * SOON);
    engine.send("setoption name Threads value 2\ngo depth 6");
    engine.receive_until("bestmove", SOON);
    assert!(engine.end_input().1.success());
}

#[test]
fn help_and_d() {
    let lines = dialogue("help\n");
    assert!(lines.len() > 5 && lines.iter().all(|line| line.len() <= 100));
    let lines = dialogue("position startpos moves e2e4 e7e5 d1h5 e8e7 h5e5\nd\n");
    assert!(lines.contains(&"Checkers: e5".to_owned()), "{lines:#?}");
    assert!(lines.contains(&"Last move: h5e5".to_owned()), "{lines:#?}");
}

#[test]
fn one_shot_commands() {
    let (output, _, is_success) = koel(&["go", "depth", "4"]);
    assert!(is_success);
    assert!(output.lines().last().unwrap().starts_with("bestmove "), "{output}");
    let fen = "7k/8/8/8/8/8/4Q3/K7 w - - 0 1";
    let (output, ..) = koel(&["go", "--fen", fen, "nodes", "1000"]);
    assert!(output.contains(" score "), "{output}");
    let (output, ..) = koel(&["d", "--fen", fen, "e2e4"]);
    assert!(output.contains("Fen: 7k/8/8/8/4Q3/8/8/K7 b - - 1 1"), "{output}");
    assert!(koel(&["eval"]).2);
    assert!(koel(&["--help"]).0.contains("cycles"));
    for wrong in [
        &["go", "depth", "x"][..],
        &["go", "infinite"],
        &["go", "searchmoves", "e2e4"],
        &["go", "ponder", "wtime", "100"],
        &["d", "e2e5"],
        &["hello"],
        &["bench", "x"],
        &["bench", "1", "2"],
        &["speedtest", "0"],
        &["genfens", "2"],
        &["position startpos moves e2e5", "d"],
    ] {
        assert!(!koel(wrong).2, "{wrong:?}");
    }
    assert!(koel(&["go", "perft", "1"]).2);
}
