//! `smp`: the ways in which threads share a search, held against each other.

use std::sync::atomic::AtomicBool;

use koel_board::{Game, Position};
use koel_search::{SmpCounts, SmpMode};
use koel_uci::Reply;
use thiserror::Error;

use crate::crowd::{Crowd, CrowdError, Effort};

const POSITIONS: usize = 40;
const THREADS_DEFAULT: u32 = 2;
const DEPTH_DEFAULT: u32 = 16;
const RUNS_DEFAULT: u32 = 5;
const HASH_MEBIBYTES: usize = 64;

/// Why it does not begin, or does not go on.
#[derive(Debug, Error)]
pub(crate) enum SmpTrialError {
    #[error("smp: wants whole numbers: [THREADS [DEPTH [RUNS]]]")]
    Syntax,
    #[error("smp: {0}")]
    Crowd(#[from] CrowdError),
}

/// What is to be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SmpTrial {
    threads: usize,
    depth: i32,
    runs: u32,
}

/// What one mode came to.
struct Row {
    mode: SmpMode,
    total: Effort,
    counts: SmpCounts,
    /// How long each search took, as the logarithm of the ratio to that of the first mode.
    times: Vec<f64>,
    /// The same of its nodes.
    nodes: Vec<f64>,
}

impl SmpTrial {
    /// Reads what stands behind the word.
    pub(crate) fn read(arguments: &str) -> Result<SmpTrial, SmpTrialError> {
        let numbers = arguments.split_whitespace().map(str::parse::<u32>);
        let numbers = numbers.collect::<Result<Vec<_>, _>>().map_err(|_| SmpTrialError::Syntax)?;
        let at = |index: usize, usual| numbers.get(index).copied().unwrap_or(usual);
        if numbers.len() > 3 {
            return Err(SmpTrialError::Syntax);
        }
        Ok(SmpTrial {
            threads: at(0, THREADS_DEFAULT).clamp(1, 1024) as usize,
            depth: at(1, DEPTH_DEFAULT).clamp(1, 200) as i32,
            runs: at(2, RUNS_DEFAULT).max(1),
        })
    }

    /// Searches each position in each mode by turns, so that whatever else the machine does hits
    /// all alike; tells a line for each mode.
    pub(crate) fn run(
        self,
        positions: impl Iterator<Item = Position>,
        tell: &dyn Fn(Reply),
        stop: &AtomicBool,
    ) -> Result<(), SmpTrialError> {
        let games = positions.filter(Position::has_legal_moves).take(POSITIONS).map(Game::new);
        let games = games.collect::<Vec<_>>();
        let line = |text: String| tell(Reply::Other(text));
        line(format!(
            "{} positions to depth {}, {} times, {} threads, hash {HASH_MEBIBYTES} MiB",
            games.len(),
            self.depth,
            self.runs,
            self.threads
        ));
        let mut crowd = Crowd::new(self.threads, HASH_MEBIBYTES)?;
        let mut rows = SmpMode::ALL.map(Row::new);
        for run in 0..self.runs as usize {
            for game in &games {
                let mut efforts = [Effort::default(); SmpMode::ALL.len()];
                for turn in 0..rows.len() {
                    // Each mode comes first as often as the others.
                    let index = (turn + run) % rows.len();
                    crowd.set_mode(rows[index].mode, true);
                    efforts[index] = crowd.search(game, self.depth, stop)?;
                    rows[index].counts += crowd.counts();
                }
                for (row, effort) in rows.iter_mut().zip(efforts) {
                    row.note(effort, efforts[0]);
                }
            }
        }
        line(HEAD.to_owned());
        rows.iter().for_each(|row| line(row.to_string()));
        Ok(())
    }
}

const HEAD: &str = "\
Mode         Time to depth  against lazy      nodes   shared nodes  deferred  cutoffs  raised";

impl Row {
    fn new(mode: SmpMode) -> Row {
        let (total, counts) = (Effort::default(), SmpCounts::default());
        Row { mode, total, counts, times: Vec::new(), nodes: Vec::new() }
    }

    fn note(&mut self, effort: Effort, first: Effort) {
        self.total.elapsed += effort.elapsed;
        self.total.nodes += effort.nodes;
        let seconds = |effort: Effort| effort.elapsed.as_secs_f64().max(1e-6);
        self.times.push((seconds(effort) / seconds(first)).ln());
        self.nodes.push((effort.nodes.max(1) as f64 / first.nodes.max(1) as f64).ln());
    }
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = format!("{:?}", self.mode).to_lowercase();
        let counts = &self.counts;
        write!(
            f,
            "{name:<12} {:>11.2} s  {}  {} {:>7.2} % {:>9} {:>8} {:>7}",
            self.total.elapsed.as_secs_f64(),
            in_percent(&self.times),
            in_percent(&self.nodes),
            100.0 * counts.duplicate_share(),
            counts.deferred,
            counts.cutoffs,
            counts.raised,
        )
    }
}

/// The geometric mean of ratios, of which these are the logarithms, with the half-width of its
/// interval of 95 %.
fn in_percent(logarithms: &[f64]) -> String {
    let count = logarithms.len().max(1) as f64;
    let mean = logarithms.iter().sum::<f64>() / count;
    let squares = logarithms.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    let error = 1.96 * (squares / (count - 1.0).max(1.0) / count).sqrt();
    format!("{:+6.1} ±{:4.1} %", 100.0 * mean.exp_m1(), 100.0 * error.exp_m1())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_read() {
        let usual = SmpTrial { threads: 2, depth: 16, runs: 5 };
        assert_eq!(SmpTrial::read("").ok(), Some(usual));
        assert_eq!(SmpTrial::read("4 9 1").ok(), Some(SmpTrial { threads: 4, depth: 9, runs: 1 }));
        assert!(SmpTrial::read("x").is_err() && SmpTrial::read("1 2 3 4").is_err());
    }

    #[test]
    fn a_ratio_comes_with_its_interval() {
        assert_eq!(in_percent(&[0.0; 4]), "  +0.0 ± 0.0 %");
        let halved = [0.5_f64.ln() - 0.1, 0.5_f64.ln() + 0.1];
        assert_eq!(in_percent(&halved), " -50.0 ±21.7 %");
    }
}
