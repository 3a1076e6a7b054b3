//! Games of Koel against itself with a clock that counts nodes, so that the load of the machine
//! does not matter: no loss on time, and the time is used.
//!
//! Two to twenty games for each time control by default;
//! `KOEL_CLOCK_GAMES=20 cargo test --release -p koel --test clock -- --nocapture` plays twenty and
//! prints what is left in the course of the games.

#![allow(clippy::unwrap_used, reason = "a test may fail by a panic")]

use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::thread;

use koel_arena::{
    Adjudication, DEFAULT_OPENINGS, EngineSpec, Match, MatchEngine, MoveLimits, Period,
    TimeControl, parse_epd,
};
use koel_pgn::{GameReader, PgnEntry, PgnGame, Token};
use shakmaty::CastlingMode;

/// Time controls with the nodes that count as a millisecond. The first has half as many as a core
/// searches, since deeper searches take less of their time. The others have fewer the longer the
/// game, to keep the test short. Behind each is the number of games: with an increment half of them
/// reach move 60, and what is left there differs from game to game.
const CONTROLS: [(&str, u32); 6] = [
    ("2+0.02@300", 10),
    ("1+0.01@100", 12),
    ("10+0.1@20", 6),
    ("60+0.6@5", 4),
    ("40/60@5", 2),
    ("10@100", 2),
];

/// The moves of a player after which the clock is read.
const MOVES: [usize; 4] = [20, 40, 60, 80];

/// With an increment, the greatest share of the initial time that is left after sixty moves.
const MAX_SHARE_AT_MOVE_60: f64 = 0.15;

#[test]
fn the_time_is_used_and_never_exceeded() {
    let games: Option<u32> =
        std::env::var("KOEL_CLOCK_GAMES").ok().map(|text| text.parse().unwrap());
    for (control, usual) in CONTROLS {
        println!("{control}");
        for (number, mut shares) in MOVES.into_iter().zip(play(control, games.unwrap_or(usual))) {
            shares.sort_by(f64::total_cmp);
            let is_limited = number == 60 && control.contains('+');
            assert!(!is_limited || !shares.is_empty(), "{control}: no game lasts so long");
            let Some(&most) = shares.last() else { continue };
            let (median, games) = (shares[shares.len() / 2], shares.len());
            let [median_percent, most] = [median, most].map(|share| 100.0 * share);
            println!("  move {number}: median {median_percent:.1} %, most {most:.1} % ({games})");
            assert!(!is_limited || median <= MAX_SHARE_AT_MOVE_60, "{control}: {median}");
        }
    }
}

/// Plays games to their end, none of which may be lost on time. Returns what the players had left
/// after each of [`MOVES`], in shares of the initial time.
fn play(control: &str, games: u32) -> [Vec<f64>; MOVES.len()] {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("clock-{}.pgn", control.replace('/', "-")));
    let control: TimeControl = control.parse().unwrap();
    let limits = MoveLimits::Clock(control);
    let rate = limits.nodes_per_millisecond().unwrap().to_string();
    let engine = |name| {
        let spec = EngineSpec::new(name, env!("CARGO_BIN_EXE_koel"));
        MatchEngine { spec: spec.with_option("nodestime", &rate), limits }
    };
    let openings = parse_epd(DEFAULT_OPENINGS.as_bytes(), CastlingMode::Standard).unwrap();
    let mut config = Match::new([engine("first"), engine("second")], openings);
    config.pairs = games.div_ceil(2);
    config.concurrency = thread::available_parallelism().map_or(1, usize::from);
    config.adjudication = Adjudication::NONE;
    config.pgn = Some(path.clone());
    let _ = fs::remove_file(&path);
    let (_, scores) = config.run(&AtomicBool::new(false), &|_| {}).unwrap();
    let score = &scores[0];
    assert_eq!(score.faults(), 0, "{score:?}");
    let mut shares = MOVES.map(|_| Vec::new());
    for entry in GameReader::new(BufReader::new(File::open(path).unwrap())) {
        let PgnEntry::Game(game) = entry.unwrap() else { continue };
        for lefts in times_left(&game, control) {
            for (shares, number) in shares.iter_mut().zip(MOVES) {
                let left = lefts.get(number - 1).copied();
                shares.extend(left.map(|left| left / control.first.base.as_secs_f64()));
            }
        }
    }
    shares
}

/// Returns the seconds left after each move of either side, from comments such as
/// `+0.35/14 0.031s`.
fn times_left(game: &PgnGame, control: TimeControl) -> [Vec<f64>; 2] {
    let Period { moves, base, increment } = control.first;
    let [base, increment] = [base, increment].map(|time| time.as_secs_f64());
    let mut lefts = [Vec::new(), Vec::new()];
    // The player of the last move.
    let mut mover = usize::from(game.game.start().turn().is_white());
    for token in &game.movetext {
        match token {
            Token::Move(_) => mover = 1 - mover,
            Token::Comment(text) => {
                let seconds = |word: &str| -> Option<f64> {
                    word.trim_end_matches(',').strip_suffix('s')?.parse().ok()
                };
                let Some(time) = text.split_whitespace().find_map(seconds) else { continue };
                let (before, number) = (lefts[mover].last(), lefts[mover].len() + 1);
                let is_new_period =
                    moves.is_some_and(|moves| number.is_multiple_of(moves as usize));
                let added = increment + if is_new_period { base } else { 0.0 };
                let left = before.copied().unwrap_or(base) - time + added;
                lefts[mover].push(left);
            }
            _ => {}
        }
    }
    lefts
}
