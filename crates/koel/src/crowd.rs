//! Searches by several threads apart from the session, for measuring.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use koel_board::Game;
use koel_search::{Limits, OutOfMemory, Progress, Shared, SmpCounts, SmpMode, Supervisor, Worker};
use thiserror::Error;

use crate::pool::STACK_BYTES;

/// Why a measurement does not begin, or does not go on.
#[derive(Debug, Error)]
pub(crate) enum CrowdError {
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    #[error("the system gives no more threads: {0}")]
    Threads(#[from] io::Error),
    #[error("it was stopped")]
    Stopped,
}

/// What a search to a depth took.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Effort {
    pub(crate) elapsed: Duration,
    /// Of all threads.
    pub(crate) nodes: u64,
}

/// Some workers and what they share.
pub(crate) struct Crowd {
    shared: Shared,
    workers: Vec<Worker>,
}

impl Crowd {
    pub(crate) fn new(threads: usize, hash_mebibytes: usize) -> Result<Crowd, CrowdError> {
        let shared = Shared::new(hash_mebibytes, threads)?;
        Ok(Crowd { shared, workers: (0..threads).map(Worker::new).collect() })
    }

    /// How the threads keep out of each other's way, and whether they count how often they do not.
    pub(crate) fn set_mode(&mut self, mode: SmpMode, counts_duplicates: bool) {
        self.shared.set_smp_mode(mode, counts_duplicates);
    }

    /// What the threads saw of each other in the last search.
    pub(crate) fn counts(&self) -> SmpCounts {
        self.workers.iter().fold(SmpCounts::default(), |sum, worker| sum + worker.smp_counts())
    }

    /// Searches as if it were the first time, until the first thread has completed the depth.
    pub(crate) fn search(
        &mut self,
        game: &Game,
        depth: i32,
        stop: &AtomicBool,
    ) -> Result<Effort, CrowdError> {
        self.workers.iter_mut().for_each(Worker::reset);
        self.shared.clear(self.workers.len());
        self.shared.new_search();
        let start = Instant::now();
        self.search_together(game, &Limits::to_depth(depth), stop)?;
        let effort = Effort { elapsed: start.elapsed(), nodes: self.shared.nodes() };
        if stop.load(Relaxed) { Err(CrowdError::Stopped) } else { Ok(effort) }
    }

    fn search_together(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> io::Result<()> {
        let shared = &self.shared;
        let Some((leader, others)) = self.workers.split_first_mut() else { return Ok(()) };
        thread::scope(|scope| {
            let mut started = Ok(());
            for worker in others {
                let follow = || drop(worker.search(shared, game, &Limits::default(), &mut Beside));
                let builder = Builder::new().stack_size(STACK_BYTES);
                started = builder.spawn_scoped(scope, follow).map(drop);
                if started.is_err() {
                    break;
                }
            }
            if started.is_ok() {
                leader.search(shared, game, limits, &mut First { stop });
            }
            shared.stop();
            started
        })
    }
}

/// Watches the first worker.
struct First<'a> {
    stop: &'a AtomicBool,
}

impl Supervisor for First<'_> {
    fn must_stop(&mut self, _: &Progress) -> bool {
        self.stop.load(Relaxed)
    }
}

/// Watches the others, which go on until the first is done.
struct Beside;

impl Supervisor for Beside {}
