//! `koel-lab speedtest`: the speed of the search by number of threads, for choosing `Threads`.

use std::thread;

use anyhow::Result;
use clap::Args;
use koel_arena::cli::CommandContext;
use koel_board::Position;
use serde::{Deserialize, Serialize};

use crate::depth_search::{DepthSearch, SearchCost};
use crate::workspace::Workspace;

/// Every sixth position of the benchmark is searched: enough for a mean, and done in minutes.
const POSITION_STEP: usize = 6;

#[derive(Args, Clone, Debug)]
pub(crate) struct Speedtest {
    /// The largest number of threads [default: as many as the machine runs at once]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Size of the transposition table in MiB
    #[arg(default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// Depth in plies
    #[arg(default_value_t = 14, value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: u32,
    /// Print one JSON object, as `cargo xtask report` reads it, instead of a table
    #[arg(long)]
    json: bool,
    /// `koel` for a release build of the working tree, a program, or a git revision
    #[arg(long, default_value = "koel")]
    engine: String,
}

/// All measurements, as they are printed and as the report reads them.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Speeds {
    pub(crate) engine: String,
    pub(crate) positions: usize,
    pub(crate) depth: u32,
    pub(crate) hash_mebibytes: u32,
    pub(crate) rows: Vec<SpeedRow>,
    /// Remarks that are added by hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
}

/// The measurement of one number of threads.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SpeedRow {
    pub(crate) threads: u32,
    /// Time to the depth, summed over all positions.
    pub(crate) seconds: f64,
    pub(crate) nodes: u64,
    pub(crate) nodes_per_second: u64,
}

impl Speedtest {
    /// Measures each number of threads and prints a row for each, or all as JSON at the end.
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        let engine = workspace.resolve(&self.engine)?;
        let positions = koel::bench_positions().step_by(POSITION_STEP);
        // An engine searches no node of a mate.
        let positions: Vec<Position> = positions.filter(Position::has_legal_moves).collect();
        let Speedtest { hash, depth, json, .. } = self;
        if !json {
            println!("{} positions to depth {depth}, hash {hash} MiB", positions.len());
            println!("Threads  Time to depth       Nodes  Nodes/second  Faster  More nodes/s");
        }
        let mut speeds =
            Speeds { positions: positions.len(), depth, hash_mebibytes: hash, ..Speeds::default() };
        for threads in self.steps() {
            let mut search = DepthSearch::start(engine.clone(), threads, hash)?;
            let mut cost = SearchCost::default();
            for position in &positions {
                cost += search.cost_of(position, depth)?;
            }
            let row = SpeedRow::new(threads, cost);
            if !json {
                println!("{}", row.compared_with(speeds.rows.first().unwrap_or(&row)));
            }
            search.engine_name().clone_into(&mut speeds.engine);
            speeds.rows.push(row);
        }
        if json {
            println!("{}", serde_json::to_string(&speeds)?);
        }
        Ok(())
    }

    /// The powers of two below the largest number of threads, and that number.
    fn steps(&self) -> impl Iterator<Item = u32> + use<> {
        let available = || thread::available_parallelism().map_or(1, |count| count.get() as u32);
        let most = self.threads.unwrap_or_else(available);
        let powers = (0..).map(|power| 1 << power);
        powers.take_while(move |&threads| threads < most).chain([most])
    }
}

impl SpeedRow {
    fn new(threads: u32, SearchCost { seconds, nodes }: SearchCost) -> SpeedRow {
        SpeedRow { threads, seconds, nodes, nodes_per_second: (nodes as f64 / seconds) as u64 }
    }

    /// The row of the table, with the ratios to the measurement of one thread.
    fn compared_with(&self, single: &SpeedRow) -> String {
        let SpeedRow { threads, seconds, nodes, nodes_per_second } = self;
        format!(
            "{threads:>7} {seconds:>12.2} s {nodes:>11} {nodes_per_second:>13} {:>6.2}x {:>12.2}x",
            single.seconds / seconds,
            *nodes_per_second as f64 / single.nodes_per_second.max(1) as f64,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_double_up_to_the_largest_number() {
        let steps = |threads| {
            let (hash, depth, json, engine) = (1, 1, false, String::new());
            Speedtest { threads: Some(threads), hash, depth, json, engine }
                .steps()
                .collect::<Vec<_>>()
        };
        assert_eq!(steps(1), [1]);
        assert_eq!(steps(2), [1, 2]);
        assert_eq!(steps(6), [1, 2, 4, 6]);
    }
}
