//! Probe and store on the transposition table, on a `DashMap` and on a locked vector of the same
//! size.
//!
//! `cargo bench -p koel-tt --bench tt`. Subtract the time of the loop without a
//! table.
#![allow(missing_docs, clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark")]

#[path = "tt/load.rs"]
mod load;

use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use dashmap::DashMap;
use koel_tt::{Pages, TranspositionTable};
use load::{Locked, Nothing, Table, work};

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

fn compare(
    group: &mut BenchmarkGroup<WallTime>,
    name: &str,
    table: &impl Table,
    keys: u64,
    prefetches: bool,
) {
    // The table is full before the measurement.
    work_on(table, keys, 1, 2 * keys, false);
    for threads in [1, 2] {
        group.bench_function(format!("{name}, threads {threads}"), |b| {
            b.iter(|| work_on(table, keys, threads, ROUNDS, prefetches));
        });
    }
}

/// The number of probes and stores in one measured call: so many that the start of a thread does
/// not matter.
const ROUNDS: u64 = 1_000_000;

fn tables(criterion: &mut Criterion) {
    for mebibytes in [1, 256] {
        // One per slot of the table.
        let keys = (mebibytes as u64) << 16;
        let mut group = criterion.benchmark_group(format!("probe and store, {mebibytes} MiB"));
        group.throughput(Throughput::Elements(ROUNDS));
        // A call is long, and the calls alike.
        group.sampling_mode(SamplingMode::Flat).sample_size(20);
        group.warm_up_time(Duration::from_millis(500));
        for pages in [Pages::Huge, Pages::Small] {
            let table = TranspositionTable::with_pages(mebibytes, pages).unwrap();
            for (name, prefetches) in [("no prefetch", false), ("prefetch", true)] {
                let name = format!("table, {:?} pages, {name}", table.pages());
                compare(&mut group, &name, &table, keys, prefetches);
            }
            if table.pages() == Pages::Small && mebibytes == 1 {
                // A table of one MiB is too small for huge pages.
                break;
            }
        }
        compare(&mut group, "no table, the loop alone", &Nothing, keys, false);
        compare(&mut group, "dashmap", &DashMap::new(), keys, false);
        compare(&mut group, "locked vector", &Locked::new(mebibytes), keys, false);
        group.finish();
    }
}

criterion_group!(benches, tables);
criterion_main!(benches);
