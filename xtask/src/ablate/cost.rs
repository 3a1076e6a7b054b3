//! What an idea saves: nodes and time of the bench to a fixed depth, with it and without.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use koel_arena::cli::EngineCommand;
use serde::{Deserialize, Serialize};

use super::switches::Switch;
use crate::bench;

/// The bench without an idea, as multiples of the bench with it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Cost {
    /// To so many plies.
    pub(crate) depth: u32,
    pub(crate) node_ratio: f64,
    /// The median of all runs.
    pub(crate) time_ratio: f64,
}

/// One run of the bench.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) nodes: u64,
    seconds: f64,
}

/// Runs the bench with and without an idea by turns.
pub(crate) fn compare(
    engine: &EngineCommand,
    switch: &Switch,
    depth: u32,
    runs: u32,
) -> Result<Cost> {
    let [with, without] = [true, false].map(|is_on| switch.option(is_on));
    let mut ratios = Vec::new();
    let mut node_ratio = 0.0;
    for _ in 0..runs {
        let with = measure(engine, Some(&with), Some(depth))?;
        let without = measure(engine, Some(&without), Some(depth))?;
        node_ratio = without.nodes as f64 / with.nodes as f64;
        ratios.push(without.seconds / with.seconds);
    }
    Ok(Cost { depth, node_ratio, time_ratio: median(&mut ratios) })
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 }
}

/// Runs the bench once, to its usual depth if none is given.
pub(crate) fn measure(
    engine: &EngineCommand,
    option: Option<&(String, String)>,
    depth: Option<u32>,
) -> Result<Run> {
    let mut command = Command::new(&engine.command);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| engine.command.display().to_string())?;
    let mut input = child.stdin.take().context("the input was piped")?;
    let output = child.stdout.take().context("the output was piped")?;
    if let Some((name, value)) = option {
        writeln!(input, "setoption name {name} value {value}")?;
    }
    let depth = depth.map_or_else(String::new, |depth| format!(" {depth}"));
    writeln!(input, "bench{depth}")?;
    // Its input stays open until the bench is over: the end of input would stop it.
    let outcome = BufReader::new(output)
        .lines()
        .map_while(Result::ok)
        .find_map(|line| bench::parse(&line).ok());
    drop(input);
    ensure!(child.wait()?.success(), "the engine failed");
    let outcome = outcome.context("the bench came to no end")?;
    let seconds = outcome.nodes as f64 / outcome.nodes_per_second.max(1) as f64;
    Ok(Run { nodes: outcome.nodes, seconds })
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
