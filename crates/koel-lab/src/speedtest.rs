//! `koel-lab speedtest`: the speed of the search by number of threads, for choosing `Threads`.

use std::thread;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use koel_board::Game;
use serde::Serialize;

use crate::bench_pool::{BenchPool, SearchCost};

/// Every sixth position of the benchmark is searched: enough for a mean, and done in minutes.
const POSITION_STEP: usize = 6;

#[derive(Args, Clone, Copy, Debug)]
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
}

/// All measurements, for other programs.
#[derive(Serialize)]
struct Measurement {
    engine: &'static str,
    positions: usize,
    depth: u32,
    hash_mebibytes: u32,
    rows: Vec<SpeedRow>,
}

/// The measurement of one number of threads.
#[derive(Serialize)]
struct SpeedRow {
    threads: usize,
    /// Time to the depth, summed over all positions.
    seconds: f64,
    nodes: u64,
    nodes_per_second: u64,
}

impl Speedtest {
    /// Measures each number of threads and prints a row for each, or all as JSON at the end.
    pub(crate) fn run(self) -> Result<()> {
        let games: Vec<_> = koel::bench_positions().step_by(POSITION_STEP).map(Game::new).collect();
        let Speedtest { hash, depth, json, .. } = self;
        if !json {
            println!("{} positions to depth {depth}, hash {hash} MiB", games.len());
            println!("Threads  Time to depth       Nodes  Nodes/second  Faster  More nodes/s");
        }
        let mut rows: Vec<SpeedRow> = Vec::new();
        for threads in self.steps() {
            let row = SpeedRow::new(threads, self.cost_of(&games, threads)?);
            if !json {
                println!("{}", row.compared_with(rows.first().unwrap_or(&row)));
            }
            rows.push(row);
        }
        if json {
            let (positions, hash_mebibytes) = (games.len(), hash);
            let engine = koel::ENGINE_NAME;
            let measurement = Measurement { engine, positions, depth, hash_mebibytes, rows };
            println!("{}", serde_json::to_string(&measurement)?);
        }
        Ok(())
    }

    /// The powers of two below the largest number of threads, and that number.
    fn steps(self) -> impl Iterator<Item = usize> {
        let available = || thread::available_parallelism().map_or(1, usize::from);
        let most = self.threads.map_or_else(available, |threads| threads as usize);
        let powers = (0..).map(|power| 1 << power);
        powers.take_while(move |&threads| threads < most).chain([most])
    }

    fn cost_of(self, games: &[Game], threads: usize) -> Result<SearchCost> {
        let mut pool = BenchPool::new(threads, self.hash as usize)?;
        let mut sum = SearchCost::default();
        for game in games {
            let cost = pool.search(game, self.depth as i32)?;
            sum.elapsed += cost.elapsed;
            sum.nodes += cost.nodes;
        }
        Ok(sum)
    }
}

impl SpeedRow {
    fn new(threads: usize, cost: SearchCost) -> SpeedRow {
        let seconds = cost.elapsed.max(Duration::from_micros(1)).as_secs_f64();
        let nodes_per_second = (cost.nodes as f64 / seconds) as u64;
        SpeedRow { threads, seconds, nodes: cost.nodes, nodes_per_second }
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
            let speedtest = Speedtest { threads: Some(threads), hash: 1, depth: 1, json: false };
            speedtest.steps().collect::<Vec<_>>()
        };
        assert_eq!(steps(1), [1]);
        assert_eq!(steps(2), [1, 2]);
        assert_eq!(steps(6), [1, 2, 4, 6]);
    }
}
