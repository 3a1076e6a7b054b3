//! Games of Koel against itself with a clock that counts nodes, so that the load of the machine does
//! not matter: no loss on time, and the time is used.
//!
//! A few games for each time control by default;
//! `KOEL_CLOCK_GAMES=20 cargo test --release -p koel --test clock -- --nocapture` plays twenty and
//! prints what is left in the course of the games.

#![allow(clippy::unwrap_used, reason = "a test may fail by a panic")]

use std::fs::{self, File};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::thread;

use koel_arena::{
    Adjudication, Contender, DEFAULT_OPENINGS, EngineSpec, Match, MoveLimits, TimeLeft, parse_epd,
    read_time_left,
};
use shakmaty::CastlingMode;

/// Time controls with the nodes that count as a millisecond: fewer in longer games, to keep the test
/// short. A search looks at the clock every 1,024 nodes, which without an increment must be little
/// time. Behind each is the number of games, more where they are short: half of them reach move 60,
/// and what is left there differs from game to game.
const CONTROLS: [(&str, u32); 6] = [
    ("1+0.01@100", 20),
    ("3+0.03@40", 6),
    ("10+0.1@20", 6),
    ("60+0.6@5", 4),
    ("40/60@5", 2),
    ("10@100", 2),
];

/// With an increment, the greatest share of the initial time that is left after sixty moves.
const MAX_SHARE_AT_MOVE_60: f64 = 0.15;

#[test]
fn the_time_is_used_and_never_exceeded() {
    let games: Option<u32> =
        std::env::var("KOEL_CLOCK_GAMES").ok().map(|text| text.parse().unwrap());
    for (control, usual) in CONTROLS {
        let players = play(control, games.unwrap_or(usual));
        assert_eq!(players.len(), 2);
        for (name, player) in &players {
            println!("{control} {name}: {} lost on time", player.time_losses);
            for (number, shares) in &player.after {
                if let (Some(median), Some(most)) = (median(shares), shares.last()) {
                    let [median, most] = [median, *most].map(|share| 100.0 * share);
                    let games = shares.len();
                    println!("  move {number}: median {median:.1} %, most {most:.1} % ({games})");
                }
            }
            assert_eq!(player.time_losses, 0, "{control}");
            let at_move_60 = median(&player.after[&60]).filter(|_| control.contains('+'));
            assert!(at_move_60.is_none_or(|share| share <= MAX_SHARE_AT_MOVE_60), "{control}");
        }
    }
}

/// Plays games to their end, and returns the clocks of both players.
fn play(control: &str, games: u32) -> Vec<(String, TimeLeft)> {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("clock-{}.pgn", control.replace('/', "-")));
    let limits = MoveLimits::Clock(control.parse().unwrap());
    let rate = limits.nodes_per_millisecond().unwrap().to_string();
    let contender = |name| {
        let spec = EngineSpec::new(name, env!("CARGO_BIN_EXE_koel"));
        Contender { spec: spec.with_option("nodestime", &rate), limits }
    };
    let openings = parse_epd(DEFAULT_OPENINGS, CastlingMode::Standard).unwrap();
    let mut config = Match::new([contender("first"), contender("second")], openings);
    config.pairs = games.div_ceil(2);
    config.concurrency = thread::available_parallelism().map_or(1, usize::from);
    config.adjudication = Adjudication::NONE;
    config.pgn = Some(path.clone());
    let _ = fs::remove_file(&path);
    let (_, score) = config.run(&AtomicBool::new(false), &|_| {}).unwrap();
    assert_eq!(score.faults(), 0, "{score:?}");
    read_time_left(File::open(path).unwrap(), &[20, 40, 60, 80]).unwrap().into_iter().collect()
}

fn median(shares: &[f64]) -> Option<f64> {
    shares.get(shares.len() / 2).copied()
}
