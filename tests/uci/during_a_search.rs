//! Tests of commands during a search.

use std::time::Duration;

use crate::support::{Engine, SOON, best_move, dialogue, errors, without_remarks};

fn searching_engine() -> Engine {
    let mut engine = Engine::start();
    engine.send("go infinite");
    engine.receive_until("info depth", SOON);
    engine
}

#[test]
fn isready_is_answered() {
    let mut engine = searching_engine();
    for _ in 0..5 {
        let replies = engine.sync();
        assert!(replies.iter().all(|line| line.starts_with("info ")), "{replies:#?}");
    }
    engine.send("stop");
    engine.receive_until("bestmove", SOON);
}

#[test]
fn each_go_is_answered_by_one_best_move() {
    let best_moves =
        |lines: &[String]| lines.iter().filter(|line| line.starts_with("bestmove ")).count();
    for (input, searches) in [
        ("go infinite\ngo depth 3\nwait\n", 2),
        ("go\ngo infinite\ngo depth 3\nwait\n", 3),
        ("go ponder depth 3\ngo depth 3\nponderhit\nwait\n", 2),
        ("go infinite\nposition startpos moves e2e4\ngo infinite\nstop\ngo depth 2\nwait\n", 3),
        ("go depth 3\ngo depth 4\ngo depth 5\nwait\n", 3),
    ] {
        let lines = dialogue(input);
        assert!(errors(&lines).is_empty(), "{lines:#?}");
        assert_eq!(best_moves(&lines), searches, "{input}: {lines:#?}");
    }
    // The second search is of the position that was set when it came.
    let mut engine = searching_engine();
    engine.send("position fen 6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1\ngo depth 4");
    engine.receive_until("bestmove", SOON);
    assert_eq!(best_move(&engine.receive_until("bestmove", SOON)), "d1d8");
    assert!(engine.sync().is_empty());
}

#[test]
fn commands_that_require_an_idle_engine_are_refused_where_only_the_user_ends_the_search() {
    let mut engine = searching_engine();
    for command in [
        "ucinewgame",
        "setoption name Hash value 32",
        "setoption name Threads value 2",
        "setoption name Clear Hash",
        "bench 1",
        "wait",
    ] {
        engine.send(command);
        let replies = engine.sync();
        assert_eq!(errors(&replies).len(), 1, "{command}: {replies:#?}");
    }
    // These take effect in the next search.
    engine.send("setoption name Move Overhead value 20\nposition startpos moves e2e4\ndebug off");
    assert!(errors(&engine.sync()).is_empty());
    engine.send("stop");
    best_move(&engine.receive_until("bestmove", SOON));
    engine.send("go depth 3");
    best_move(&engine.receive_until("bestmove", SOON));
    assert!(engine.sync().is_empty(), "no output after bestmove");
}

#[test]
fn after_stop_all_commands_are_accepted_at_once() {
    let mut engine = searching_engine();
    engine.send(
        "stop\nsetoption name Hash value 8\nucinewgame\nposition startpos\ngo infinite\nstop\n\
         setoption name Threads value 2\ngo depth 3",
    );
    for _ in 0..3 {
        let replies = engine.receive_until("bestmove", SOON);
        assert!(errors(&replies).is_empty(), "{replies:#?}");
    }
    assert!(engine.sync().is_empty());
}

#[test]
fn without_a_search_stop_and_ponderhit_are_silent() {
    assert_eq!(dialogue("stop\nponderhit\nstop\nisready\n"), ["readyok"]);
}

#[test]
fn a_search_stopped_at_once_has_a_legal_move() {
    let mut engine = Engine::start();
    engine.send("setoption name Threads value 2");
    for _ in 0..50 {
        engine.send("position startpos moves e2e4 e7e5 d1h5 e8e7\ngo infinite\nstop");
        let replies = engine.receive_until("bestmove", SOON);
        let text = best_move(&replies).to_owned();
        engine.send(format!("position startpos moves e2e4 e7e5 d1h5 e8e7 {text}"));
        assert!(engine.sync().is_empty(), "{text} is legal");
    }
}

#[test]
fn an_infinite_search_prints_no_move_by_itself() {
    for (go, end) in
        [("go infinite", "stop"), ("go", "stop"), ("go ponder wtime 100 btime 100", "ponderhit")]
    {
        // Stalemate: the search itself ends at once.
        let mut engine = Engine::start();
        engine.send(format!("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n{go}"));
        std::thread::sleep(Duration::from_millis(100));
        let replies = engine.sync();
        assert!(!replies.iter().any(|line| line.starts_with("bestmove")), "{go}: {replies:#?}");
        engine.send(end);
        assert_eq!(best_move(&engine.receive_until("bestmove", SOON)), "(none)");
    }
}

#[test]
fn ponderhit_starts_the_clock() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e4\ngo ponder wtime 600 btime 600");
    std::thread::sleep(Duration::from_millis(700));
    let replies = engine.sync();
    assert!(!replies.iter().any(|line| line.starts_with("bestmove")), "{replies:#?}");
    engine.send("ponderhit");
    best_move(&engine.receive_until("bestmove", SOON));
}

#[test]
fn pondering_is_stopped_like_any_search() {
    let mut engine = Engine::start();
    engine.send("go ponder wtime 1000 btime 1000\nstop");
    best_move(&engine.receive_until("bestmove", SOON));
    engine.send("ponderhit");
    assert!(engine.sync().is_empty());
}

/// Removes the fields that depend on the speed of the machine.
fn without_times(lines: &[String]) -> Vec<String> {
    let is_time = |word: &str| ["nps", "time", "hashfull"].contains(&word);
    let without_times = |line: &String| {
        let words: Vec<_> = line.split(' ').collect();
        let kept = (0..words.len()).filter(|&i| {
            !is_time(words[i]) && !i.checked_sub(1).is_some_and(|i| is_time(words[i]))
        });
        kept.map(|i| words[i]).collect::<Vec<_>>().join(" ")
    };
    lines.iter().map(without_times).collect()
}

#[test]
fn a_script_needs_no_wait_between_its_searches() {
    let script = [
        "go depth 6",
        "position startpos moves e2e4",
        "go nodes 20000",
        "setoption name Clear Hash",
        "go perft 4",
        "ucinewgame",
        "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "go depth 3",
        "position startpos moves d2d4",
        "go perft 4",
        "go perft 3",
        "bench 1",
    ];
    let piped = dialogue(script.join("\n"));
    let waited = dialogue(script.map(|line| format!("{line}\nwait\n")).concat());
    assert!(errors(&piped).is_empty(), "{piped:#?}");
    // The speed of the bench is in its line.
    let upto_bench = |lines: &[String]| without_times(&lines[..lines.len() - 1]);
    assert_eq!(upto_bench(&piped), upto_bench(&waited));
    assert!(piped.last().unwrap().ends_with(" nps"), "{piped:#?}");
}

#[test]
fn stop_isready_and_quit_do_not_wait_for_a_queued_search() {
    let mut engine = Engine::start();
    engine.send("go depth 200\nposition startpos moves e2e4\ngo depth 200\nucinewgame\nd");
    let replies = without_remarks(engine.sync());
    assert!(replies.iter().all(|line| line.starts_with("info depth")), "{replies:#?}");
    engine.send("stop");
    engine.receive_until("bestmove", SOON);
    engine.receive_until("bestmove", SOON);
    let replies = engine.receive_until("Fen:", SOON);
    assert!(replies.last().unwrap().contains("/4P3/"), "{replies:#?}");
    engine.send("go depth 200\nquit");
    let (rest, status) = engine.end_input();
    assert!(status.success());
    best_move(&rest);
}

#[test]
fn ponderhit_counts_for_the_search_before_it() {
    let lines = dialogue("go nodes 20000\ngo ponder nodes 300\nponderhit\ngo nodes 100\nwait\n");
    assert!(errors(&lines).is_empty(), "{lines:#?}");
    let best_moves = lines.iter().filter(|line| line.starts_with("bestmove")).count();
    assert_eq!(best_moves, 3, "{lines:#?}");
}

#[test]
fn wait_delays_the_following_commands() {
    let lines = dialogue("go depth 4\nwait\ngo depth 1\nwait\nisready\n");
    let best_moves = lines.iter().filter(|line| line.starts_with("bestmove")).count();
    assert_eq!(best_moves, 2, "{lines:#?}");
    assert!(errors(&lines).is_empty());
    // `stop` and `isready` are not delayed.
    let mut engine = Engine::start();
    engine.send("go movetime 60000\nwait");
    engine.sync();
    engine.send("stop");
    best_move(&engine.receive_until("bestmove", SOON));
}

#[test]
fn a_stop_also_ends_searches_queued_before_it() {
    let mut engine = Engine::start();
    engine.send("go perft 6\nwait\ngo depth 200\nwait\nstop\nd");
    let replies = engine.receive_until("Fen:", SOON);
    assert!(replies.iter().any(|line| line.starts_with("bestmove ")), "{replies:#?}");
}

#[test]
fn the_session_responds_during_a_background_job() {
    let mut engine = Engine::start();
    engine.send("bench 99");
    engine.sync();
    engine.send("stop");
    engine.receive_until("info string bench was stopped", SOON);
    engine.send("bench 1");
    let replies = engine.receive_line(SOON);
    assert!(replies.ends_with(" nps"), "{replies}");
}
