//! Searches of an engine to a fixed depth, by their time and nodes.

use std::ops::AddAssign;
use std::time::Duration;

use anyhow::{Context, Result};
use koel_arena::cli::interrupt_flag;
use koel_arena::{CancelToken, EngineProcess, EngineSpec, SearchRequest, Timeouts};
use koel_board::Position;
use koel_uci::Go;

/// The longest search.
const TIMEOUT: Duration = Duration::from_secs(600);

/// The cost of one or more searches.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SearchCost {
    pub(crate) seconds: f64,
    /// Nodes of all threads.
    pub(crate) nodes: u64,
}

impl AddAssign for SearchCost {
    fn add_assign(&mut self, other: SearchCost) {
        self.seconds += other.seconds;
        self.nodes += other.nodes;
    }
}

/// A running engine.
pub(crate) struct DepthSearch(EngineProcess);

impl DepthSearch {
    /// Starts an engine with this number of threads and this hash size in MiB.
    pub(crate) fn start(engine: EngineSpec, threads: u32, hash: u32) -> Result<DepthSearch> {
        let engine = engine.with_option("Hash", hash).with_option("Threads", threads);
        let cancel = CancelToken::new(interrupt_flag()?);
        Ok(DepthSearch(EngineProcess::start(&engine, Timeouts::default(), cancel)?))
    }

    /// Searches a position with an empty table and empty histories.
    pub(crate) fn cost_of(&mut self, position: &Position, depth: u32) -> Result<SearchCost> {
        let cancel = CancelToken::new(interrupt_flag()?);
        self.0.new_game(cancel).context("the engine failed")?;
        let go = Go { depth: Some(depth), ..Go::default() };
        let request = SearchRequest { time: TIMEOUT, is_timed: false, keeps_all_lines: false };
        let reply = self.0.search(&format!("position fen {position}"), &go, request, cancel);
        let reply = reply.context("the engine failed")?;
        let nodes = reply.infos().into_iter().filter_map(|info| info.nodes).next_back();
        let nodes = nodes.context("the engine reports no nodes")?;
        Ok(SearchCost { seconds: reply.elapsed.as_secs_f64().max(1e-6), nodes })
    }
}
