//! Tests of several threads in the real program.

use crate::support::{Engine, SOON, best_move, errors};

pub(crate) fn with_threads(count: usize) -> Engine {
    let mut engine = Engine::start();
    engine.send(format!("setoption name Threads value {count}"));
    assert!(errors(&engine.sync()).is_empty());
    engine
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
fn more_threads_than_cores_are_a_warning() {
    let cores = std::thread::available_parallelism().unwrap().get();
    let mut engine = Engine::start();
    engine.send(format!("setoption name Threads value {cores}"));
    assert!(engine.sync().is_empty());
    engine.send(format!("setoption name Threads value {}", cores + 1));
    let replies = engine.sync();
    assert!(replies.len() == 1 && replies[0].contains("warning: option Threads"), "{replies:#?}");
}

#[test]
fn several_threads_find_the_mate() {
    let mut engine = with_threads(4);
    engine.send("position fen 6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1\ngo nodes 20000");
    let replies = engine.receive_until("bestmove", SOON);
    assert!(errors(&replies).is_empty(), "{replies:#?}");
    assert!(replies.iter().any(|line| line.contains("score mate 1 ")), "{replies:#?}");
    assert!(["d1d8", "e1e8"].contains(&best_move(&replies)), "{replies:#?}");
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
