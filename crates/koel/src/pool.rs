//! The threads that search, kept from one search to the next, and what they share.

use std::io;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::sync::{RwLockReadGuard, RwLockWriteGuard};
use std::thread::{Builder, JoinHandle};

use crossbeam::channel::{Receiver, Sender, unbounded};
use koel_board::Game;
use koel_eval::Evaluation;
use koel_search::{Limits, PathRules, SearchResult, Shared, SmpMode, Tablebases, Worker};
use tracing::{debug, info};

use crate::available_memory::{self, HashMemoryError};
use crate::event::Event;
use crate::hash_file::{HashCommand, HashFileError};
use crate::panic::AbortOnPanic;
use crate::report::Reporter;
use crate::timekeeper::{Follower, Rules, Timekeeper};
use crate::vote::elect;

/// Room for the deepest line many times over, in builds without optimisation too.
pub(crate) const STACK_BYTES: usize = 16 << 20;

/// A search of no more nodes is done by the session itself: a few milliseconds in which it does not
/// listen, and two wakings less, which take as long as tens of nodes each.
const SHORT: u64 = 10_000;

/// A search to be done: the same for all workers.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) game: Game,
    pub(crate) limits: Limits,
    pub(crate) rules: Rules,
    pub(crate) reporter: Reporter,
}

impl Task {
    /// Followers go on until the leader stops them.
    fn limits_of_followers(&self) -> Limits {
        Limits { depth: None, ..self.limits.clone() }
    }

    /// Whether it is over before anybody could want it to end.
    fn is_short(&self) -> bool {
        let is_pondering = self.rules.is_pondering.load(Relaxed);
        !is_pondering && self.rules.nodes.is_some_and(|nodes| nodes <= SHORT)
    }

    /// Whether any thread's move may be played: not where one result is asked for in particular.
    fn is_put_to_the_vote(&self) -> bool {
        let Limits { depth, multi_pv, .. } = self.limits;
        depth.is_none() && multi_pv <= 1 && self.rules.mate.is_none()
    }
}

/// One worker a thread. The first leads: it keeps the time and reports; the others search the same
/// position beside it and help through the table (Lazy SMP).
pub(crate) struct Pool {
    /// Workers hold it for reading while they search, so whoever wants to change it waits for them.
    shared: Arc<RwLock<Shared>>,
    threads: Vec<Thread>,
    session: Sender<Event>,
}

struct Thread {
    seat: Arc<Seat>,
    /// `None` only while the pool is dropped.
    orders: Option<Sender<Order>>,
    handle: Option<JoinHandle<()>>,
}

/// A worker's place, which it takes when it is first wanted: on the thread that it works on, so
/// that its memory is near.
struct Seat {
    index: usize,
    worker: OnceLock<Mutex<Worker>>,
}

impl Seat {
    /// The worker, which one thread at a time has.
    fn worker(&self) -> MutexGuard<'_, Worker> {
        let worker = self.worker.get_or_init(|| Mutex::new(Worker::new(self.index)));
        worker.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

enum Order {
    /// Search; tell the session what came out when all others have ended.
    Lead(Arc<Task>, Receiver<SearchResult>),
    /// Search until stopped, then say what came out.
    Follow(Arc<Task>, Sender<SearchResult>),
    /// A new game begins; whoever waits is told by the drop of this.
    Forget(Sender<()>),
}

impl Pool {
    /// A pool of one thread that reports to the session.
    pub(crate) fn new(hash_mebibytes: usize, session: Sender<Event>) -> io::Result<Pool> {
        let mut shared = Shared::new(hash_mebibytes, 1)
            .map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))?;
        log_pages(&mut shared);
        let mut pool = Pool { shared: Arc::new(RwLock::new(shared)), threads: vec![], session };
        pool.set_threads(1)?;
        Ok(pool)
    }

    /// Starts or ends threads until there are so many.
    ///
    /// # Errors
    /// The system refuses to start one more; those that run are kept.
    pub(crate) fn set_threads(&mut self, count: usize) -> io::Result<()> {
        self.threads.truncate(count);
        let mut result = Ok(());
        while self.threads.len() < count && result.is_ok() {
            result = self.start_thread(self.threads.len());
        }
        write(&self.shared).set_workers(self.threads.len());
        result
    }

    fn start_thread(&mut self, index: usize) -> io::Result<()> {
        let (orders, inbox) = unbounded();
        let shared = Arc::clone(&self.shared);
        let session = self.session.clone();
        let seat = Arc::new(Seat { index, worker: OnceLock::new() });
        let own_seat = Arc::clone(&seat);
        let work = move || {
            let _guard = AbortOnPanic;
            for order in inbox {
                let mut worker = seat.worker();
                match order {
                    Order::Lead(task, others) => {
                        lead(&mut worker, &task, others, &shared, &session)
                    }
                    Order::Follow(task, leader) => {
                        let limits = task.limits_of_followers();
                        let shared = read(&shared);
                        let outcome = worker.search(&shared, &task.game, &limits, &mut Follower);
                        // The leader waits for it.
                        let _ = leader.send(outcome);
                    }
                    Order::Forget(_done) => worker.reset(),
                }
            }
        };
        let builder = Builder::new().name(format!("search {index}")).stack_size(STACK_BYTES);
        let handle = builder.spawn(work)?;
        self.threads.push(Thread { seat: own_seat, orders: Some(orders), handle: Some(handle) });
        Ok(())
    }

    /// How many threads there are.
    pub(crate) fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Begins a search; [`Event::Done`] tells the session of its end. The one before must be over.
    pub(crate) fn search(&self, task: Task) {
        read(&self.shared).new_search();
        let (leader, outcomes) = unbounded();
        if let [only] = &*self.threads
            && task.is_short()
        {
            drop(leader);
            return lead(&mut only.seat.worker(), &task, outcomes, &self.shared, &self.session);
        }
        let task = Arc::new(task);
        for follower in self.threads.iter().skip(1) {
            follower.send(Order::Follow(Arc::clone(&task), leader.clone()));
        }
        self.threads[0].send(Order::Lead(task, outcomes));
    }

    /// Tells all workers to stop.
    pub(crate) fn stop(&self) {
        read(&self.shared).stop();
    }

    /// How the threads keep out of each other's way.
    pub(crate) fn set_smp_mode(&self, mode: SmpMode) {
        write(&self.shared).set_smp_mode(mode, false);
    }

    /// Replaces the table by an empty one of so many MiB.
    pub(crate) fn set_hash(&self, mebibytes: usize) -> Result<(), HashMemoryError> {
        let mut shared = write(&self.shared);
        let bytes = (mebibytes as u64).saturating_mul(1 << 20);
        available_memory::check(bytes, shared.table_mut().bytes() as u64)?;
        shared.resize(mebibytes)?;
        log_pages(&mut shared);
        Ok(())
    }

    /// Evaluates otherwise from now on, and forgets what was found before.
    pub(crate) fn set_evaluation(&self, evaluation: Evaluation) {
        write(&self.shared).set_evaluation(evaluation);
        self.forget();
    }

    /// Deals otherwise with draws that depend on the path, and forgets what was found before.
    pub(crate) fn change_path_rules(&self, change: impl FnOnce(&mut PathRules)) {
        let mut shared = write(&self.shared);
        let mut rules = shared.path_rules();
        change(&mut rules);
        shared.set_path_rules(rules);
        shared.clear(self.threads.len());
    }

    /// What it evaluates with.
    pub(crate) fn evaluation(&self) -> Evaluation {
        read(&self.shared).evaluation().clone()
    }

    /// Saves or loads the table; what to tell the user.
    pub(crate) fn hash_file(&self, command: &HashCommand) -> Result<String, HashFileError> {
        command.obey(&mut write(&self.shared))
    }

    /// Sets the endgame tables; what was concluded from the old ones is forgotten.
    pub(crate) fn set_tablebases(&self, tables: Option<Tablebases>) {
        write(&self.shared).set_tablebases(tables);
        self.clear_hash();
    }

    /// Empties the table.
    pub(crate) fn clear_hash(&self) {
        write(&self.shared).clear(self.threads.len());
    }

    /// Forgets everything, as for a new game.
    pub(crate) fn forget(&self) {
        self.clear_hash();
        if let [only] = &*self.threads {
            return only.seat.worker().reset();
        }
        let (done, all_done) = unbounded();
        for thread in &self.threads {
            thread.send(Order::Forget(done.clone()));
        }
        drop(done);
        // A short search by the session must not overtake one of them.
        all_done.into_iter().for_each(drop);
    }
}

/// Threads end only when they search no more, and are waited for: a session that fails in the middle
/// of a search, for want of a reader, must not wait for its end.
impl Drop for Pool {
    fn drop(&mut self) {
        self.stop();
    }
}

fn lead(
    worker: &mut Worker,
    task: &Task,
    others: Receiver<SearchResult>,
    shared: &RwLock<Shared>,
    session: &Sender<Event>,
) {
    let shared = read(shared);
    let (rules, reporter) = (task.rules.clone(), task.reporter.clone());
    let mut timekeeper = Timekeeper::new(rules, reporter, &shared, session);
    let outcome = worker.search(&shared, &task.game, &task.limits, &mut timekeeper);
    shared.stop();
    // It ends when the last of them has spoken.
    let others = others.into_iter().collect();
    let outcome = if task.is_put_to_the_vote() { elect(outcome, others) } else { outcome };
    let cycles = worker.cycle_counts();
    debug!(?cycles, early_exits = cycles.filter.early_exit_share(), "the leader since its reset");
    // A session that has ended needs no result.
    let _ = session.send(timekeeper.conclude(&outcome));
}

/// Huge pages are worth some speed, and systems refuse them silently.
fn log_pages(shared: &mut Shared) {
    let table = shared.table_mut();
    info!(mebibytes = table.bytes() >> 20, pages = ?table.pages(), "hash table");
}

impl Thread {
    fn send(&self, order: Order) {
        // A thread ends only with its sender, or with the whole process.
        let _ = self.orders.as_ref().map(|orders| orders.send(order));
    }
}

/// Ends the thread, which must not be searching for long any more.
impl Drop for Thread {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(handle) = self.handle.take() {
            let _ = handle.join();
        }
    }
}

fn read(shared: &RwLock<Shared>) -> RwLockReadGuard<'_, Shared> {
    shared.read().unwrap_or_else(PoisonError::into_inner)
}

fn write(shared: &RwLock<Shared>) -> RwLockWriteGuard<'_, Shared> {
    shared.write().unwrap_or_else(PoisonError::into_inner)
}
