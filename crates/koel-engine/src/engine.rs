//! The engine: threads, clock and strength behind calls.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockWriteGuard};
use std::thread;
use std::time::Instant;

use koel_board::Move;
use koel_eval::{Evaluation, WdlModel, material};
use koel_search::{Depth, Limits, PathMark, PathRules, Shared, Tablebases};
use koel_tt::TranspositionTable;

use crate::available_memory::{HashMemoryError, check as check_memory};
use crate::control::Control;
use crate::event::Event;
use crate::lines::LineSettings;
use crate::pool::{self, Pool};
use crate::request::Request;
use crate::strength::{CANDIDATE_LINES, Strength};
use crate::task::SearchTask;
use crate::time::clock::TimeBudget;
use crate::time::lag::LagMeter;
use crate::time::manager::{TimeLimits, Timer};

/// The size of the transposition table of a new engine, in MiB.
const DEFAULT_HASH: usize = 16;

/// An engine with threads of its own, which searches one position at a time.
///
/// Every [`go`](Self::go) ends with one [`Event::Finished`]. A `go` during a search first stops
/// that one and waits for its end, and so does every change of the engine. Dropping the engine
/// stops a search, too.
///
/// ```
/// use std::sync::mpsc::channel;
/// use std::time::Duration;
///
/// use koel_engine::{Engine, Event, Request, koel_board::Game};
///
/// let (sender, events) = channel();
/// let mut engine = Engine::new(move |event| drop(sender.send(event)))?;
/// engine.go(Request::new(Game::default()).time(Duration::from_millis(20)));
/// engine.wait();
/// for event in events.try_iter() {
///     match event {
///         Event::Iteration(line) => println!("{:?} {}", line.depth, line.centipawns),
///         Event::Finished(outcome) => assert!(outcome.best_move.is_some()),
///         _ => {}
///     }
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Engine {
    // Before `control`: its threads end first.
    pool: Pool,
    control: Arc<Control>,
    tablebases: Option<Tablebases>,
    /// The number of games so far.
    games_started: u64,
    lag_meter: Arc<Mutex<LagMeter>>,
}

impl Engine {
    /// Creates an engine with one thread, a transposition table of 16 MiB and the built-in network.
    /// `on_event` receives the events of every search, on the thread that searches; it must not
    /// call the engine.
    ///
    /// # Errors
    /// The system refuses memory or a thread.
    pub fn new(on_event: impl Fn(Event) + Send + Sync + 'static) -> io::Result<Engine> {
        Ok(Engine {
            pool: Pool::new(DEFAULT_HASH, Arc::new(on_event))?,
            control: Arc::default(),
            tablebases: None,
            games_started: 0,
            lag_meter: Arc::default(),
        })
    }

    /// Ends a search, and gives what its threads share to be changed.
    fn change(&mut self) -> RwLockWriteGuard<'_, Shared> {
        self.end_search();
        pool::write(self.pool.shared())
    }

    /// Replaces the transposition table by an empty one of this many MiB.
    ///
    /// # Errors
    /// There is no memory for it; the old table is kept.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), HashMemoryError> {
        let mut shared = self.change();
        let bytes = (mebibytes as u64).saturating_mul(1 << 20);
        check_memory(bytes, shared.table_mut().bytes() as u64)?;
        Ok(shared.resize(mebibytes)?)
    }

    /// Clears the transposition table.
    pub fn clear_hash(&mut self) {
        self.end_search();
        self.pool.clear_hash();
    }

    /// A handle of the transposition table, to save it.
    #[must_use]
    pub fn hash_table(&self) -> HashTable {
        HashTable { shared: Arc::clone(self.pool.shared()), control: Arc::clone(&self.control) }
    }

    /// Replaces the transposition table, for instance by a saved one.
    pub fn set_hash_table(&mut self, table: TranspositionTable<Move, PathMark>) {
        *self.change().table_mut() = table;
    }

    /// Starts or ends threads until there are `count`, at least one.
    ///
    /// # Errors
    /// The system refuses to start another thread; the running ones are kept.
    pub fn set_threads(&mut self, count: usize) -> io::Result<()> {
        self.end_search();
        self.pool.set_threads(count.max(1))
    }

    /// The number of threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// Sets the evaluation, and forgets what was found with the old one.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.change().set_evaluation(evaluation);
        self.pool.reset();
    }

    /// The evaluation.
    #[must_use]
    pub fn evaluation(&self) -> Evaluation {
        pool::read(self.pool.shared()).evaluation().clone()
    }

    /// Sets the endgame tables, `None` for none, and forgets what was found with the old ones.
    /// Without any before and after nothing happens.
    pub fn set_tablebases(&mut self, tablebases: Option<Tablebases>) {
        if self.tablebases.is_none() && tablebases.is_none() {
            return;
        }
        self.change().set_tablebases(tablebases.clone());
        self.pool.clear_hash();
        self.tablebases = tablebases;
    }

    /// Sets the rules for path-dependent draws, and clears the transposition table.
    pub fn set_path_rules(&mut self, rules: PathRules) {
        self.change().set_path_rules(rules);
        self.pool.clear_hash();
    }

    /// Begins a new game: nothing that was found before has an effect.
    pub fn new_game(&mut self) {
        self.end_search();
        self.games_started += 1;
        self.lag_meter.lock().unwrap_or_else(PoisonError::into_inner).new_game();
        self.pool.reset();
    }

    /// Starts a search. A search of a few thousand nodes with one thread runs on the caller's
    /// thread and is over when this returns.
    pub fn go(&mut self, request: Request) {
        self.end_search();
        self.control.begin(request.infinite, request.ponder);
        let task = self.task(request);
        self.pool.search(task);
    }

    fn task(&self, request: Request) -> SearchTask {
        let start = Instant::now();
        let root = request.game.position().clone();
        let timer = Timer { nodes_per_millisecond: request.nodes_per_millisecond };
        let has_clock = !request.infinite && !timer.counts_nodes();
        let clock = request.clock.filter(|_| has_clock);
        let mut lag_meter = self.lag_meter.lock().unwrap_or_else(PoisonError::into_inner);
        let budget = TimeBudget::new(&request, request.move_overhead + lag_meter.lag(clock));
        // While pondering, the clock does not run yet.
        lag_meter.start(clock.filter(|_| !request.ponder), budget.hard, start);
        drop(lag_meter);
        let hard_nodes =
            budget.hard.filter(|_| !request.ponder).and_then(|hard| timer.nodes_in(hard));
        let strength = request.elo.map(|elo| Strength { elo, game: self.games_started });
        let strength_nodes = strength.map(|strength| strength.node_limit(&root));
        let contempt = WdlModel::KOEL.denormalise(request.contempt, material(&root));
        let contempt = contempt.clamp(-Limits::MAX_CONTEMPT, Limits::MAX_CONTEMPT);
        let ranking =
            self.tablebases.as_ref().and_then(|tables| tables.rank_root_moves(&request.game));
        let root_hits = ranking.as_ref().map_or(0, |ranking| ranking.moves.len() as u64);
        SearchTask {
            limits: Limits {
                depth: request.depth.map(|depth| depth.clamp(Depth(1), Depth::MAX)),
                root_moves: request.root_moves,
                multi_pv: request.multi_pv.max(strength.map_or(0, |_| CANDIDATE_LINES)),
                ranking,
                contempt,
            },
            nodes: [request.nodes, strength_nodes, hard_nodes].into_iter().flatten().min(),
            mate: request.mate,
            time: TimeLimits {
                budget,
                timer,
                control: Arc::clone(&self.control),
                has_single_move: root.count_legal_moves() == 1,
            },
            strength,
            reported_lines: request.multi_pv.max(1),
            lines: LineSettings { root, contempt, root_hits, start },
            game: request.game,
            lag_meter: Arc::clone(&self.lag_meter),
        }
    }

    /// Stops the search, which finishes at once. Without one nothing happens.
    pub fn stop(&self) {
        self.control.stop();
        self.pool.stop();
    }

    /// Tells that the opponent has played the expected move: the own clock runs from now on.
    pub fn ponder_hit(&self) {
        self.control.ponder_hit();
    }

    /// Waits for the end of the search. One that is infinite or ponders must be stopped.
    pub fn wait(&self) {
        self.control.wait_for_end();
    }

    /// Returns true from `go` until the search is finished and its outcome about to be told.
    #[must_use]
    pub fn is_searching(&self) -> bool {
        self.control.is_searching()
    }

    /// Returns true if the search is not finished before `stop` or `ponder_hit`.
    #[must_use]
    pub fn needs_stop(&self) -> bool {
        self.control.is_held()
    }

    fn end_search(&self) {
        if self.is_searching() {
            self.stop();
            self.wait();
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.end_search();
    }
}

/// A handle of an engine's transposition table.
#[derive(Clone)]
pub struct HashTable {
    shared: Arc<RwLock<Shared>>,
    control: Arc<Control>,
}

impl HashTable {
    /// Writes the table, with a stamp of what its keys and scores mean. Waits for the end of a
    /// search. Returns the size of the table in bytes.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn save(&self, stamp: u64, to: &mut impl Write) -> io::Result<usize> {
        let mut shared = loop {
            self.control.wait_for_end();
            // A writer that waits for the lock would keep out the threads of a search that has just
            // begun, and `stop` with them.
            match pool::try_write(&self.shared) {
                Some(shared) => break shared,
                None => thread::yield_now(),
            }
        };
        shared.table_mut().save(stamp, to)?;
        Ok(shared.table_mut().bytes())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use koel_board::Game;

    use super::*;
    use crate::request::Clock;

    #[test]
    fn a_pondered_move_leaves_time_for_the_learned_lag() {
        let engine = Engine::new(|_| ()).unwrap();
        let start = Instant::now();
        let (lag, left) = (Duration::from_millis(250), Duration::from_millis(280));
        let clock = Some(Clock { left, ..Clock::default() });
        let mut meter = engine.lag_meter.lock().unwrap();
        meter.start(clock, Some(Duration::ZERO), start);
        meter.finish(start + lag);
        drop(meter);
        for ponder in [true, false] {
            let request = Request { clock, ponder, ..Request::new(Game::default()) };
            let hard = engine.task(request).time.budget.hard.unwrap();
            assert!(hard + lag <= left, "{hard:?}, ponder: {ponder}");
        }
    }
}
