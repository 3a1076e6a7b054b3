//! The runner of a match: several games at once, until the match ends.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use shakmaty::{Chess, Color};

use crate::cancel_token::CancelToken;
use crate::engine::{EngineProcess, StartError};
use crate::error::MatchError;
use crate::game::{self, PlayedGame, color_index};
use crate::match_config::{Conclusion, Match};
use crate::match_journal::MatchJournal;
use crate::match_score::MatchScore;
use crate::one_core::stay_on_one_core;
use crate::opening::Opening;
use crate::pgn;
use crate::record::{Ending, GameId, GameOutcome, GameRecord};
use crate::statistics::Decision;

/// An engine that does not start is tried this many times.
const START_ATTEMPTS: u32 = 3;

/// An event of a running match.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum MatchEvent<'e> {
    /// The score of each pairing, at the start and after each game.
    Score(&'e [MatchScore]),
    /// A finished game.
    Game(&'e FinishedGame<'e>),
    /// A fault that ended a game, with the game, the engine and what happened.
    Fault(&'e str),
}

/// A finished game of a match.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct FinishedGame<'e> {
    /// The number of the game.
    pub id: GameId,
    /// The names of White and Black.
    pub players: [&'e str; 2],
    /// The result as in a PGN, such as `1-0`.
    pub result: &'static str,
    /// The ending of the game.
    pub ending: Ending,
    /// The position at its end.
    pub position: &'e Chess,
    /// The game as text for a PGN.
    pub pgn: &'e str,
}

/// A function that receives the events of a match.
pub type MatchObserver<'o> = &'o (dyn Fn(MatchEvent<'_>) + Sync);

impl Match {
    /// Plays the games that are left to play, and returns the score of each pairing. Setting
    /// `cancel` drops the games in progress.
    ///
    /// # Errors
    /// If an engine cannot be started (in three attempts), or a file cannot be used.
    pub fn run(
        &self,
        cancel: &AtomicBool,
        observer: MatchObserver<'_>,
    ) -> Result<(Conclusion, Vec<MatchScore>), MatchError> {
        let journal =
            MatchJournal::open(self.state.as_deref(), self.pgn.as_deref(), self.all_settings())?;
        MatchRunner::new(self, journal, cancel, observer).run()
    }
}

struct MatchRunner<'m> {
    config: &'m Match,
    /// The openings in the order of the pairs.
    openings: Vec<&'m Opening>,
    /// The games left to play.
    due: Vec<GameId>,
    /// Index of the next game in `due`.
    next: AtomicUsize,
    results: Mutex<Results>,
    /// True when no more games are needed, including those in progress.
    is_over: AtomicBool,
    end: Mutex<Option<Result<Conclusion, MatchError>>>,
    observer: MatchObserver<'m>,
    cancel: &'m AtomicBool,
}

/// The results, written by one thread at a time.
struct Results {
    journal: MatchJournal,
    /// The score of each pairing.
    scores: Vec<MatchScore>,
}

impl<'m> MatchRunner<'m> {
    fn new(
        config: &'m Match,
        journal: MatchJournal,
        cancel: &'m AtomicBool,
        observer: MatchObserver<'m>,
    ) -> MatchRunner<'m> {
        let known = &journal.state().games;
        let of_pairing = |pairing| {
            let is_own = |id: &GameId| config.pairing_and_opening(id.pair).0 == pairing;
            let games = known.iter().filter(|(id, _)| is_own(id));
            MatchScore::of(games.map(|(&id, record)| (id, record)))
        };
        let scores = (0..config.pairings.len()).map(of_pairing).collect();
        let ids = (1..=config.pairs).flat_map(GameId::of_pair);
        MatchRunner {
            config,
            openings: config.openings_in_order().take(config.openings.len()).collect(),
            due: ids.filter(|id| !known.contains_key(id)).collect(),
            next: AtomicUsize::new(0),
            results: Mutex::new(Results { journal, scores }),
            is_over: AtomicBool::new(false),
            end: Mutex::new(None),
            observer,
            cancel,
        }
    }

    /// Plays the games that are due until the match ends.
    fn run(self) -> Result<(Conclusion, Vec<MatchScore>), MatchError> {
        self.check_for_end(&lock(&self.results).scores);
        thread::scope(|scope| {
            for worker in 0..self.config.concurrency.max(1) {
                let runner = &self;
                scope.spawn(move || runner.play_games(worker));
            }
        });
        let results = self.results.into_inner().unwrap_or_else(PoisonError::into_inner);
        let is_cancelled = self.cancel.load(Ordering::Relaxed);
        let end = self.end.into_inner().unwrap_or_else(PoisonError::into_inner);
        let conclusion = match end {
            Some(end) => end?,
            None if is_cancelled => Conclusion::Cancelled,
            None => Conclusion::Complete,
        };
        Ok((conclusion, results.scores))
    }

    /// The token of a game in progress.
    fn cancel_token(&self) -> CancelToken<'_> {
        match self.config.stops_after_current {
            true => CancelToken::new(&self.is_over),
            false => CancelToken::either([&self.is_over, self.cancel]),
        }
    }

    /// The work of one thread, which keeps its two engines from one game to the next.
    fn play_games(&self, worker: usize) {
        if self.config.is_pinned {
            stay_on_one_core(worker);
        }
        let mut idle = BTreeMap::new();
        while !CancelToken::either([&self.is_over, self.cancel]).is_cancelled() {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&id) = self.due.get(index) else { return };
            match self.play_game(&mut idle, id) {
                Ok((game, opening)) => self.add_result(id, &game, opening),
                Err(MatchError::Start(StartError::Cancelled)) => return,
                Err(error) => self.end(Err(error)),
            }
        }
    }

    /// Ends the match. The first end counts: later ones are its consequence.
    fn end(&self, how: Result<Conclusion, MatchError>) {
        lock(&self.end).get_or_insert(how);
        self.is_over.store(true, Ordering::Relaxed);
    }

    fn check_for_end(&self, scores: &[MatchScore]) {
        (self.observer)(MatchEvent::Score(scores));
        // A test is between two engines.
        let [score] = scores else { return };
        let sprt = self.config.sprt.as_ref();
        if sprt.is_some_and(|sprt| sprt.decide(&score.pairs) != Decision::Open) {
            self.end(Ok(Conclusion::Decided));
        }
        let identical = score.all_pairs_identical().then_some(score.identical_pairs);
        let limit = self.config.identical_pairs;
        if limit.zip(identical).is_some_and(|(limit, identical)| identical >= limit) {
            self.end(Ok(Conclusion::NoChange));
        }
    }

    /// Plays a game with the idle engines, by their indices, and others that are started.
    fn play_game(
        &self,
        idle: &mut BTreeMap<usize, EngineProcess>,
        id: GameId,
    ) -> Result<(PlayedGame, &Opening), MatchError> {
        let opening = self.opening(id)?;
        let cancel = self.cancel_token();
        let players = self.config.players(id);
        // The others end, so that a worker needs the memory of two.
        idle.retain(|index, _| players.contains(index));
        let mut take =
            |index| idle.remove(&index).map_or_else(|| self.start_engine(index, cancel), Ok);
        let (mut white, mut black) = (take(players[0])?, take(players[1])?);
        let game = game::play(self.config, id, opening, &mut [&mut white, &mut black], cancel)?;
        use Ending::{Crash, IgnoredLimit, Stall, UnreadableMove};
        let is_unusable = matches!(game.ending, Crash | IgnoredLimit | Stall | UnreadableMove);
        for (color, engine) in [Color::White, Color::Black].into_iter().zip([white, black]) {
            if !(is_unusable && game.offender == Some(color)) {
                idle.insert(players[color_index(color)], engine);
            }
        }
        Ok((game, opening))
    }

    fn start_engine(
        &self,
        index: usize,
        cancel: CancelToken<'_>,
    ) -> Result<EngineProcess, StartError> {
        let spec = &self.config.engines[index].spec;
        let start = || EngineProcess::start(spec, self.config.timeouts, cancel);
        for _ in 1..START_ATTEMPTS {
            match start() {
                Err(StartError::Ended(..) | StartError::NoAnswer { .. }) => {}
                started => return started,
            }
        }
        start()
    }

    /// Both games of a pair have the same opening.
    fn opening(&self, id: GameId) -> Result<&'m Opening, MatchError> {
        let none = || MatchError::Opening("there is none".to_owned());
        let number = self.config.pairing_and_opening(id.pair).1;
        self.openings.get(number % self.openings.len().max(1)).copied().ok_or_else(none)
    }

    /// Adds a game to the files and to the score.
    fn add_result(&self, id: GameId, game: &PlayedGame, opening: &Opening) {
        let record = record(id, game);
        let text = pgn::format_game(self.config, id, opening, game);
        // One writer at a time, so that the state and the PGN agree.
        let mut results = lock(&self.results);
        if self.is_over.load(Ordering::Relaxed) {
            return;
        }
        let Results { journal, scores } = &mut *results;
        let other = journal.state().games.get(&id.other()).cloned();
        if let Err(error) = journal.add(id, record.clone(), &text) {
            // Under the lock: after an error the files may disagree, so nobody else may write.
            return self.end(Err(error.into()));
        }
        let finished = FinishedGame {
            id,
            players: self.config.players(id).map(|index| self.config.name(index)),
            result: game.result(),
            ending: game.ending,
            position: &game.position,
            pgn: &text,
        };
        (self.observer)(MatchEvent::Game(&finished));
        if let Some(color) = game.offender {
            let name = finished.players[color_index(color)];
            (self.observer)(MatchEvent::Fault(&describe_fault(id, name, game)));
        }
        scores[self.config.pairing_and_opening(id.pair).0].add(&record, other.as_ref());
        self.check_for_end(scores);
    }
}

fn describe_fault(id: GameId, name: &str, game: &PlayedGame) -> String {
    let gap = if game.remark.is_empty() { "" } else { ": " };
    format!("game {id}: {name}: {}{gap}{}", game.ending.describe(), game.remark)
}

fn record(id: GameId, game: &PlayedGame) -> GameRecord {
    let outcome = match game.winner {
        None => GameOutcome::Draw,
        Some(winner) if winner.is_white() != id.is_swapped => GameOutcome::Win,
        Some(_) => GameOutcome::Loss,
    };
    let mut warnings = game.warnings.clone();
    if id.is_swapped {
        warnings.reverse();
    }
    GameRecord {
        plies: u32::try_from(game.moves.len()).unwrap_or(u32::MAX),
        moves_hash: game.moves_hash,
        warnings,
        ..GameRecord::new(outcome, game.ending)
    }
}

/// Locks even after a panic of another thread: no change under these locks can be half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
