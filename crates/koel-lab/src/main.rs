//! Experiments on Koel: `koel-lab --help`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool")]

mod bench_pool;
mod ghi;
mod hashed_perft;
mod network;
mod perft;
mod reference_search;
mod smp;
mod speedtest;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Experiments on the chess engine Koel.
#[derive(Parser)]
#[command(name = "koel-lab", version)]
struct Arguments {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(Subcommand)]
enum Experiment {
    /// Count the leaves of the move tree with a shared hash table and several threads
    Perft(perft::Perft),
    /// Compare the policies for path-dependent draws (graph history interaction)
    Ghi(ghi::Ghi),
    /// Compare the SMP modes: time and nodes to a fixed depth
    Smp(smp::Smp),
    /// Measure the speed of the search by number of threads
    Speedtest(speedtest::Speedtest),
}

fn main() -> ExitCode {
    match run(Arguments::parse().experiment) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(experiment: Experiment) -> Result<()> {
    match experiment {
        Experiment::Perft(perft) => perft.run(),
        Experiment::Ghi(ghi) => ghi.run(),
        Experiment::Smp(smp) => smp.run(),
        Experiment::Speedtest(speedtest) => speedtest.run(),
    }
}
