//! Probe and store on the shared table, beside a `DashMap` and a locked vector of the same size.
//!
//! `cargo bench -p koel-tt --bench tt`
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark")]

use std::hint::black_box;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use koel_tt::{Bound, ExactTable, Pages, PathDependence, Record, TranspositionTable};

/// Keys that are known in advance when one prefetches: about what a move is played in.
const AHEAD: u64 = 4;

/// `SplitMix64`.
fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn record(seed: u64) -> Record<u16> {
    Record {
        best_move: Some(seed as u16 | 1),
        score: (seed >> 16) as i16,
        static_eval: Some(1),
        depth: (seed >> 32) as u8 % 32,
        bound: Bound::Lower,
        was_pv: false,
        dependence: PathDependence::NONE,
    }
}

/// What all rivals can do.
trait Table: Sync {
    fn probe(&self, key: u64) -> Option<Record<u16>>;
    fn store(&self, key: u64, record: Record<u16>);
    fn prefetch(&self, _key: u64) {}
}

impl Table for TranspositionTable<u16> {
    fn probe(&self, key: u64) -> Option<Record<u16>> {
        self.probe(key)
    }
    fn store(&self, key: u64, record: Record<u16>) {
        self.store(key, record);
    }
    fn prefetch(&self, key: u64) {
        self.prefetch(key);
    }
}

impl Table for ExactTable<u16> {
    fn probe(&self, key: u64) -> Option<Record<u16>> {
        self.probe(key)
    }
    fn store(&self, key: u64, record: Record<u16>) {
        self.store(key, record);
    }
}

/// Always replaces; 16 bytes a place, as in the table.
struct Locked(Mutex<Vec<(u64, u64)>>);

impl Locked {
    fn new(mebibytes: usize) -> Locked {
        Locked(Mutex::new(vec![(0, 1); mebibytes << 16]))
    }
}

fn place(key: u64, count: usize) -> usize {
    ((u128::from(key) * count as u128) >> 64) as usize
}

impl Table for Locked {
    fn probe(&self, key: u64) -> Option<Record<u16>> {
        let places = self.0.lock().unwrap();
        let (found, bits) = places[place(key, places.len())];
        (found == key).then(|| record(bits))
    }
    fn store(&self, key: u64, record: Record<u16>) {
        let low = u64::from(record.best_move.unwrap_or(0));
        let bits = low | (record.score as u64) << 16 | u64::from(record.depth) << 32;
        let mut places = self.0.lock().unwrap();
        let index = place(key, places.len());
        places[index] = (key, bits);
    }
}

/// A thread's share, of so many keys, a power of two: each key is probed and then stored, as at a node of a search.
fn work(table: &impl Table, keys: u64, thread: u64, rounds: u64, prefetches: bool) {
    let key_of = |round: u64| mix(mix(round ^ thread << 48) & (keys - 1));
    let mut upcoming = [0, 1, 2, 3].map(key_of);
    for round in 0..rounds {
        let next = key_of(round + AHEAD);
        let key = std::mem::replace(&mut upcoming[(round % AHEAD) as usize], next);
        if prefetches {
            table.prefetch(next);
        }
        black_box(table.probe(key));
        table.store(key, record(key ^ round));
    }
}

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
