//! Random requests to one engine: each `go` has one outcome, whatever comes between, and nothing
//! hangs.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::num::NonZeroU32;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use koel_board::{Game, Position};
use koel_engine::{Clock, Engine, Event, Outcome, Request, koel_board};
use koel_random::Rng;

/// A generous limit: what hangs fails the test.
const SOON: Duration = Duration::from_secs(60);

const FENS: [&str; 5] = [
    koel_board::START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "8/8/8/4k3/8/8/8/K6R w - - 0 1",
];

/// An engine, and the outcomes of its searches.
fn engine() -> (Engine, Receiver<Outcome>) {
    let (sender, outcomes) = channel();
    let engine = Engine::new(move |event| {
        if let Event::Finished(outcome) = event {
            let _ = sender.send(outcome);
        }
    });
    let mut engine = engine.unwrap();
    engine.set_hash(1).unwrap();
    (engine, outcomes)
}

/// Returns a number below `bound`.
fn below(random: &mut Rng, bound: u64) -> u64 {
    random.next_u64() % bound
}

/// Returns a request in which any limits may come together.
fn request(random: &mut Rng) -> Request {
    let fen = FENS[below(random, FENS.len() as u64) as usize];
    let mut request = Request::new(Game::new(Position::from_fen(fen).unwrap()));
    let milliseconds = |random: &mut Rng, bound| Duration::from_millis(below(random, bound));
    if below(random, 3) == 0 {
        request = request.depth(below(random, 9) as i32 - 2);
    }
    if below(random, 2) == 0 {
        request = request.nodes(below(random, 30_000));
    }
    if below(random, 4) == 0 {
        request = request.time(milliseconds(random, 6));
    }
    if below(random, 4) == 0 {
        let (left, increment) = (milliseconds(random, 100), milliseconds(random, 3));
        let moves_to_go = NonZeroU32::new(below(random, 3) as u32);
        request.clock = Some(Clock { left, increment, moves_to_go });
    }
    if below(random, 8) == 0 {
        request.mate = NonZeroU32::new(3);
    }
    if below(random, 8) == 0 {
        request.elo = Some(below(random, 4000) as i32);
    }
    if below(random, 8) == 0 {
        request.contempt = below(random, 2000) as i32 - 1000;
    }
    if below(random, 8) == 0 {
        request.root_moves = Position::start().legal_moves().into_iter().take(2).collect();
    }
    request.multi_pv = below(random, 4) as usize;
    (request.infinite, request.ponder) = (below(random, 6) == 0, below(random, 6) == 0);
    request
}

/// Starts a search, lets something happen in it, and sees to its end.
fn run_one(engine: &mut Engine, random: &mut Rng) {
    engine.go(request(random));
    match below(random, 6) {
        0 => std::thread::sleep(Duration::from_micros(below(random, 2000))),
        1 => engine.ponder_hit(),
        2 => engine.new_game(),
        3 => engine.set_threads(1 + below(random, 2) as usize).unwrap(),
        _ => {}
    }
    match below(random, 4) {
        // The next `go` stops it.
        0 => {}
        1 => {
            engine.stop();
            engine.stop();
        }
        2 if !engine.needs_stop() && engine.is_searching() => engine.stop(),
        _ => engine.stop(),
    }
    if below(random, 2) == 0 {
        engine.stop();
        engine.wait();
        engine.ponder_hit();
    }
}

/// `KOEL_REQUESTS=10000` for the long run.
#[test]
fn each_go_has_one_outcome() {
    let count = std::env::var("KOEL_REQUESTS").map_or(500, |text| text.parse().unwrap());
    let mut random = Rng::new(75);
    let mut done = 0;
    while done < count {
        let (mut engine, outcomes) = engine();
        // Each engine is dropped, in the middle of a search perhaps.
        let searches = 1 + below(&mut random, 50);
        for _ in 0..searches {
            run_one(&mut engine, &mut random);
        }
        drop(engine);
        let all: Vec<_> = (0..searches).map(|_| outcomes.recv_timeout(SOON).unwrap()).collect();
        assert!(outcomes.recv().is_err(), "an outcome too many");
        for outcome in all {
            assert_eq!(outcome.best_move.is_some(), outcome.line.is_some());
            assert!(outcome.line.is_none_or(|line| line.score == outcome.score));
        }
        done += searches;
    }
    println!("{done} requests");
}

#[test]
fn an_infinite_search_is_finished_by_stop_alone() {
    let (mut engine, outcomes) = engine();
    engine.stop();
    engine.wait();
    for held in [true, false] {
        let mut request = Request::new(Game::default()).depth(1);
        (request.infinite, request.ponder) = (held, !held);
        engine.go(request);
        assert!(outcomes.recv_timeout(Duration::from_millis(50)).is_err() && engine.needs_stop());
        if held {
            engine.stop()
        } else {
            engine.ponder_hit()
        }
        assert!(outcomes.recv_timeout(SOON).unwrap().best_move.is_some());
        engine.wait();
        assert!(!engine.is_searching() && !engine.needs_stop());
    }
}

#[test]
fn the_same_request_searches_the_same_nodes() {
    let (mut engine, outcomes) = engine();
    let mut search = || {
        engine.new_game();
        engine.go(Request::new(Game::default()).nodes(20_000));
        outcomes.recv_timeout(SOON).unwrap().line.unwrap()
    };
    let (first, second) = (search(), search());
    assert_eq!((&first.pv, first.score, first.nodes), (&second.pv, second.score, second.nodes));
}

#[test]
fn as_many_lines_are_reported_as_were_asked_for() {
    for elo in [None, Some(1500)] {
        for multi_pv in [0, 1, 3] {
            let (sender, events) = channel();
            let mut engine = Engine::new(move |event| drop(sender.send(event))).unwrap();
            engine.go(Request { elo, multi_pv, ..Request::new(Game::default()).depth(3) });
            engine.wait();
            let lines = events.try_iter().filter_map(|event| match event {
                Event::Iteration(line) => Some(line.multi_pv),
                _ => None,
            });
            assert_eq!(lines.max(), Some(multi_pv.max(1)), "{elo:?}");
        }
    }
}

#[test]
fn a_draw_is_one_with_any_contempt() {
    let (mut engine, outcomes) = engine();
    // Each move is the hundredth without a capture or pawn move.
    let drawn = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 99 90").unwrap();
    let mut wdl = |contempt| {
        engine.new_game();
        let request = Request::new(Game::new(drawn.clone())).depth(3);
        engine.go(Request { contempt, ..request });
        outcomes.recv_timeout(SOON).unwrap().line.unwrap().wdl
    };
    let expected = wdl(0);
    assert_eq!(expected.win, expected.loss);
    for contempt in [i32::MIN, -300, 300, i32::MAX] {
        assert_eq!(wdl(contempt), expected, "{contempt}");
    }
}

/// Neither the threads of the search nor `stop` wait for the one who saves.
#[test]
fn a_table_is_saved_after_the_search_that_goes_on() {
    let (mut engine, outcomes) = engine();
    for threads in [1, 3] {
        engine.set_threads(threads).unwrap();
        let table = engine.hash_table();
        let mut request = Request::new(Game::default());
        request.infinite = true;
        engine.go(request);
        let (sender, saved) = channel();
        std::thread::spawn(move || sender.send(table.save(1, &mut std::io::sink()).unwrap()));
        assert!(saved.recv_timeout(Duration::from_millis(50)).is_err(), "{threads}");
        engine.stop();
        outcomes.recv_timeout(SOON).unwrap();
        assert_eq!(saved.recv_timeout(SOON).unwrap(), 1 << 20);
    }
}
