//! Tests of several threads in the real program.

use std::thread;
use std::time::{Duration, Instant};

use koel_random::Rng;

use crate::support::{Engine, SOON, best_move, errors};

fn with_threads(count: usize) -> Engine {
    let mut engine = Engine::start();
    engine.send(format!("setoption name Threads value {count}"));
    assert!(engine.sync().is_empty());
    engine
}

/// Stops searches at random times with all cores busy, and measures the time from `stop` to
/// `bestmove`.
///
/// `KOEL_STOPS=1000 cargo test --release -p koel --test uci threads -- --nocapture`
#[test]
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
fn any_number_of_threads_works() {
    let mut engine = Engine::start();
    for count in [2, 64, 3, 1] {
        engine.send(format!("setoption name Threads value {count}\ngo movetime 50"));
        let replies = engine.receive_until("bestmove", SOON);
        assert!(errors(&replies).is_empty(), "{replies:#?}");
    }
    engine.send("setoption name Threads value 1025");
    assert_eq!(errors(&engine.sync()).len(), 1);
}

#[test]
fn every_mode_searches_and_finds_the_mate() {
    for mode in ["lazy", "Defer", "breadcrumbs"] {
        let mut engine = with_threads(4);
        engine.send(format!("setoption name SMP Mode value {mode}"));
        engine.send("position fen 6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1\ngo movetime 100");
        let replies = engine.receive_until("bestmove", SOON);
        assert!(errors(&replies).is_empty(), "{replies:#?}");
        assert!(replies.iter().any(|line| line.contains("score mate 1 ")), "{replies:#?}");
        assert!(["d1d8", "e1e8"].contains(&best_move(&replies)), "{replies:#?}");
    }
}

/// Only the main thread has a depth limit: the helpers search until it is done.
#[test]
fn a_depth_is_reached_with_many_threads() {
    let mut engine = with_threads(4);
    engine.send("go depth 9");
    let replies = engine.receive_until("bestmove", SOON);
    let last = replies.iter().rfind(|line| line.starts_with("info depth")).unwrap();
    assert!(last.starts_with("info depth 9 "), "{replies:#?}");
}
