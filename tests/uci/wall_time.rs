//! Tests whose verdict depends on real time, and so on the other load of the machine. They are left
//! out of the usual tests; `cargo xtask ci --long` runs them, one at a time:
//! `cargo test --release -p koel --test uci wall_time -- --ignored --test-threads 1`.

use std::thread;
use std::time::{Duration, Instant};

use koel_random::Rng;

use crate::support::{Engine, SOON, Scratch, best_move};
use crate::threads::with_threads;

/// Returns the time until the best move.
fn time_of(engine: &mut Engine, go: &str) -> Duration {
    engine.sync();
    let start = Instant::now();
    engine.send(go);
    engine.receive_until("bestmove", SOON);
    start.elapsed()
}

/// Stops searches at random times with all cores busy, and measures the time from `stop` to
/// `bestmove`.
///
/// `KOEL_STOPS=1000 cargo test --release -p koel --test uci it_stops -- --ignored --nocapture`
#[test]
#[ignore = "measures wall time"]
fn it_stops_at_once() {
    let stops = std::env::var("KOEL_STOPS").map_or(40, |text| text.parse().unwrap());
    let mut engine = with_threads(thread::available_parallelism().map_or(2, usize::from));
    let mut rng = Rng::new(1);
    let mut waits = Vec::new();
    for _ in 0..stops {
        engine.send("go infinite");
        thread::sleep(Duration::from_millis(5 + rng.next_u64() % 16));
        let stop = Instant::now();
        engine.send("stop");
        engine.receive_until("bestmove", SOON);
        waits.push(stop.elapsed());
    }
    waits.sort();
    let at = |percent: usize| waits[(waits.len() - 1) * percent / 100];
    println!("from stop to bestmove: median {:?}, 99 % below {:?}", at(50), at(99));
    // The last percent depends on the other load of the machine.
    assert!(at(50) < Duration::from_millis(10), "{waits:?}");
}

#[test]
#[ignore = "measures wall time"]
fn movetime_is_kept() {
    let mut engine = Engine::start();
    let time = time_of(&mut engine, "go movetime 300");
    assert!(time >= Duration::from_millis(299) && time < Duration::from_millis(900), "{time:?}");
    let time = time_of(&mut engine, "go movetime 0");
    assert!(time < Duration::from_millis(500), "{time:?}");
}

/// The root move being searched is printed after three seconds, not before.
#[test]
#[ignore = "measures wall time"]
fn the_current_move_is_printed_after_some_seconds() {
    let mut engine = Engine::start();
    let start = Instant::now();
    engine.send("go infinite");
    // How long a root move takes depends on the network and the machine.
    let is_current = |line: &String| line.contains(" currmove ");
    while !engine.receive_until("info ", SOON).iter().any(is_current) {}
    assert!(start.elapsed() >= Duration::from_secs(3), "{:?}", start.elapsed());
    engine.send("stop");
    engine.receive_until("bestmove", SOON);
}

#[test]
#[ignore = "measures wall time"]
fn clocks_are_kept() {
    let mut engine = Engine::start();
    for go in [
        "go wtime 0 btime 0",
        "go wtime -5000 btime -5000 winc 0 binc 0",
        "go wtime 1 btime 1 movestogo 1",
        "go btime 60000",
        "go wtime 100 winc -100 movestogo 0",
        "go depth x",
    ] {
        let time = time_of(&mut engine, go);
        assert!(time < Duration::from_millis(500), "{go}: {time:?}");
    }
    let time = time_of(&mut engine, "go wtime 1000 btime 1000 winc 10 binc 10");
    assert!(time < Duration::from_millis(700), "{time:?}");
}

#[test]
#[ignore = "measures wall time"]
fn the_clock_runs_from_ponderhit() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e4\ngo ponder wtime 600 btime 600");
    thread::sleep(Duration::from_millis(700));
    engine.sync();
    let hit = Instant::now();
    engine.send("ponderhit");
    best_move(&engine.receive_until("bestmove", SOON));
    assert!(hit.elapsed() < Duration::from_millis(600), "{:?}", hit.elapsed());
}

/// `isready`, `stop` and `quit` are answered within 100 ms while a file of 512 MiB is read.
#[test]
#[ignore = "measures wall time"]
fn the_session_answers_while_a_large_file_is_read() {
    let file = Scratch::new("large");
    let path = file.0.display();
    let mut engine = Engine::start();
    engine.send(format!("setoption name Hash value 512\nhash save {path}"));
    assert_eq!(engine.finish().len(), 1);
    for _ in 0..5 {
        let mut engine = Engine::start();
        engine.sync();
        let start = Instant::now();
        engine.send(format!("hash load {path}\nstop\nisready"));
        let replies = engine.receive_until("readyok", SOON);
        assert_eq!(replies, ["readyok"], "the table is not loaded yet");
        assert!(start.elapsed() < Duration::from_millis(100), "{:?}", start.elapsed());
        let start = Instant::now();
        engine.send("quit");
        let (_, status) = engine.end_input();
        assert!(status.success());
        assert!(start.elapsed() < Duration::from_millis(100), "{:?}", start.elapsed());
    }
}

#[test]
#[ignore = "measures wall time"]
fn a_long_game_is_set_up_in_a_second() {
    let mut engine = Engine::start();
    engine.sync();
    let start = Instant::now();
    let shuffle = " g1f3 g8f6 f3g1 f6g8".repeat(375);
    engine.send(format!("position startpos moves{shuffle}"));
    assert!(engine.sync().is_empty());
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
}
