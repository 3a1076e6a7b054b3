//! The figures of the README: early exits of the filter, and what each question costs.
//!
//! `cargo run --release -p koel-cuckoo --example measure`
#![allow(clippy::print_stdout, reason = "an example shows something")]

use std::hint::black_box;
use std::time::Instant;

use koel_cuckoo::{CycleTable, KeyHistory, RepetitionFilter, ZobristKey};

/// Splitmix64.
struct Random(u64);

impl Random {
    fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

const LIVE: [usize; 5] = [20, 40, 80, 120, 180];
const ROUNDS: u64 = 2000;
const QUESTIONS: u64 = 5000;

/// The share of new positions that pass a table of this shape in vain, in per cent.
fn simulated(tables: usize, counters: usize, live: usize) -> f64 {
    let mut random = Random(1);
    let mut passed = 0;
    for _ in 0..ROUNDS {
        let mut used = vec![false; tables * counters];
        let slot =
            |key: u64, table: usize| table * counters + (key >> (32 * table)) as usize % counters;
        for _ in 0..live {
            let key = random.number();
            (0..tables).for_each(|table| used[slot(key, table)] = true);
        }
        for _ in 0..QUESTIONS {
            let key = random.number();
            passed += u64::from((0..tables).all(|table| used[slot(key, table)]));
        }
    }
    100.0 * passed as f64 / (ROUNDS * QUESTIONS) as f64
}

/// The same of the filter itself.
fn measured(live: usize) -> f64 {
    let mut random = Random(1);
    let mut passed = 0;
    for _ in 0..ROUNDS {
        let mut filter = RepetitionFilter::new();
        (0..live).for_each(|_| filter.insert(ZobristKey(random.number())));
        passed += (0..QUESTIONS).filter(|_| filter.may_contain(ZobristKey(random.number()))).count()
            as u64;
    }
    100.0 * passed as f64 / (ROUNDS * QUESTIONS) as f64
}

/// Nanoseconds a call, the best of five rounds.
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
    let mut random = Random(2);
    loop {
        let keys = core::array::from_fn(|_| core::array::from_fn(|_| random.number()));
        if let Ok(table) = CycleTable::try_new(&keys, random.number()) {
            return table;
        }
    }
}

/// The scan that the filter saves.
fn scan(keys: &[u64], key: u64) -> bool {
    keys.iter().rev().skip(3).step_by(2).any(|&earlier| earlier == key)
}

fn main() {
    println!("new positions that pass in vain, in per cent, by earlier positions in the table");
    println!("{:24}{:>8}{:>8}{:>8}{:>8}{:>8}", "", 20, 40, 80, 120, 180);
    let shapes = [
        ("1 slot of 65,536", 1, 65536),
        ("2 slots of 2,048", 2, 2048),
        ("2 slots of 4,096", 2, 4096),
    ];
    for (name, tables, counters) in shapes {
        print!("{name:24}");
        LIVE.iter().for_each(|&live| print!("{:8.4}", simulated(tables, counters, live)));
        println!();
    }
    print!("{:24}", "2 slots of 8,192 (kept)");
    LIVE.iter().for_each(|&live| print!("{:8.4}", measured(live)));

    println!("\n\nnanoseconds a call, by reversible plies behind the position");
    println!("{:>5}{:>10}{:>10}{:>10}{:>13}", "", "push+pop", "scan", "upcoming", "no progress");
    let (table, mut random) = (table(), Random(3));
    for reach in [2, 4, 8, 16, 32, 64] {
        let mut history = KeyHistory::new(ZobristKey(random.number()), 128);
        let mut keys = vec![random.number()];
        for _ in 0..reach {
            keys.push(random.number());
            history.push(ZobristKey(random.number()), true);
        }
        let push = nanoseconds(|| {
            history.push(ZobristKey(random.number()), true);
            black_box(&mut history).pop();
        });
        let scanned = nanoseconds(|| _ = black_box(scan(black_box(&keys), random.number())));
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
