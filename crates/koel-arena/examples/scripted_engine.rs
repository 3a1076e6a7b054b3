//! The engine of the tests. It plays the alphabetically first legal move at once, and shows faults
//! on demand.
//!
//! Each argument is a fault: `FAULT` in every search, or `FAULT@N` in search N of the process,
//! counted from 1. The faults: `slow-start`, `refuse-options`, `crash`, `silent`, `late`, `slow`,
//! `endless`, `noise`, `illegal`, `garbage`, `stray`, `illegal-pv`, `other-pv` and
//! `past-threefold`; for the checks of the protocol `deaf`, which ends neither by `quit` nor
//! without input, `bad-option` and `hasty`, which does not wait for `stop`. With `ponder` and
//! `ponder-miss` it names a reply.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program on two pipes")]

use std::io::{self, BufRead, Write};
use std::thread;
use std::time::Duration;

use koel_uci::{Command, PositionSetup, StartPosition};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};

/// Longer than any deadline of a test.
const LONG: Duration = Duration::from_secs(3600);

/// A fault, and the search it belongs to; every search if there is no number.
struct Fault {
    name: String,
    search: Option<u32>,
}

fn main() {
    let faults: Vec<_> = std::env::args().skip(1).map(|text| parse_fault(&text)).collect();
    let mut game = PositionSetup::default();
    let mut searches = 0;
    let has_fault = |fault: &str, now: u32| {
        faults
            .iter()
            .any(|other| other.name == fault && other.search.is_none_or(|search| search == now))
    };
    if has_fault("slow-start", 0) {
        thread::sleep(LONG);
    }
    let mut lines = io::stdin().lock().lines().map_while(Result::ok);
    while let Some(line) = lines.next() {
        match Command::parse(&line) {
            Ok(Some(Command::Uci)) => {
                println!("id name scripted\nid author nobody");
                println!("option name Hash type spin default 16 min 1 max 1024");
                if has_fault("ponder", 0) || has_fault("ponder-miss", 0) {
                    println!("option name Ponder type check default false");
                }
                if has_fault("bad-option", 0) {
                    println!("option name Skill type spin default 30 min 0 max 20");
                }
                println!("uciok");
            }
            Ok(Some(Command::SetOption(set))) if has_fault("refuse-options", 0) => {
                println!("info string ERROR: {}: no memory", set.name);
            }
            Ok(Some(Command::IsReady)) => println!("readyok"),
            Ok(Some(Command::Position(setup))) => game = setup,
            Ok(Some(Command::Go(go))) => {
                searches += 1;
                if (go.infinite || go.ponder) && !has_fault("hasty", 0) {
                    let is_over = wait_for_end(&mut lines);
                    if is_over {
                        return;
                    }
                }
                if has_fault("late", searches) {
                    // The answer comes after the `stop` that a runner sends at the time limit.
                    lines.next();
                }
                if has_fault("endless", searches) {
                    println!("info depth 30 score cp 15 nodes 5000000");
                    let _ = io::stdout().flush();
                    lines.next();
                }
                search(&game, &|fault| has_fault(fault, searches));
            }
            Ok(Some(Command::Quit)) if !has_fault("deaf", 0) => return,
            _ => {}
        }
        let _ = io::stdout().flush();
    }
    if has_fault("deaf", 0) {
        thread::sleep(LONG);
    }
}

/// Waits for the end of a search without a limit. Returns true if the program is to end.
fn wait_for_end(lines: &mut dyn Iterator<Item = String>) -> bool {
    for line in lines {
        match Command::parse(&line) {
            Ok(Some(Command::Stop | Command::PonderHit)) => return false,
            Ok(Some(Command::IsReady)) => println!("readyok"),
            Ok(Some(Command::Quit)) => return true,
            _ => {}
        }
        let _ = io::stdout().flush();
    }
    true
}

fn parse_fault(text: &str) -> Fault {
    match text.split_once('@') {
        Some((name, search)) => Fault { name: name.to_owned(), search: search.parse().ok() },
        None => Fault { name: text.to_owned(), search: None },
    }
}

fn search(game: &PositionSetup, has_fault: &dyn Fn(&str) -> bool) {
    let position = position(game);
    let mut moves: Vec<_> = position
        .legal_moves()
        .into_iter()
        .map(|m| UciMove::from_move(m, CastlingMode::Standard).to_string())
        .collect();
    moves.sort();
    let best = moves.first().map_or("(none)", String::as_str);
    if has_fault("crash") {
        eprintln!("a fault on demand");
        std::process::exit(3);
    }
    if has_fault("silent") {
        thread::sleep(LONG);
    }
    if has_fault("noise") {
        println!("Hello!\n\u{1}\u{2} \u{fffd} 17");
    }
    if has_fault("slow") {
        thread::sleep(Duration::from_millis(30));
    }
    let (pv, score) = if has_fault("past-threefold") {
        (shuffle(&position).unwrap_or_default(), 0)
    } else if has_fault("illegal-pv") {
        (format!("{best} {best} {best}"), 0)
    } else if has_fault("other-pv") {
        (moves.last().cloned().unwrap_or_default(), 0)
    } else {
        (best.to_owned(), 15)
    };
    println!("info depth 1 score cp {score} nodes 20 time 0 pv {pv}");
    let best_move = match () {
        () if has_fault("illegal") => "a1a1",
        () if has_fault("garbage") => "castles",
        () => best,
    };
    let ponder = match () {
        () if has_fault("ponder") => reply(&position, best, |replies| replies.first().cloned()),
        () if has_fault("ponder-miss") => reply(&position, best, |replies| replies.last().cloned()),
        () => String::new(),
    };
    let answer = format!("bestmove {best_move}{ponder}\n");
    let times = if has_fault("stray") { 2 } else { 1 };
    // In one write: a second answer that arrives after the next `go` would be the answer to that.
    let _ = io::stdout().write_all(answer.repeat(times).as_bytes());
}

/// Returns the expected reply to a move as the end of a `bestmove` line.
fn reply(position: &Chess, best: &str, choose: impl Fn(&[String]) -> Option<String>) -> String {
    let m: UciMove = best.parse().expect("it is a legal move");
    let mut after = position.clone();
    after.play_unchecked(m.to_move(position).expect("it is a legal move"));
    let replies = after.legal_moves().into_iter();
    let mut replies: Vec<_> =
        replies.map(|m| UciMove::from_move(m, CastlingMode::Standard).to_string()).collect();
    replies.sort();
    choose(&replies).map(|reply| format!(" ponder {reply}")).unwrap_or_default()
}

/// Both sides move a knight forth and back, beyond the third occurrence of the position.
fn shuffle(position: &Chess) -> Option<String> {
    let mut after = position.clone();
    let mut forth = Vec::new();
    for _ in 0..2 {
        let m = after.legal_moves().into_iter().find(|m| {
            m.role() == shakmaty::Role::Knight && !m.is_capture() && {
                let mut next = after.clone();
                next.play_unchecked(*m);
                !next.is_check()
            }
        })?;
        forth.push(UciMove::from_move(m, CastlingMode::Standard).to_string());
        after.play_unchecked(m);
    }
    let back: Vec<_> = forth.iter().map(|m| format!("{}{}", &m[2..4], &m[..2])).collect();
    let round = [forth.join(" "), back.join(" ")].join(" ");
    Some([round.clone(), round.clone(), round].join(" "))
}

fn position(game: &PositionSetup) -> Chess {
    let mode = CastlingMode::Standard;
    let mut position = match &game.start {
        StartPosition::Standard => Chess::new(),
        StartPosition::Fen(fen) => {
            let fen: Fen = fen.as_str().parse().expect("the runner sends valid positions");
            fen.into_position(mode).expect("the runner sends legal positions")
        }
    };
    for text in &game.moves {
        let m: UciMove = text.as_str().parse().expect("the runner sends moves");
        position.play_unchecked(m.to_move(&position).expect("the runner sends legal moves"));
    }
    position
}
