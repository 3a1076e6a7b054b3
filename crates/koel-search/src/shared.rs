//! What lives as long as the engine and is shared by all its workers.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use koel_board::Move;
use koel_eval::Evaluation;
use koel_tt::{BusyTable, OutOfMemory, TranspositionTable};

use crate::limits::Limits;
use crate::params::{abdada, breadcrumbs};
use crate::path::{PathDependence, PathRules};
use crate::score::Depth;
use crate::smp::SmpMode;
use crate::tablebase::Tablebases;
use crate::tt::Tt;

/// The table, the choice of evaluation, the marks of what is being searched, the stop flag, and a
/// node counter for each worker.
#[derive(Debug)]
pub struct Shared {
    pub(crate) tt: Tt,
    evaluation: Evaluation,
    /// Absent with one worker.
    pub(crate) busy: BusyTable,
    smp_mode: SmpMode,
    counts_duplicates: bool,
    stop: AtomicBool,
    counters: Vec<NodeCounter>,
    tablebases: Option<Tablebases>,
    /// How often the endgame tables knew a position in this search, by all workers.
    tablebase_hits: NodeCounter,
    path_rules: PathRules,
}

/// Beyond all depths, extensions included.
const NEVER: Depth = Depth(i32::MAX);

/// A counter that one worker writes, alone on its cache lines (two, as processors fetch pairs).
#[derive(Debug, Default)]
#[repr(align(128))]
struct NodeCounter(AtomicU64);

impl Shared {
    /// A table of so many MiB, for so many workers.
    ///
    /// # Errors
    /// [`OutOfMemory`] if there is none for the table.
    pub fn new(hash_mebibytes: usize, workers: usize) -> Result<Shared, OutOfMemory> {
        let table = TranspositionTable::new(hash_mebibytes)?;
        Ok(Shared::with_tt(Tt::Lossy(table), workers))
    }

    /// A table that never forgets and confuses no positions, for so many workers: what the other
    /// is held against.
    #[cfg(feature = "exact")]
    #[must_use]
    pub fn exact(workers: usize) -> Shared {
        Shared::with_tt(Tt::Exact(koel_tt::ExactTable::new()), workers)
    }

    fn with_tt(tt: Tt, workers: usize) -> Shared {
        let mut shared = Shared {
            tt,
            busy: BusyTable::new(0),
            smp_mode: SmpMode::default(),
            counts_duplicates: false,
            stop: AtomicBool::new(false),
            counters: Vec::new(),
            tablebases: None,
            tablebase_hits: NodeCounter::default(),
            evaluation: Evaluation::default(),
            path_rules: PathRules::default(),
        };
        shared.set_workers(workers);
        shared
    }

    /// The table itself, between searches.
    #[must_use]
    pub fn table_mut(&mut self) -> &mut TranspositionTable<Move, PathDependence> {
        self.tt.lossy_mut()
    }

    /// What the next search evaluates with. The table keeps what the last one said: clear it, and
    /// [`reset`](crate::Worker::reset) the workers.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        self.evaluation = evaluation;
    }

    /// What searches evaluate with.
    #[must_use]
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Replaces the table by an empty one of so many MiB.
    ///
    /// # Errors
    /// [`OutOfMemory`]; the old table is kept.
    pub fn resize(&mut self, hash_mebibytes: usize) -> Result<(), OutOfMemory> {
        self.tt.resize(hash_mebibytes)
    }

    /// Makes room for the counters of so many workers, and sets them to zero.
    pub fn set_workers(&mut self, workers: usize) {
        self.counters.clear();
        self.counters.resize_with(workers, NodeCounter::default);
        self.busy = BusyTable::new(workers);
    }

    /// How the workers keep out of each other's way, and whether they count how often they were in
    /// the same node, which takes a little time.
    pub fn set_smp_mode(&mut self, mode: SmpMode, counts_duplicates: bool) {
        (self.smp_mode, self.counts_duplicates) = (mode, counts_duplicates);
    }

    pub(crate) fn smp_mode(&self) -> SmpMode {
        self.smp_mode
    }

    /// Whether a worker looks at what the others do.
    pub(crate) fn uses_busy_marks(&self) -> bool {
        self.abdada_min_depth() < NEVER || self.breadcrumbs_min_depth() < NEVER
    }

    /// The shallowest depth at which moves are put off.
    pub(crate) fn abdada_min_depth(&self) -> Depth {
        let is_on = !self.busy.is_absent() && self.smp_mode == SmpMode::Abdada;
        if is_on { Depth(abdada::min_depth()) } else { NEVER }
    }

    /// The shallowest depth at which the presence of a thread is marked.
    pub(crate) fn breadcrumbs_min_depth(&self) -> Depth {
        let is_wanted = self.counts_duplicates || self.smp_mode == SmpMode::Breadcrumbs;
        let is_on = !self.busy.is_absent() && is_wanted;
        if is_on { Depth(breadcrumbs::min_depth()) } else { NEVER }
    }

    /// Empties the table, with so many threads.
    pub fn clear(&mut self, threads: usize) {
        self.tt.clear(threads);
    }

    /// How draws that depend on the path are dealt with.
    #[must_use]
    pub fn path_rules(&self) -> PathRules {
        self.path_rules
    }

    /// Changes that. What the table holds was marked by the old rules: [`clear`](Self::clear) it.
    pub fn set_path_rules(&mut self, rules: PathRules) {
        self.path_rules = rules;
    }

    /// Prepares the next search, before its workers begin: what the table holds grows older, the
    /// counters and the stop flag are reset.
    pub fn new_search(&self) {
        self.tt.new_search();
        self.busy.new_search();
        for counter in &self.counters {
            counter.0.store(0, Relaxed);
        }
        self.tablebase_hits.0.store(0, Relaxed);
        self.stop.store(false, Relaxed);
    }

    /// Tells all workers to stop; they do so within about a thousand nodes.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Whether the workers have been told to stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// The nodes of all workers in this search. Each is behind by a thousand or so until it ends.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.counters.iter().map(|counter| counter.0.load(Relaxed)).sum()
    }

    /// The endgame tables to look positions of few pieces up in; `None` for none.
    pub fn set_tablebases(&mut self, tablebases: Option<Tablebases>) {
        self.tablebases = tablebases;
    }

    /// The endgame tables, if there are any.
    #[must_use]
    pub fn tablebases(&self) -> Option<&Tablebases> {
        self.tablebases.as_ref()
    }

    /// How many positions in this search the endgame tables knew; those behind the root's ranking
    /// do not count.
    #[must_use]
    pub fn tablebase_hits(&self) -> u64 {
        self.tablebase_hits.0.load(Relaxed)
    }

    /// What such a search asks about inner nodes.
    pub(crate) fn tablebases_for(&self, limits: &Limits) -> Option<&Tablebases> {
        let decides_all_moves =
            limits.ranking.as_ref().is_some_and(|ranking| ranking.decides_all_moves());
        self.tablebases.as_ref().filter(|_| !decides_all_moves)
    }

    /// The endgame tables knew a position.
    pub(crate) fn count_tablebase_hit(&self) {
        self.tablebase_hits.0.fetch_add(1, Relaxed);
    }

    /// How much of the table this search has filled, in permille.
    #[must_use]
    pub fn hashfull(&self) -> usize {
        self.tt.hashfull()
    }

    /// Notes how many nodes a worker has searched. One without a counter is not counted.
    pub(crate) fn publish_nodes(&self, worker: usize, nodes: u64) {
        if let Some(counter) = self.counters.get(worker) {
            counter.0.store(nodes, Relaxed);
        }
    }
}
