//! The loop of the benchmark with a fixed number of rounds, to count its instructions:
//!
//! `cargo build --release -p koel-tt --example probe_and_store`, then, with 1000000 and 2000000,
//! `valgrind --tool=callgrind target/release/examples/probe_and_store table 1000000`. The
//! difference between the two runs is the cost of a million rounds.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "an example shows something")]

#[path = "../../../benches/tt/load.rs"]
mod load;

use std::time::Instant;

use dashmap::DashMap;
use koel_tt::TranspositionTable;
use load::{Locked, Nothing, Table, work};

/// One per slot of a table of 1 MiB.
const KEYS: u64 = 1 << 16;

fn measure(table: &impl Table, rounds: u64) {
    work(table, KEYS, 0, 2 * KEYS, false);
    let start = Instant::now();
    work(table, KEYS, 0, rounds, false);
    println!("{:.2} ns a round", start.elapsed().as_nanos() as f64 / rounds as f64);
}

fn main() {
    let arguments = std::env::args().collect::<Vec<_>>();
    let rounds = arguments.get(2).map_or(1_000_000, |text| text.parse().unwrap());
    match arguments.get(1).map(String::as_str) {
        Some("table") => measure(&TranspositionTable::new(1).unwrap(), rounds),
        Some("dashmap") => measure(&DashMap::new(), rounds),
        Some("vector") => measure(&Locked::new(1), rounds),
        Some("nothing") => measure(&Nothing, rounds),
        _ => println!("probe_and_store table|dashmap|vector|nothing ROUNDS"),
    }
}
