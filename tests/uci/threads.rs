//! Several threads, in the real program.

use std::thread;
use std::time::{Duration, Instant};

use crate::support::{Engine, SOON, best_move, errors};

fn with_threads(count: usize) -> Engine {
    let mut engine = Engine::start();
    engine.say(format!("setoption name Threads value {count}"));
    assert!(engine.sync().is_empty());
    engine
}

/// Stops searches at random with all cores busy, and takes the time from `stop` to `bestmove`.
///
/// `KOEL_STOPS=1000 cargo test --release -p koel --test uci threads -- --nocapture`
#[test]
fn it_stops_at_once() {
    let stops = std::env::var("KOEL_STOPS").map_or(40, |text| text.parse().unwrap());
    let mut engine = with_threads(thread::available_parallelism().map_or(2, usize::from));
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut waits = Vec::new();
    for _ in 0..stops {
        engine.say("go infinite");
        random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        thread::sleep(Duration::from_millis(5 + random % 16));
        let stop = Instant::now();
        engine.say("stop");
        engine.hear_until("bestmove", SOON);
        waits.push(stop.elapsed());
    }
    waits.sort();
    let at = |percent: usize| waits[(waits.len() - 1) * percent / 100];
    println!("from stop to bestmove: median {:?}, 99 % below {:?}", at(50), at(99));
    // On a machine with other work the last percent measures that.
    assert!(at(50) < Duration::from_millis(10), "{waits:?}");
}

#[test]
fn any_number_of_threads_will_do() {
    let mut engine = Engine::start();
    for count in [2, 64, 3, 1] {
        engine.say(format!("setoption name Threads value {count}\ngo movetime 50"));
        let heard = engine.hear_until("bestmove", SOON);
        assert!(errors(&heard).is_empty(), "{heard:#?}");
    }
    engine.say("setoption name Threads value 1025");
    assert_eq!(errors(&engine.sync()).len(), 1);
}

#[test]
fn every_mode_searches_and_finds_the_mate() {
    for mode in ["lazy", "Defer", "breadcrumbs"] {
        let mut engine = with_threads(4);
        engine.say(format!("setoption name SMP Mode value {mode}"));
        engine.say("position fen 6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1\ngo movetime 100");
        let heard = engine.hear_until("bestmove", SOON);
        assert!(errors(&heard).is_empty(), "{heard:#?}");
        assert!(heard.iter().any(|line| line.contains("score mate 1 ")), "{heard:#?}");
        assert!(["d1d8", "e1e8"].contains(&best_move(&heard)), "{heard:#?}");
    }
}

/// Only the leader is bound by a depth: the others help until it is done.
#[test]
fn a_depth_is_reached_with_many_threads() {
    let mut engine = with_threads(4);
    engine.say("go depth 9");
    let heard = engine.hear_until("bestmove", SOON);
    let last = heard.iter().rfind(|line| line.starts_with("info depth")).unwrap();
    assert!(last.starts_with("info depth 9 "), "{heard:#?}");
}
