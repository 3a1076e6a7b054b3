//! The search threads, which live from one search to the next, and their shared state.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::sync::{RwLockReadGuard, RwLockWriteGuard, TryLockError};
use std::thread::{Builder, JoinHandle, available_parallelism};
use std::time::Instant;

use crossbeam::channel::{Receiver, Sender, bounded, unbounded};
use koel_search::{Limits, STACK_BYTES, SearchResult, Shared, Worker};

use crate::abort_on_panic::AbortOnPanic;
use crate::best_thread::select_best_thread;
use crate::event::Event;
use crate::supervisor::MainSupervisor;
use crate::task::{OnEvent, SearchTask};

/// The search threads, with one worker each. The first is the main thread: it manages the time and
/// reports. The others are helpers: they search the same position and share results through the
/// transposition table (Lazy SMP).
pub(crate) struct Pool {
    /// Workers hold the read lock while they search, so that changes wait for them.
    shared: Arc<RwLock<Shared>>,
    threads: Vec<Thread>,
    semaphore: Semaphore,
    on_event: Arc<OnEvent>,
}

struct Thread {
    worker: Arc<LazyWorker>,
    commands: Sender<Command>,
    handle: JoinHandle<()>,
}

/// A search that a thread is to run.
type Command = Box<dyn FnOnce() + Send>;

/// A worker that is created and reset at its next search, on the thread that uses it: its memory is
/// local to that thread (NUMA first touch), and no command waits for it.
struct LazyWorker {
    index: usize,
    worker: OnceLock<Mutex<Worker>>,
    needs_reset: AtomicBool,
}

impl LazyWorker {
    /// Locks the worker for a search.
    fn lock(&self) -> MutexGuard<'_, Worker> {
        let needs_reset = self.needs_reset.swap(false, Relaxed) && self.worker.get().is_some();
        let worker = self.worker.get_or_init(|| Mutex::new(Worker::new(self.index)));
        let mut worker = worker.lock().unwrap_or_else(PoisonError::into_inner);
        if needs_reset {
            worker.reset();
        }
        worker
    }
}

/// A semaphore: as many threads as there are cores create or reset their workers at a time. More
/// would only keep the main thread from running.
#[derive(Clone)]
struct Semaphore {
    taken: Sender<()>,
    given_back: Receiver<()>,
}

impl Semaphore {
    fn new() -> Semaphore {
        let (taken, given_back) = bounded(available_parallelism().map_or(1, usize::from));
        Semaphore { taken, given_back }
    }

    /// Runs a task as one of those at a time.
    fn run<T>(&self, task: impl FnOnce() -> T) -> T {
        // Neither end is ever closed: this thread holds both.
        let _ = self.taken.send(());
        let result = task();
        let _ = self.given_back.recv();
        result
    }
}

impl Pool {
    pub(crate) fn new(hash_mebibytes: usize, on_event: Arc<OnEvent>) -> io::Result<Pool> {
        let shared = Shared::new(hash_mebibytes, 1)
            .map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))?;
        let shared = Arc::new(RwLock::new(shared));
        let mut pool = Pool { shared, threads: vec![], semaphore: Semaphore::new(), on_event };
        pool.set_threads(1)?;
        Ok(pool)
    }

    /// Starts or ends threads until there are `count`.
    ///
    /// # Errors
    /// The system refuses to start another thread; the running ones are kept.
    pub(crate) fn set_threads(&mut self, count: usize) -> io::Result<()> {
        self.threads.drain(count.min(self.threads.len())..).for_each(Thread::end);
        let mut result = Ok(());
        while self.threads.len() < count && result.is_ok() {
            result = self.start_thread(self.threads.len());
        }
        write(&self.shared).set_workers(self.threads.len());
        result
    }

    fn start_thread(&mut self, index: usize) -> io::Result<()> {
        let (commands, inbox) = unbounded::<Command>();
        let work = move || {
            let _guard = AbortOnPanic;
            inbox.into_iter().for_each(|command| command());
        };
        let builder = Builder::new().name(format!("search {index}")).stack_size(STACK_BYTES);
        let handle = builder.spawn(work)?;
        let needs_reset = AtomicBool::new(false);
        let worker = Arc::new(LazyWorker { index, worker: OnceLock::new(), needs_reset });
        self.threads.push(Thread { worker, commands, handle });
        Ok(())
    }

    pub(crate) fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Starts a search, whose end [`Event::Finished`] tells. The previous search must be over.
    pub(crate) fn search(&self, task: SearchTask) {
        let shared = read(&self.shared);
        shared.new_search();
        if let Some(nodes) = task.nodes {
            // At least one: a search that visits no node has no result.
            shared.limit_nodes(nodes.max(1));
        }
        drop(shared);
        let (task, (main, results)) = (Arc::new(task), unbounded());
        let [first, helpers @ ..] = &*self.threads else { return };
        for helper in helpers {
            let (worker, task, main) =
                (Arc::clone(&helper.worker), Arc::clone(&task), main.clone());
            let (shared, semaphore) = (Arc::clone(&self.shared), self.semaphore.clone());
            helper.send(move || run_helper_search(&worker, &task, &main, &shared, &semaphore));
        }
        drop(main);
        let runs_inline = helpers.is_empty() && task.runs_inline();
        let (worker, shared) = (Arc::clone(&first.worker), Arc::clone(&self.shared));
        let on_event = Arc::clone(&self.on_event);
        let search =
            move || run_main_search(&mut worker.lock(), &task, results, &shared, &*on_event);
        if runs_inline { search() } else { first.send(search) }
    }

    pub(crate) fn stop(&self) {
        read(&self.shared).stop();
    }

    pub(crate) fn shared(&self) -> &Arc<RwLock<Shared>> {
        &self.shared
    }

    pub(crate) fn clear_hash(&self) {
        write(&self.shared).clear(self.threads.len());
    }

    /// Clears the table, and has every worker reset at its next search, as for a new game.
    pub(crate) fn reset(&self) {
        self.clear_hash();
        for thread in &self.threads {
            thread.worker.needs_reset.store(true, Relaxed);
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.stop();
        self.threads.drain(..).for_each(Thread::end);
    }
}

/// Searches as a helper until stopped, then sends the result.
fn run_helper_search(
    worker: &LazyWorker,
    task: &SearchTask,
    main: &Sender<SearchResult>,
    shared: &RwLock<Shared>,
    semaphore: &Semaphore,
) {
    let shared = read(shared);
    // With many more threads than cores the search may be over by now.
    let worker = semaphore.run(|| (!shared.is_stopped()).then(|| worker.lock()));
    let Some(mut worker) = worker else { return };
    // Helpers search until the main thread stops them.
    let limits = Limits { depth: None, ..task.limits.clone() };
    let result = worker.search(&shared, &task.game, &limits, &mut ());
    // The main thread waits for it.
    let _ = main.send(result);
}

/// Searches as the main thread, stops and awaits the helpers, waits until the search may be
/// finished, and tells the outcome.
fn run_main_search(
    worker: &mut Worker,
    task: &SearchTask,
    helpers: Receiver<SearchResult>,
    shared: &RwLock<Shared>,
    on_event: &OnEvent,
) {
    let shared = read(shared);
    let mut supervisor = MainSupervisor::new(task, &shared, on_event);
    let result = worker.search(&shared, &task.game, &task.limits, &mut supervisor);
    shared.stop();
    // The channel closes when the last helper has sent its result.
    let helpers = helpers.into_iter().collect();
    let result =
        if task.selects_best_thread() { select_best_thread(result, helpers) } else { result };
    let outcome = supervisor.finish(&result);
    drop(shared);
    let control = &task.time.control;
    if control.is_held() {
        on_event(Event::Waiting);
    }
    control.finish();
    task.lag_meter.lock().unwrap_or_else(PoisonError::into_inner).finish(Instant::now());
    on_event(Event::Finished(outcome));
    control.told();
}

impl Thread {
    fn send(&self, command: impl FnOnce() + Send + 'static) {
        // A thread ends only with its sender, or with the whole process.
        let _ = self.commands.send(Box::new(command));
    }

    /// Ends the thread and waits for it; its search must have been stopped.
    fn end(self) {
        drop(self.commands);
        let _ = self.handle.join();
    }
}

pub(crate) fn read(shared: &RwLock<Shared>) -> RwLockReadGuard<'_, Shared> {
    shared.read().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn write(shared: &RwLock<Shared>) -> RwLockWriteGuard<'_, Shared> {
    shared.write().unwrap_or_else(PoisonError::into_inner)
}

/// Returns `None` while a search goes on.
pub(crate) fn try_write(shared: &RwLock<Shared>) -> Option<RwLockWriteGuard<'_, Shared>> {
    match shared.try_write() {
        Ok(shared) => Some(shared),
        Err(TryLockError::Poisoned(error)) => Some(error.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}
