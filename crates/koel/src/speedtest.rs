//! `speedtest`: what more threads bring on this machine, for whoever has to choose `Threads`.

use std::sync::atomic::AtomicBool;
use std::thread;

use koel_board::{Game, Position};
use koel_uci::Reply;
use serde::Serialize;
use thiserror::Error;

use crate::crowd::{Crowd, CrowdError, Effort};
use crate::report::nodes_per_second;

/// Every so many positions of the benchmark: enough for a mean, few enough for patience.
const EVERY: usize = 6;

const HASH_DEFAULT: usize = 64;
const DEPTH_DEFAULT: i32 = 14;

/// Why it does not begin, or does not go on.
#[derive(Debug, Error)]
pub(crate) enum SpeedtestError {
    #[error("speedtest: wants whole numbers: [THREADS [HASH [DEPTH]]] [json]")]
    Syntax,
    #[error("speedtest: {0}")]
    Crowd(#[from] CrowdError),
}

/// What is to be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Speedtest {
    /// The most threads.
    threads: usize,
    hash_mebibytes: usize,
    depth: i32,
    /// Whether one line of JSON is told in place of a table.
    is_json: bool,
}

/// What is measured, for programs to read.
#[derive(Serialize)]
struct Measurement {
    engine: &'static str,
    positions: usize,
    depth: i32,
    hash_mebibytes: usize,
    rows: Vec<Row>,
}

/// What one number of threads came to.
#[derive(Serialize)]
struct Row {
    threads: usize,
    /// To the depth, over all positions.
    seconds: f64,
    nodes: u64,
    nodes_per_second: u64,
}

impl Speedtest {
    /// Reads what stands behind the word.
    pub(crate) fn read(arguments: &str) -> Result<Speedtest, SpeedtestError> {
        let mut words = arguments.split_whitespace().collect::<Vec<_>>();
        let is_json = words.last() == Some(&"json") && words.pop().is_some();
        let numbers = words.into_iter().map(str::parse::<u32>);
        let numbers = numbers.collect::<Result<Vec<_>, _>>().map_err(|_| SpeedtestError::Syntax)?;
        let at = |index: usize| numbers.get(index).map(|&number| number as usize);
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        if numbers.len() > 3 {
            return Err(SpeedtestError::Syntax);
        }
        Ok(Speedtest {
            threads: at(0).unwrap_or_else(cores).clamp(1, 1024),
            hash_mebibytes: at(1).unwrap_or(HASH_DEFAULT).max(1),
            depth: numbers.get(2).map_or(DEPTH_DEFAULT, |&depth| depth.clamp(1, 200) as i32),
            is_json,
        })
    }

    /// Tells one line for each number of threads, and answers what is to be told at the end.
    pub(crate) fn run(
        self,
        positions: &[Position],
        tell: &dyn Fn(Reply),
        stop: &AtomicBool,
    ) -> Result<Reply, SpeedtestError> {
        let games = positions.iter().step_by(EVERY).cloned().map(Game::new).collect::<Vec<_>>();
        let line = |text: String| {
            if !self.is_json {
                tell(Reply::Other(text));
            }
        };
        let (positions, depth, hash_mebibytes) = (games.len(), self.depth, self.hash_mebibytes);
        line(format!("{positions} positions to depth {depth}, hash {hash_mebibytes} MiB"));
        line("Threads  Time to depth       Nodes  Nodes/second  Faster  More nodes/s".to_owned());
        let mut rows: Vec<Row> = Vec::new();
        for threads in self.steps() {
            let sum = self.sum(&games, threads, stop)?;
            let row = Row {
                threads,
                seconds: sum.elapsed.as_secs_f64(),
                nodes: sum.nodes,
                nodes_per_second: nodes_per_second(sum.nodes, sum.elapsed).max(1),
            };
            line(row.against(rows.first().unwrap_or(&row)));
            rows.push(row);
        }
        if !self.is_json {
            return Ok(Reply::text("all is measured"));
        }
        let engine = crate::NAME;
        let measurement = Measurement { engine, positions, depth, hash_mebibytes, rows };
        let json = serde_json::to_string(&measurement).expect("numbers and names can be written");
        Ok(Reply::Other(json))
    }

    /// 1, 2, 4 and so on, and the most.
    fn steps(self) -> impl Iterator<Item = usize> {
        let doubled = (0..).map(|power| 1 << power);
        doubled.take_while(move |&threads| threads < self.threads).chain([self.threads])
    }

    fn sum(self, games: &[Game], threads: usize, stop: &AtomicBool) -> Result<Effort, CrowdError> {
        let mut crowd = Crowd::new(threads, self.hash_mebibytes)?;
        let mut sum = Effort::default();
        for game in games {
            let effort = crowd.search(game, self.depth, stop)?;
            sum.elapsed += effort.elapsed;
            sum.nodes += effort.nodes;
        }
        Ok(sum)
    }
}

impl Row {
    /// A line of the table, beside what one thread came to.
    fn against(&self, alone: &Row) -> String {
        let Row { threads, seconds, nodes, nodes_per_second } = self;
        format!(
            "{threads:>7} {seconds:>12.2} s {nodes:>11} {nodes_per_second:>13} {:>6.2}x {:>12.2}x",
            alone.seconds / seconds.max(1e-6),
            *nodes_per_second as f64 / alone.nodes_per_second as f64,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_double_up_to_the_most() {
        let steps = |text| Speedtest::read(text).unwrap().steps().collect::<Vec<_>>();
        assert_eq!(steps("1"), [1]);
        assert_eq!(steps("2"), [1, 2]);
        assert_eq!(steps("6 32"), [1, 2, 4, 6]);
        assert!(Speedtest::read("x").is_err() && Speedtest::read("1 2 3 4").is_err());
        let given = Speedtest { threads: 3, hash_mebibytes: 8, depth: 5, is_json: false };
        assert_eq!(Speedtest::read("3 8 5").ok(), Some(given));
        assert_eq!(Speedtest::read("3 8 5 json").ok(), Some(Speedtest { is_json: true, ..given }));
        assert!(Speedtest::read("json").unwrap().is_json && Speedtest::read("json 3").is_err());
    }
}
