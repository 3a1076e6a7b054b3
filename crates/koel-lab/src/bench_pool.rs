//! Search threads outside a UCI session, for measurements to a fixed depth.

use std::io;
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use koel_board::Game;
use koel_search::{Limits, STACK_BYTES, Shared, Worker};

/// The cost of a search to a depth.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SearchCost {
    pub(crate) elapsed: Duration,
    /// Nodes of all threads.
    pub(crate) nodes: u64,
}

/// Workers that search the same position together.
pub(crate) struct BenchPool {
    shared: Shared,
    workers: Vec<Worker>,
}

impl BenchPool {
    pub(crate) fn new(threads: usize, hash_mebibytes: usize) -> Result<BenchPool> {
        let shared = Shared::new(hash_mebibytes, threads)?;
        Ok(BenchPool { shared, workers: (0..threads).map(Worker::new).collect() })
    }

    /// Searches with an empty transposition table and empty histories until the first thread has
    /// completed the depth.
    pub(crate) fn search(&mut self, game: &Game, depth: i32) -> Result<SearchCost> {
        self.workers.iter_mut().for_each(Worker::reset);
        self.shared.clear(self.workers.len());
        self.shared.new_search();
        let start = Instant::now();
        self.search_together(game, &Limits::to_depth(depth)).context("no more threads")?;
        Ok(SearchCost { elapsed: start.elapsed(), nodes: self.shared.nodes() })
    }

    fn search_together(&mut self, game: &Game, limits: &Limits) -> io::Result<()> {
        let shared = &self.shared;
        let Some((main, helpers)) = self.workers.split_first_mut() else { return Ok(()) };
        thread::scope(|scope| {
            let mut spawned = Ok(());
            for helper in helpers {
                let search = || drop(helper.search(shared, game, &Limits::default(), &mut ()));
                let builder = Builder::new().stack_size(STACK_BYTES);
                spawned = builder.spawn_scoped(scope, search).map(drop);
                if spawned.is_err() {
                    break;
                }
            }
            if spawned.is_ok() {
                main.search(shared, game, limits, &mut ());
            }
            shared.stop();
            spawned
        })
    }
}
