//! Measures the figures of the README: false positives of the filter, and the time of each call.
//!
//! `cargo run --release -p koel-cuckoo --example measure`
#![allow(clippy::print_stdout, reason = "an example prints its results")]

use std::hint::black_box;
use std::time::Instant;

use koel_cuckoo::{CycleTable, KeyHistory, RepetitionFilter, ZobristKey};
use koel_random::Rng;

const POSITIONS: [usize; 5] = [20, 40, 80, 120, 180];
const ROUNDS: u64 = 2000;
const LOOKUPS: u64 = 5000;

/// Returns the false-positive rate of a filter of this shape, in per cent.
fn simulated(tables: usize, counters: usize, live: usize) -> f64 {
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
    100.0 * passed as f64 / (ROUNDS * LOOKUPS) as f64
}

/// Returns the false-positive rate of the actual filter, in per cent.
fn measured(live: usize) -> f64 {
    let mut rng = Rng::new(1);
    let mut passed = 0;
    for _ in 0..ROUNDS {
        let mut filter = RepetitionFilter::new();
        (0..live).for_each(|_| filter.insert(ZobristKey(rng.next_u64())));
        passed +=
            (0..LOOKUPS).filter(|_| filter.may_contain(ZobristKey(rng.next_u64()))).count() as u64;
    }
    100.0 * passed as f64 / (ROUNDS * LOOKUPS) as f64
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
    println!("false positives in per cent, by the number of positions in the filter");
    println!("{:24}{:>8}{:>8}{:>8}{:>8}{:>8}", "", 20, 40, 80, 120, 180);
    let shapes = [
        ("1 slot of 65,536", 1, 65536),
        ("2 slots of 2,048", 2, 2048),
        ("2 slots of 4,096", 2, 4096),
    ];
    for (name, tables, counters) in shapes {
        print!("{name:24}");
        POSITIONS.iter().for_each(|&live| print!("{:8.4}", simulated(tables, counters, live)));
        println!();
    }
    print!("{:24}", "2 slots of 8,192 (used)");
    POSITIONS.iter().for_each(|&live| print!("{:8.4}", measured(live)));

    println!("\n\nnanoseconds per call, by the number of reversible plies");
    println!("{:>5}{:>10}{:>10}{:>10}{:>13}", "", "push+pop", "scan", "upcoming", "no progress");
    let (table, mut rng) = (table(), Rng::new(3));
    for reach in [2, 4, 8, 16, 32, 64] {
        let mut history = KeyHistory::new(ZobristKey(rng.next_u64()), 128);
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
