//! The analysis of several games at the same time.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use crossbeam::channel::{Receiver, Sender, unbounded};

use crate::assessment::GameAnalysis;
use crate::engine::AnalysisEngine;
use crate::error::{AnalyzeError, EngineFailure};
use crate::input::Selection;
use koel_pgn::{FaultyGame, PgnEntry, PgnGame};

/// The number of parts of the file in memory for each engine. With several, an engine that has a
/// long game does not hold up the others.
const PARTS_PER_ENGINE: usize = 8;

/// A part of the output.
pub(crate) enum Analysed {
    /// A game with its number in the file.
    Game { number: u64, pgn: Box<PgnGame>, analysis: GameAnalysis },
    /// Text that is written as it is.
    Unchanged(String),
}

/// A game to be analysed: the index of the part of the file, the number of the game, the game.
type Task = (usize, u64, Box<PgnGame>);
/// A part of the file with its index; `None` for a game that was not begun.
type Outcome = (usize, Result<Option<Analysed>, EngineFailure>);

/// An analysis with several engines, each of which analyses one game at a time.
pub(crate) struct Jobs<'a, E> {
    pub(crate) engines: Vec<E>,
    /// Called after each position; returns true if it shall be the last.
    pub(crate) is_last: &'a (dyn Fn() -> bool + Sync),
    pub(crate) selection: &'a Selection,
}

impl<E: AnalysisEngine + Send> Jobs<'_, E> {
    /// Analyses the games of a file and hands on all of its parts in order, until the end or the
    /// wish to stop. Games that are begun then are handed on as far as they were analysed.
    pub(crate) fn run(
        self,
        entries: impl Iterator<Item = Result<PgnEntry, AnalyzeError>>,
        emit: &mut dyn FnMut(Analysed) -> Result<(), AnalyzeError>,
    ) -> Result<(), AnalyzeError> {
        let is_stopped = AtomicBool::new(false);
        let max_parts = PARTS_PER_ENGINE * self.engines.len();
        let (is_last, selection) = (self.is_last, self.selection);
        thread::scope(|scope| {
            let (tasks, queue) = unbounded::<Task>();
            let (sender, outcomes) = unbounded::<Outcome>();
            for mut engine in self.engines {
                let (queue, sender, is_stopped) = (queue.clone(), sender.clone(), &is_stopped);
                scope.spawn(move || {
                    for (index, number, pgn) in queue {
                        let plies = selection.plies(&pgn);
                        let analysis = analyse(&mut engine, (&pgn, plies), is_last, is_stopped);
                        let part = analysis.map(|analysis| {
                            Some(Analysed::Game { number, pgn, analysis: analysis? })
                        });
                        // After an error nobody receives it.
                        let _ = sender.send((index, part));
                    }
                });
            }
            drop((queue, sender));
            let entries = entries.take_while(|_| !is_stopped.load(Relaxed));
            let ended = pass_through(entries, (tasks, outcomes), max_parts, emit);
            // After an error the engines need not go on.
            is_stopped.store(true, Relaxed);
            ended
        })
    }
}

/// Sends the games of a file to the engines and hands on all of its parts in order. At most
/// `max_parts` are read and not yet handed on.
fn pass_through(
    entries: impl Iterator<Item = Result<PgnEntry, AnalyzeError>>,
    (tasks, outcomes): (Sender<Task>, Receiver<Outcome>),
    max_parts: usize,
    emit: &mut dyn FnMut(Analysed) -> Result<(), AnalyzeError>,
) -> Result<(), AnalyzeError> {
    let mut entries = entries.fuse();
    // Parts that wait for those before them.
    let mut waiting = BTreeMap::new();
    let (mut read, mut handed_on, mut games) = (0, 0, 0);
    loop {
        let mut is_ended = false;
        while !is_ended && read < handed_on + max_parts {
            let Some(entry) = entries.next().transpose()? else {
                is_ended = true;
                continue;
            };
            games += u64::from(!matches!(entry, PgnEntry::Text(_)));
            match entry {
                PgnEntry::Game(pgn) | PgnEntry::Faulty(FaultyGame { readable: Some(pgn), .. }) => {
                    // An engine that failed is reported by its outcome.
                    let _ = tasks.send((read, games, pgn));
                }
                PgnEntry::Faulty(FaultyGame { text, .. }) | PgnEntry::Text(text) => {
                    waiting.insert(read, Some(Analysed::Unchanged(text)));
                }
            }
            read += 1;
        }
        while let Some(part) = waiting.remove(&handed_on) {
            // A game that was not begun is the end.
            let Some(part) = part else { return Ok(()) };
            emit(part)?;
            handed_on += 1;
        }
        if handed_on < read {
            let Ok((index, part)) = outcomes.recv() else { return Ok(()) };
            waiting.insert(index, part?);
        } else if is_ended {
            return Ok(());
        }
    }
}

/// Analyses the positions of a game at these plies in order, until the end or the wish to stop;
/// `None` if that came before.
fn analyse(
    engine: &mut impl AnalysisEngine,
    (pgn, plies): (&PgnGame, Range<usize>),
    is_last: &(dyn Fn() -> bool + Sync),
    is_stopped: &AtomicBool,
) -> Result<Option<GameAnalysis>, EngineFailure> {
    if is_stopped.load(Relaxed) {
        return Ok(None);
    }
    let game = &pgn.game;
    if plies.is_empty() {
        return Ok(Some(GameAnalysis::default()));
    }
    engine.new_game()?;
    let mut positions = Vec::with_capacity(plies.len());
    for ply in plies.clone() {
        positions.push(engine.analyse(game, ply)?);
        if is_last() {
            is_stopped.store(true, Relaxed);
        }
        if is_stopped.load(Relaxed) {
            break;
        }
    }
    let is_complete = positions.len() == plies.len();
    Ok(Some(GameAnalysis { is_complete, ..GameAnalysis::new(game, plies.start, positions) }))
}
