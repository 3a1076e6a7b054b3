//! Probe and store on the shared table, beside a `DashMap` and a locked vector of the same size.
//!
//! `cargo bench -p koel-tt --bench tt`. What the loop costs without a table is to be taken off.
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark")]

#[path = "tt/load.rs"]
mod load;

use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use koel_tt::{ExactTable, Pages, TranspositionTable};
use load::{Locked, Nothing, Table, work};

/// The time that so many threads need for so many rounds in all.
fn timed(table: &impl Table, keys: u64, threads: u64, rounds: u64, prefetches: bool) -> Duration {
    let share = rounds.div_ceil(threads);
    let start = Instant::now();
    std::thread::scope(|scope| {
        for thread in 1..threads {
            scope.spawn(move || work(table, keys, thread, share, prefetches));
        }
        work(table, keys, 0, share, prefetches);
    });
    start.elapsed()
}

fn compare(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    table: &impl Table,
    keys: u64,
    prefetches: bool,
) {
    // Full before it is measured.
    timed(table, keys, 1, 2 * keys, false);
    for threads in [1, 2] {
        group.bench_function(format!("{name}, threads {threads}"), |bencher| {
            // A number of rounds that hides the start of a thread.
            bencher.iter_custom(|rounds| timed(table, keys, threads, rounds * ROUNDS, prefetches));
        });
    }
}

/// Probes and stores in one measured iteration.
const ROUNDS: u64 = 100_000;

fn probe_and_store(criterion: &mut Criterion) {
    for mebibytes in [1, 256] {
        // As many as there are places in the table.
        let keys = (mebibytes as u64) << 16;
        let mut group = criterion.benchmark_group(format!("probe and store, {mebibytes} MiB"));
        group.throughput(Throughput::Elements(ROUNDS));
        for pages in [Pages::Huge, Pages::Small] {
            let table = TranspositionTable::with_pages(mebibytes, pages).unwrap();
            for (name, prefetches) in [("no prefetch", false), ("prefetch", true)] {
                let name = format!("table, {:?} pages, {name}", table.pages());
                compare(&mut group, &name, &table, keys, prefetches);
            }
            if table.pages() == Pages::Small && mebibytes == 1 {
                // There are no huge pages for so small a table.
                break;
            }
        }
        compare(&mut group, "no table, the loop alone", &Nothing, keys, false);
        compare(&mut group, "dashmap", &ExactTable::new(), keys, false);
        compare(&mut group, "locked vector", &Locked::new(mebibytes), keys, false);
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2));
    targets = probe_and_store
}
criterion_main!(benches);
