//! Probe and store on the transposition table, on a `DashMap` and on a locked vector of the same
//! size.
//!
//! `cargo bench -p koel-tt --bench tt`. Subtract the time of the loop without a
//! table.
#![allow(missing_docs, clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark")]

#[path = "tt/load.rs"]
mod load;
mod timing;

use koel_tt::{ExactTable, Pages, TranspositionTable};
use load::{Locked, Nothing, Table, work};
use timing::measure;

/// Probes and stores this number of times, divided between the threads.
fn work_on(table: &impl Table, keys: u64, threads: u64, rounds: u64, prefetches: bool) {
    let share = rounds.div_ceil(threads);
    std::thread::scope(|scope| {
        for thread in 1..threads {
            scope.spawn(move || work(table, keys, thread, share, prefetches));
        }
        work(table, keys, 0, share, prefetches);
    });
}

fn compare(name: &str, table: &impl Table, keys: u64, prefetches: bool) {
    // The table is full before the measurement.
    work_on(table, keys, 1, 2 * keys, false);
    for threads in [1, 2] {
        measure(&format!("{name}, threads {threads}"), ROUNDS, || {
            work_on(table, keys, threads, ROUNDS, prefetches);
        });
    }
}

/// The number of probes and stores in one measured call: so many that the start of a thread does not
/// matter.
const ROUNDS: u64 = 1_000_000;

fn main() {
    for mebibytes in [1, 256] {
        // One per slot of the table.
        let keys = (mebibytes as u64) << 16;
        println!("{ROUNDS} probes and stores, {mebibytes} MiB");
        for pages in [Pages::Huge, Pages::Small] {
            let table = TranspositionTable::with_pages(mebibytes, pages).unwrap();
            for (name, prefetches) in [("no prefetch", false), ("prefetch", true)] {
                let name = format!("table, {:?} pages, {name}", table.pages());
                compare(&name, &table, keys, prefetches);
            }
            if table.pages() == Pages::Small && mebibytes == 1 {
                // A table of one MiB is too small for huge pages.
                break;
            }
        }
        compare("no table, the loop alone", &Nothing, keys, false);
        compare("dashmap", &ExactTable::new(), keys, false);
        compare("locked vector", &Locked::new(mebibytes), keys, false);
    }
}
