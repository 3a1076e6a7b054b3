//! The hall in which the games of a match are played, several at once.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use dashmap::DashMap;
use shakmaty::Color;

use crate::call_off::CallOff;
use crate::contest::{Conclusion, Contest, ContestError, Observer};
use crate::engine::{Engine, StartError, Trouble};
use crate::game::{self, GameRules, NoGame, PlayedGame, Players};
use crate::layout;
use crate::ledger::Ledger;
use crate::opening::{self, Opening};
use crate::pgn::{self, Heading};
use crate::pinning;
use crate::record::{Ending, GameId, GameRecord, Outcome};
use crate::registry::Registry;
use crate::standing::Standing;
use crate::statistics::Decision;

pub(crate) struct Hall<'h> {
    contest: &'h Contest,
    registry: Registry<'h>,
    /// Which opening each pair has.
    order: Vec<usize>,
    results: DashMap<GameId, GameRecord>,
    books: Mutex<Books>,
    due: Vec<GameId>,
    next: AtomicUsize,
    /// No more games are needed, and those in progress are of no use.
    is_over: AtomicBool,
    end: Mutex<Option<Result<Conclusion, ContestError>>>,
    observer: Observer<'h>,
    cancel: &'h AtomicBool,
}

/// What one thread at a time writes.
struct Books {
    ledger: Ledger,
    standing: Standing,
}

/// Why a game has no result.
enum Setback {
    CalledOff,
    Error(ContestError),
}

impl From<StartError> for Setback {
    fn from(error: StartError) -> Setback {
        match error {
            StartError::Cancelled => Setback::CalledOff,
            error => Setback::Error(error.into()),
        }
    }
}

impl From<NoGame> for Setback {
    fn from(no_game: NoGame) -> Setback {
        match no_game {
            NoGame::Cancelled => Setback::CalledOff,
            NoGame::Opening(problem) => Setback::Error(ContestError::Opening(problem)),
        }
    }
}

impl<'h> Hall<'h> {
    pub(crate) fn new(
        contest: &'h Contest,
        ledger: Ledger,
        cancel: &'h AtomicBool,
        observer: Observer<'h>,
    ) -> Hall<'h> {
        let known = ledger.state().games.clone();
        let standing = Standing::of(known.iter().map(|(&id, record)| (id, record)));
        let ids = (1..=contest.pairs).flat_map(GameId::of_pair);
        Hall {
            contest,
            registry: Registry::new(
                contest.contenders.each_ref().map(|c| &c.spec),
                contest.deadlines,
            ),
            order: opening::order(contest.openings.len(), contest.seed),
            due: ids.filter(|id| !known.contains_key(id)).collect(),
            results: known.into_iter().collect(),
            books: Mutex::new(Books { ledger, standing }),
            next: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
            end: Mutex::new(None),
            observer,
            cancel,
        }
    }

    /// Plays what is due, until there is an end.
    pub(crate) fn hold(self) -> Result<(Conclusion, Standing), ContestError> {
        self.judge(&lock(&self.books).standing);
        thread::scope(|scope| {
            for worker in 0..self.contest.concurrency.max(1) {
                let hall = &self;
                scope.spawn(move || hall.work(worker));
            }
        });
        let books = self.books.into_inner().unwrap_or_else(PoisonError::into_inner);
        let is_called_off = self.cancel.load(Ordering::Relaxed);
        let end = self.end.into_inner().unwrap_or_else(PoisonError::into_inner);
        let conclusion = match end {
            Some(end) => end?,
            None if is_called_off => Conclusion::CalledOff,
            None => Conclusion::Complete,
        };
        Ok((conclusion, books.standing))
    }

    fn call_off(&self) -> CallOff<'_> {
        CallOff::by_either([&self.is_over, self.cancel])
    }

    fn work(&self, worker: usize) {
        if self.contest.is_pinned {
            pinning::pin(worker);
            layout::fix();
        }
        while !self.call_off().is_set() {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&id) = self.due.get(index) else { return };
            match self.play(worker, id) {
                Ok((game, opening)) => self.take_in(id, &game, opening),
                Err(Setback::CalledOff) => return,
                Err(Setback::Error(error)) => self.end(Err(error)),
            }
        }
    }

    /// The first end counts: what comes after is its consequence.
    fn end(&self, how: Result<Conclusion, ContestError>) {
        lock(&self.end).get_or_insert(how);
        self.is_over.store(true, Ordering::Relaxed);
    }

    fn judge(&self, standing: &Standing) {
        (self.observer)(standing);
        let sprt = self.contest.sprt.as_ref();
        if sprt.is_some_and(|sprt| sprt.decide(&standing.pairs) != Decision::Open) {
            self.end(Ok(Conclusion::Decided));
        }
        let same = standing.is_without_change().then_some(standing.same_pairs);
        if self.contest.same_pairs.zip(same).is_some_and(|(enough, same)| same >= enough) {
            self.end(Ok(Conclusion::NoChange));
        }
    }

    fn play(&self, worker: usize, id: GameId) -> Result<(PlayedGame, &Opening), Setback> {
        let opening = self.opening(id)?;
        let call_off = self.call_off();
        let mut first = self.registry.take(worker, 0, call_off)?;
        let mut second = self.registry.take(worker, 1, call_off)?;
        let (white, black) =
            if id.is_swapped { (&mut second, &mut first) } else { (&mut first, &mut second) };
        let game = match prepare(white, black, call_off)? {
            Some(forfeit) => forfeit,
            None => {
                let mut players = Players { white, black };
                game::play(&mut players, opening, &self.rules(id), call_off)?
            }
        };
        let is_dead = matches!(game.ending, Ending::Crash | Ending::Stall | Ending::Garbage);
        let loser = if game_outcome(id, &game) == Outcome::Loss { 0 } else { 1 };
        for (place, engine) in [first, second].into_iter().enumerate() {
            if !(is_dead && place == loser) {
                self.registry.put_back(worker, place, engine);
            }
        }
        Ok((game, opening))
    }

    /// Both games of a pair have the same.
    fn opening(&self, id: GameId) -> Result<&Opening, Setback> {
        let none = || Setback::Error(ContestError::Opening("there is none".to_owned()));
        let turn = (id.pair as usize).saturating_sub(1) % self.order.len().max(1);
        let index = *self.order.get(turn).ok_or_else(none)?;
        self.contest.openings.get(index).ok_or_else(none)
    }

    fn rules(&self, id: GameId) -> GameRules<'_> {
        let contest = self.contest;
        let [first, second] = contest.contenders.each_ref().map(|contender| contender.limits);
        let (white, black) = if id.is_swapped { (second, first) } else { (first, second) };
        GameRules {
            white,
            black,
            margin: contest.margin,
            patience: contest.deadlines.patience,
            adjudication: contest.adjudication,
            tablebases: contest.tablebases.as_deref(),
            mode: contest.mode,
            is_strict: contest.is_strict,
        }
    }

    /// Has the game in the files and in the sums.
    fn take_in(&self, id: GameId, game: &PlayedGame, opening: &Opening) {
        let record = record(id, game);
        let text = self.pgn(id, game, opening);
        // One writer at a time, so that the files agree with each other.
        let mut books = lock(&self.books);
        if self.is_over.load(Ordering::Relaxed) {
            return;
        }
        if let Err(error) = books.ledger.add(id, record.clone(), &text) {
            // Before anybody else writes: the files may not agree any more.
            return self.end(Err(error.into()));
        }
        let other = self.results.get(&id.other());
        books.standing.add(&record, other.as_deref());
        drop(other);
        self.results.insert(id, record);
        self.judge(&books.standing);
    }

    fn pgn(&self, id: GameId, game: &PlayedGame, opening: &Opening) -> String {
        if self.contest.pgn.is_none() {
            return String::new();
        }
        let mut names = self.contest.contenders.each_ref().map(|c| c.spec.name.as_str());
        let limits = self.contest.contenders.each_ref().map(|c| c.limits.to_string());
        let mut limits = limits.each_ref().map(String::as_str);
        if id.is_swapped {
            names.reverse();
            limits.reverse();
        }
        let [white, black] = names;
        let heading = Heading { event: &self.contest.event, white, black, id, limits };
        pgn::write(&heading, opening, game, self.contest.mode)
    }
}

/// Tells both that a game begins. An engine that fails already has lost it.
fn prepare(
    white: &mut Engine,
    black: &mut Engine,
    call_off: CallOff<'_>,
) -> Result<Option<PlayedGame>, Setback> {
    for (engine, color) in [(white, Color::White), (black, Color::Black)] {
        let (ending, remark) = match engine.new_game(call_off) {
            Ok(()) => continue,
            Err(Trouble::Cancelled) => return Err(Setback::CalledOff),
            Err(Trouble::Crash(last_words)) => (Ending::Crash, last_words),
            Err(_) => (Ending::Stall, String::new()),
        };
        return Ok(Some(PlayedGame::forfeit(color, ending, remark)));
    }
    Ok(None)
}

fn game_outcome(id: GameId, game: &PlayedGame) -> Outcome {
    match game.winner {
        None => Outcome::Draw,
        Some(winner) if winner.is_white() != id.is_swapped => Outcome::Win,
        Some(_) => Outcome::Loss,
    }
}

fn record(id: GameId, game: &PlayedGame) -> GameRecord {
    let mut warnings = game.warnings.clone();
    if id.is_swapped {
        warnings.reverse();
    }
    GameRecord {
        outcome: game_outcome(id, game),
        ending: game.ending,
        plies: u32::try_from(game.moves.len()).unwrap_or(u32::MAX),
        moves: game.hash,
        pgn_bytes: 0,
        warnings,
    }
}

/// A panic elsewhere has left nothing half done that the lock protects.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
