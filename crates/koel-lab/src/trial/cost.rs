//! The cost of a search without a switch: nodes and time of the bench to a fixed depth.

use anyhow::Result;
use koel_arena::EngineSpec;
use serde::{Deserialize, Serialize};

use crate::engine_bench;
use crate::switches::Switch;

/// Nodes and time of the bench without a switch, divided by those with it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SwitchCost {
    /// Depth in plies.
    pub(crate) depth: u32,
    pub(crate) node_ratio: f64,
    /// The median of all runs.
    pub(crate) time_ratio: f64,
}

/// Runs the bench with and without a switch, alternating.
pub(crate) fn compare(
    engine: &EngineSpec,
    switch: &Switch,
    depth: u32,
    runs: u32,
) -> Result<SwitchCost> {
    let [with, without] = [true, false].map(|is_on| switch.option(is_on));
    let mut ratios = Vec::new();
    let mut node_ratio = 0.0;
    for _ in 0..runs {
        let with = engine_bench::run(&engine.command, Some(&with), Some(depth))?;
        let without = engine_bench::run(&engine.command, Some(&without), Some(depth))?;
        node_ratio = without.nodes as f64 / with.nodes as f64;
        ratios.push(without.seconds / with.seconds);
    }
    let [node_ratio, time_ratio] = [node_ratio, median(&mut ratios)].map(rounded);
    Ok(SwitchCost { depth, node_ratio, time_ratio })
}

/// Rounds to four decimals, which JSON reads back exactly.
fn rounded(ratio: f64) -> f64 {
    (ratio * 1e4).round() / 1e4
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&mut [4.0, 1.0, 2.0, 8.0]), 3.0);
    }
}
