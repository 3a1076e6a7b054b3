//! The cost of a search without a switch: nodes and time of the bench to a fixed depth.

use anyhow::Result;
use koel_arena::EngineSpec;
use serde::{Deserialize, Serialize};

use crate::engine_bench;
use crate::switches::Switch;

/// The depth of the bench in plies.
const DEPTH: u32 = 14;

/// Runs of the bench with and without a switch, an odd number.
const RUNS: usize = 3;

/// Nodes and time of the bench without a switch, divided by those with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct SwitchCost {
    /// Depth in plies.
    pub(crate) depth: u32,
    pub(crate) node_ratio: f64,
    /// The median of all runs.
    pub(crate) time_ratio: f64,
}

/// Runs the bench with and without a switch, alternating.
pub(crate) fn compare(engine: &EngineSpec, switch: &Switch) -> Result<SwitchCost> {
    let [with, without] = [true, false].map(|is_on| switch.option(is_on));
    let mut ratios = Vec::new();
    for _ in 0..RUNS {
        let with = engine_bench::run(&engine.command, Some(&with), Some(DEPTH))?;
        let without = engine_bench::run(&engine.command, Some(&without), Some(DEPTH))?;
        let nodes = without.nodes as f64 / with.nodes as f64;
        ratios.push([without.seconds / with.seconds, nodes]);
    }
    ratios.sort_by(|[one, _], [other, _]| one.total_cmp(other));
    // Rounded to four decimals, which JSON reads back exactly.
    let [time_ratio, node_ratio] = ratios[RUNS / 2].map(|ratio| (ratio * 1e4).round() / 1e4);
    Ok(SwitchCost { depth: DEPTH, node_ratio, time_ratio })
}
