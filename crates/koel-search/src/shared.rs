//! The state that all workers share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use koel_board::Move;
use koel_eval::Evaluation;
use koel_tt::{OutOfMemory, TranspositionTable};

use crate::limits::Limits;
use crate::node_budget::NodeBudget;
use crate::path::{PathMark, PathRules};
use crate::tablebase::Tablebases;
use crate::tt::Tt;

/// The state that all workers share: transposition table, evaluation, stop flag,
/// endgame tables, the node limit, and a node counter for each worker.
#[derive(Debug)]
pub struct Shared {
    pub(crate) tt: Tt,
    evaluation: Evaluation,
    stop: AtomicBool,
    counters: Vec<NodeCounter>,
    node_budget: NodeBudget,
    tablebases: Option<Tablebases>,
    /// Tablebase hits of this search, by all workers.
    tablebase_hits: NodeCounter,
    path_rules: PathRules,
}

/// A counter written by one worker, alone on its cache lines (two, as processors fetch pairs).
#[derive(Debug, Default)]
#[repr(align(128))]
struct NodeCounter(AtomicU64);

impl Shared {
    /// Creates the state for a number of workers, with a transposition table of this size in
    /// MiB.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the table cannot be allocated.
    pub fn new(hash_mebibytes: usize, workers: usize) -> Result<Shared, OutOfMemory> {
        let mut shared = Shared {
            tt: TranspositionTable::new(hash_mebibytes)?,
            stop: AtomicBool::new(false),
            counters: Vec::new(),
            node_budget: NodeBudget::default(),
            tablebases: None,
            tablebase_hits: NodeCounter::default(),
            evaluation: Evaluation::default(),
            path_rules: PathRules::default(),
        };
        shared.set_workers(workers);
        Ok(shared)
    }

    /// The transposition table, between searches.
    #[must_use]
    pub fn table_mut(&mut self) -> &mut TranspositionTable<Move, PathMark> {
        &mut self.tt
    }

    /// Sets the evaluation. The transposition table and the workers hold results of the last
    /// one: [`clear`](Self::clear) the table and [`reset`](crate::Worker::reset) the workers.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.evaluation = evaluation;
    }

    /// The evaluation.
    #[must_use]
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Replaces the transposition table by an empty one of this size in MiB.
    ///
    /// # Errors
    /// [`OutOfMemory`]; the old table is kept.
    pub fn resize(&mut self, hash_mebibytes: usize) -> Result<(), OutOfMemory> {
        self.tt.resize(hash_mebibytes)
    }

    /// Sets the number of workers, and their node counters to zero.
    pub fn set_workers(&mut self, workers: usize) {
        self.counters.clear();
        self.counters.resize_with(workers, NodeCounter::default);
    }

    /// The number of workers.
    pub(crate) fn workers(&self) -> usize {
        self.counters.len()
    }

    /// Clears the transposition table, using this number of threads.
    pub fn clear(&mut self, threads: usize) {
        self.tt.clear(threads);
    }

    /// The rules for path-dependent draws.
    #[must_use]
    pub fn path_rules(&self) -> PathRules {
        self.path_rules
    }

    /// Sets the rules for path-dependent draws. The entries of the table are marked by the old
    /// rules: [`clear`](Self::clear) it.
    pub fn set_path_rules(&mut self, rules: PathRules) {
        self.path_rules = rules;
    }

    /// Prepares the next search, before its workers begin: the entries of the table age, counters
    /// and stop flag are reset, and a node limit is lifted.
    pub fn new_search(&self) {
        self.tt.new_search();
        for counter in &self.counters {
            counter.0.store(0, Relaxed);
        }
        self.tablebase_hits.0.store(0, Relaxed);
        self.node_budget.lift();
        self.stop.store(false, Relaxed);
    }

    /// Limits the nodes of the next search, those of all its workers together: they never visit
    /// more. With several workers a few may be left, as each stops within a check interval.
    pub fn limit_nodes(&self, nodes: u64) {
        self.node_budget.limit(nodes, self.counters.len());
    }

    /// Draws nodes for a worker from the limit of the search, at most `max`; 0 if none is left.
    pub(crate) fn draw_nodes(&self, worker: usize, max: u64) -> u64 {
        self.node_budget.draw(worker, self.counters.len(), max)
    }

    /// Stops all workers; they return within about a thousand nodes.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Returns true if the workers are to stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// The nodes of all workers in this search. Each counter lags by about a thousand until its
    /// search ends.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.counters.iter().map(|counter| counter.0.load(Relaxed)).sum()
    }

    /// Sets the endgame tables to probe; `None` for none.
    pub fn set_tablebases(&mut self, tablebases: Option<Tablebases>) {
        self.tablebases = tablebases;
    }

    /// The endgame tables, if any.
    #[must_use]
    pub fn tablebases(&self) -> Option<&Tablebases> {
        self.tablebases.as_ref()
    }

    /// The tablebase hits of this search, without those of the root ranking.
    #[must_use]
    pub fn tablebase_hits(&self) -> u64 {
        self.tablebase_hits.0.load(Relaxed)
    }

    /// The endgame tables that a search with these limits probes at inner nodes.
    pub(crate) fn tablebases_for(&self, limits: &Limits) -> Option<&Tablebases> {
        let needs_no_probing =
            limits.ranking.as_ref().is_some_and(|ranking| ranking.needs_no_probing());
        self.tablebases.as_ref().filter(|_| !needs_no_probing)
    }

    /// Counts a tablebase hit.
    pub(crate) fn count_tablebase_hit(&self) {
        self.tablebase_hits.0.fetch_add(1, Relaxed);
    }

    /// The share of the transposition table that this search has filled, in permille.
    #[must_use]
    pub fn hashfull(&self) -> usize {
        self.tt.hashfull()
    }

    /// Publishes the node count of a worker. A worker without a counter is not counted.
    pub(crate) fn publish_nodes(&self, worker: usize, nodes: u64) {
        if let Some(counter) = self.counters.get(worker) {
            counter.0.store(nodes, Relaxed);
        }
    }
}
