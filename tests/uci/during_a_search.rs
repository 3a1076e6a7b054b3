//! What is said while the engine thinks.

use std::time::{Duration, Instant};

use crate::support::{Engine, SOON, best_move, dialogue, errors};

fn thinking() -> Engine {
    let mut engine = Engine::start();
    engine.say("go infinite");
    engine.hear_until("info depth", SOON);
    engine
}

#[test]
fn it_is_ready() {
    let mut engine = thinking();
    for _ in 0..5 {
        let heard = engine.sync();
        assert!(heard.iter().all(|line| line.starts_with("info ")), "{heard:#?}");
    }
    engine.say("stop");
    engine.hear_until("bestmove", SOON);
}

#[test]
fn what_would_disturb_it_is_refused() {
    let mut engine = thinking();
    for disturbance in [
        "go depth 3",
        "go perft 2",
        "ucinewgame",
        "setoption name Hash value 32",
        "setoption name Threads value 2",
        "setoption name Clear Hash",
        "bench 1",
        "wait",
    ] {
        engine.say(disturbance);
        let heard = engine.sync();
        assert_eq!(errors(&heard).len(), 1, "{disturbance}: {heard:#?}");
    }
    // These concern the next search.
    engine.say("setoption name Move Overhead value 20\nposition startpos moves e2e4\ndebug off");
    assert!(errors(&engine.sync()).is_empty());
    engine.say("stop");
    best_move(&engine.hear_until("bestmove", SOON));
    engine.say("go depth 3");
    best_move(&engine.hear_until("bestmove", SOON));
    assert!(engine.sync().is_empty(), "nothing comes behind bestmove");
}

#[test]
fn behind_stop_all_is_welcome_at_once() {
    let mut engine = thinking();
    engine.say(
        "stop\nsetoption name Hash value 8\nucinewgame\nposition startpos\ngo infinite\nstop\n\
         setoption name Threads value 2\ngo depth 3",
    );
    for _ in 0..3 {
        let heard = engine.hear_until("bestmove", SOON);
        assert!(errors(&heard).is_empty(), "{heard:#?}");
    }
    assert!(engine.sync().is_empty());
}

#[test]
fn without_a_search_stop_and_ponderhit_are_silent() {
    assert_eq!(dialogue("stop\nponderhit\nstop\nisready\n"), ["readyok"]);
}

#[test]
fn stopped_at_once_it_still_has_a_legal_move() {
    let mut engine = Engine::start();
    engine.say("setoption name Threads value 2");
    for _ in 0..50 {
        engine.say("position startpos moves e2e4 e7e5 d1h5 e8e7\ngo infinite\nstop");
        let heard = engine.hear_until("bestmove", SOON);
        let text = best_move(&heard).to_owned();
        engine.say(format!("position startpos moves e2e4 e7e5 d1h5 e8e7 {text}"));
        assert!(engine.sync().is_empty(), "{text} is legal");
    }
}

#[test]
fn an_endless_search_says_no_move_by_itself() {
    for (go, end) in
        [("go infinite", "stop"), ("go", "stop"), ("go ponder wtime 100 btime 100", "ponderhit")]
    {
        // Nothing to think about: the search itself ends at once.
        let mut engine = Engine::start();
        engine.say(format!("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n{go}"));
        std::thread::sleep(Duration::from_millis(100));
        let heard = engine.sync();
        assert!(!heard.iter().any(|line| line.starts_with("bestmove")), "{go}: {heard:#?}");
        engine.say(end);
        assert_eq!(best_move(&engine.hear_until("bestmove", SOON)), "(none)");
    }
}

#[test]
fn ponderhit_starts_the_clock() {
    let mut engine = Engine::start();
    engine.say("position startpos moves e2e4\ngo ponder wtime 600 btime 600");
    std::thread::sleep(Duration::from_millis(700));
    let heard = engine.sync();
    assert!(!heard.iter().any(|line| line.starts_with("bestmove")), "{heard:#?}");
    let hit = Instant::now();
    engine.say("ponderhit");
    best_move(&engine.hear_until("bestmove", SOON));
    assert!(hit.elapsed() < Duration::from_millis(600), "{:?}", hit.elapsed());
}

#[test]
fn pondering_is_stopped_like_any_search() {
    let mut engine = Engine::start();
    engine.say("go ponder wtime 1000 btime 1000\nstop");
    best_move(&engine.hear_until("bestmove", SOON));
    engine.say("ponderhit");
    assert!(engine.sync().is_empty());
}

#[test]
fn wait_makes_what_follows_wait() {
    let lines = dialogue("go depth 4\nwait\ngo depth 1\nwait\nisready\n");
    let best_moves = lines.iter().filter(|line| line.starts_with("bestmove")).count();
    assert_eq!(best_moves, 2, "{lines:#?}");
    assert!(errors(&lines).is_empty());
    // But not `stop` and `isready`.
    let mut engine = Engine::start();
    engine.say("go movetime 60000\nwait");
    engine.sync();
    engine.say("stop");
    best_move(&engine.hear_until("bestmove", SOON));
}

#[test]
fn a_stop_ends_what_begins_after_it_was_heard() {
    let mut engine = Engine::start();
    engine.say("go perft 6\nwait\ngo depth 200\nwait\nstop\nd");
    let heard = engine.hear_until("Fen:", SOON);
    assert!(heard.iter().any(|line| line.starts_with("bestmove ")), "{heard:#?}");
}

#[test]
fn an_errand_leaves_the_session_answering() {
    let mut engine = Engine::start();
    engine.say("bench 99");
    engine.sync();
    engine.say("stop");
    engine.hear_until("info string bench was stopped", SOON);
    engine.say("bench 1");
    let heard = engine.hear(SOON);
    assert!(heard.ends_with(" nps"), "{heard}");
}
