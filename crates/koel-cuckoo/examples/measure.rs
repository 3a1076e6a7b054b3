//! Measures the figures of the README: false positives of the filter, and the time of each call.
//!
//! `cargo run --release -p koel-cuckoo --example measure`; with `-- --json` the false positives
//! alone.
#![allow(clippy::print_stdout, reason = "an example prints its results")]

use std::hint::black_box;
use std::time::Instant;

use koel_cuckoo::{CycleTable, KeyStack, RepetitionFilter, ZobristKey};
use koel_random::Rng;

const POSITIONS: [usize; 5] = [20, 40, 80, 120, 180];
const ROUNDS: u64 = 2000;
const LOOKUPS: u64 = 5000;

/// Returns the number of false positives of a filter of this shape.
fn simulated(tables: usize, counters: usize, live: usize) -> u64 {
    let mut rng = Rng::new(1);
    let mut passed = 0;
    for _ in 0..ROUNDS {
        let mut used = vec![false; tables * counters];
        let slot =
            |key: u64, table: usize| table * counters + (key >> (32 * table)) as usize % counters;
        for _ in 0..live {
            let key = rng.next_u64();
            (0..tables).for_each(|table| used[slot(key, table)] = true);
        }
        for _ in 0..LOOKUPS {
            let key = rng.next_u64();
            passed += u64::from((0..tables).all(|table| used[slot(key, table)]));
        }
    }
    passed
}

/// Returns the number of false positives of the actual filter.
fn measured(live: usize) -> u64 {
    let mut rng = Rng::new(1);
    let mut passed = 0;
    for _ in 0..ROUNDS {
        let mut filter = RepetitionFilter::new();
        (0..live).for_each(|_| filter.insert(ZobristKey(rng.next_u64())));
        passed +=
            (0..LOOKUPS).filter(|_| filter.may_contain(ZobristKey(rng.next_u64()))).count() as u64;
    }
    passed
}

/// Returns the false positives of each shape of filter: slots, counters of each array, and the
/// counts by the number of positions. The last shape is the one that is used.
fn false_positives() -> Vec<(usize, usize, [u64; POSITIONS.len()])> {
    let shapes = [(1, 65_536), (2, 2048), (2, 4096)].map(|(tables, counters)| {
        (tables, counters, POSITIONS.map(|live| simulated(tables, counters, live)))
    });
    let used = (2, 8192, POSITIONS.map(measured));
    shapes.into_iter().chain([used]).collect()
}

/// Prints the false positives as JSON.
fn print_json() {
    let lookups = ROUNDS * LOOKUPS;
    println!("{{\n  \"positions\": {POSITIONS:?},\n  \"lookups\": {lookups},\n  \"shapes\": [");
    let rows: Vec<String> = false_positives()
        .into_iter()
        .map(|(slots, counters, passed)| {
            format!(
                "    {{ \"slots\": {slots}, \"counters\": {counters}, \"passed\": {passed:?} }}"
            )
        })
        .collect();
    println!("{}\n  ]\n}}", rows.join(",\n"));
}

/// Returns the time of a call in nanoseconds, the best of five rounds.
fn nanoseconds(mut call: impl FnMut()) -> f64 {
    const CALLS: u32 = 200_000;
    let round = |_| {
        let start = Instant::now();
        (0..CALLS).for_each(|_| call());
        start.elapsed().as_nanos() as f64 / f64::from(CALLS)
    };
    (0..5).map(round).fold(f64::MAX, f64::min)
}

fn table() -> CycleTable {
    let mut rng = Rng::new(2);
    loop {
        let keys = core::array::from_fn(|_| core::array::from_fn(|_| rng.next_u64()));
        if let Ok(table) = CycleTable::try_new(&keys, rng.next_u64()) {
            return table;
        }
    }
}

/// The repetition scan that the filter saves.
fn scan(keys: &[u64], key: u64) -> bool {
    keys.iter().rev().skip(3).step_by(2).any(|&earlier| earlier == key)
}

fn main() {
    if std::env::args().any(|argument| argument == "--json") {
        return print_json();
    }
    println!("false positives in per cent, by the number of positions in the filter");
    println!("{:24}{:>8}{:>8}{:>8}{:>8}{:>8}", "", 20, 40, 80, 120, 180);
    for (slots, counters, passed) in false_positives() {
        print!("{:24}", format!("{slots} slot(s) of {counters}"));
        let percent = |passed: u64| 100.0 * passed as f64 / (ROUNDS * LOOKUPS) as f64;
        passed.iter().for_each(|&passed| print!("{:8.4}", percent(passed)));
        println!();
    }

    println!("\nnanoseconds per call, by the number of reversible plies");
    println!("{:>5}{:>10}{:>10}{:>10}{:>13}", "", "push+pop", "scan", "upcoming", "no progress");
    let (table, mut rng) = (table(), Rng::new(3));
    for reach in [2, 4, 8, 16, 32, 64] {
        let mut history = KeyStack::new(ZobristKey(rng.next_u64()), 128);
        let mut keys = vec![rng.next_u64()];
        for _ in 0..reach {
            keys.push(rng.next_u64());
            history.push(ZobristKey(rng.next_u64()), true);
        }
        let push = nanoseconds(|| {
            history.push(ZobristKey(rng.next_u64()), true);
            black_box(&mut history).pop();
        });
        let scanned = nanoseconds(|| _ = black_box(scan(black_box(&keys), rng.next_u64())));
        let upcoming = nanoseconds(|| {
            let now = black_box(&history).with_occupied(0);
            _ = black_box(table.upcoming_repetition(&now, |plies| plies < 64));
        });
        let progress = nanoseconds(|| {
            let now = black_box(&history).with_occupied(0);
            _ = black_box(table.no_progress(&now, 64));
        });
        println!("{reach:5}{push:10.1}{scanned:10.1}{upcoming:10.1}{progress:13.1}");
    }
}
