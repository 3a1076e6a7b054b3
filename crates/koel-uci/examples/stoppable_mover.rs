//! An engine whose search can be stopped: a thread reads the input, another one searches. It plays
//! random games from each legal move until `stop` or the limit, and then the move that won most.
//!
//! Build it with `cargo build --example stoppable_mover` and add it to any chess GUI.
#![allow(clippy::print_stdout, reason = "an engine writes to the standard output")]

use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, BufReader, Write, stdin, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use koel_uci::{
    Command, Engine, EngineError, Go, Info, MoveText, PositionSetup, Reply, StartPosition,
    UciSession,
};
use shakmaty::{CastlingMode::Standard, Chess, Move, Outcome, Position, fen::Fen, uci::UciMove};

/// Progress of the two threads, as numbers of input lines, from 1.
#[derive(Default)]
struct Progress {
    /// The line that is being executed.
    current: AtomicUsize,
    /// The last line that ends a search: `stop`, `ponderhit`, `quit`, or the end of the input.
    last_interrupt: AtomicUsize,
}

impl Progress {
    /// Returns true if an interrupt came after the line that is being executed. One that came before
    /// it belongs to an earlier search.
    fn is_interrupted(&self) -> bool {
        self.last_interrupt.load(SeqCst) > self.current.load(SeqCst)
    }
}

/// Reads lines until `quit` and passes them on. What cannot wait for the search is done here.
fn read_lines(input: impl BufRead, lines: &Sender<(usize, String)>, progress: &Progress) {
    let mut number = 0;
    let mut last_go = None;
    for line in input.lines().map_while(Result::ok) {
        number += 1;
        match Command::parse(&line) {
            Ok(Some(Command::Go(_))) => last_go = Some(number),
            Ok(Some(Command::Stop | Command::PonderHit)) => {
                progress.last_interrupt.store(number, SeqCst);
            }
            Ok(Some(Command::Quit)) => break,
            // While a search runs or is about to run, the other thread cannot answer.
            Ok(Some(Command::IsReady))
                if last_go.is_some_and(|go| progress.current.load(SeqCst) <= go) =>
            {
                println!("{}", Reply::ReadyOk);
                continue;
            }
            _ => {}
        }
        if lines.send((number, line)).is_err() {
            break;
        }
    }
    progress.last_interrupt.store(usize::MAX, SeqCst);
}

/// Executes the commands of `input` and passes the replies to `reply`.
fn run(input: impl BufRead + Send + 'static, mut reply: impl FnMut(Reply)) {
    let progress = Arc::new(Progress::default());
    let (sender, receiver) = channel();
    let reader = Arc::clone(&progress);
    thread::spawn(move || read_lines(input, &sender, &reader));
    let engine = StoppableMover { position: Chess::default(), progress: Arc::clone(&progress) };
    let mut session = UciSession::new(engine);
    for (number, line) in receiver {
        progress.current.store(number, SeqCst);
        if session.handle_line(&line, &mut reply).is_break() {
            break;
        }
        progress.current.store(number + 1, SeqCst);
    }
}

struct StoppableMover {
    position: Chess,
    progress: Arc<Progress>,
}

impl Engine for StoppableMover {
    fn name(&self) -> String {
        "Stoppable Mover".to_owned()
    }

    fn author(&self) -> String {
        "nobody".to_owned()
    }

    fn set_position(&mut self, setup: &PositionSetup) -> Result<(), EngineError> {
        let start = match &setup.start {
            StartPosition::Standard => Chess::default(),
            StartPosition::Fen(fen) => fen.as_str().parse::<Fen>()?.into_position(Standard)?,
        };
        self.position = setup.moves.iter().try_fold(start, |position, text| {
            let played = text.as_str().parse::<UciMove>()?.to_move(&position)?;
            Ok::<_, EngineError>(position.play(played)?)
        })?;
        Ok(())
    }

    fn search(
        &mut self,
        go: &Go,
        report: &mut dyn FnMut(Info),
    ) -> Result<Option<MoveText>, EngineError> {
        let moves = self.position.legal_moves();
        let mut points = vec![0; moves.len()];
        let started = Instant::now();
        let time = go.movetime.map_or(Duration::from_secs(1), |time| {
            Duration::from_millis(u64::try_from(time.0).unwrap_or_default())
        });
        let is_limited = !go.infinite && !go.ponder;
        for round in 1..=u64::MAX {
            for (&first, points) in moves.iter().zip(&mut points) {
                *points += self.random_game(first);
            }
            let is_over = go.depth.is_some_and(|depth| round >= u64::from(depth))
                || is_limited && started.elapsed() >= time;
            if is_over || moves.is_empty() || self.progress.is_interrupted() {
                report(Info { nodes: Some(round * moves.len() as u64), ..Info::default() });
                break;
            }
        }
        let best = moves.iter().zip(points).max_by_key(|&(_, points)| points);
        let text = best.map(|(best, _)| best.to_uci(Standard).to_string());
        Ok(text.map(|text| text.parse()).transpose()?)
    }
}

impl StoppableMover {
    /// Plays random moves after the first one. Returns 1 if the side to move wins, -1 if it loses.
    fn random_game(&self, first: Move) -> i32 {
        let mut position = self.position.clone();
        position.play_unchecked(first);
        for ply in 0..80 {
            if let Outcome::Known(known) = position.outcome() {
                let us = self.position.turn();
                return known.winner().map_or(0, |winner| if winner == us { 1 } else { -1 });
            }
            let moves = position.legal_moves();
            let random = RandomState::new().hash_one(ply) as usize;
            position.play_unchecked(moves[random % moves.len()]);
        }
        0
    }
}

fn main() {
    run(BufReader::new(stdin()), |reply| {
        println!("{reply}");
        drop(stdout().flush());
    });
}

#[cfg(test)]
mod tests {
    use std::io::pipe;

    use super::*;

    #[test]
    fn stop_ends_the_search_that_it_follows() {
        let (reader, mut writer) = pipe().unwrap();
        let (sender, replies) = channel();
        thread::spawn(move || {
            run(BufReader::new(reader), |reply| drop(sender.send(reply.to_string())));
        });
        let mut answer = |input: &str| {
            writer.write_all(input.as_bytes()).unwrap();
            (replies.recv().unwrap(), replies.recv().unwrap())
        };
        assert!(answer("go infinite\nstop\n").1.starts_with("bestmove "));
        // A stop before `go` does not end it.
        assert_eq!(answer("stop\ngo depth 3\n").0, "info nodes 60");
        let mate = "position startpos moves f2f3 e7e5 g2g4\ngo depth 20\n";
        assert_eq!(answer(mate).1, "bestmove d8h4");
        drop(writer);
        assert!(replies.recv().is_err());
    }
}
