//! Times of small functions.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// The rounds of a measurement, whose median counts...
const ROUNDS: usize = 15;
/// ...and their least length.
const ROUND: Duration = Duration::from_millis(100);

/// Prints the time of a call, and how many millions of `elements` a second that makes if a call
/// handles so many.
pub(crate) fn measure<T>(name: &str, elements: u64, mut call: impl FnMut() -> T) {
    let mut time = |calls: u32| {
        let start = Instant::now();
        for _ in 0..calls {
            black_box(call());
        }
        start.elapsed()
    };
    let mut calls = 1;
    while time(calls) < ROUND {
        calls *= 2;
    }
    let mut times: Vec<f64> =
        (0..ROUNDS).map(|_| time(calls).as_secs_f64() * 1e9 / f64::from(calls)).collect();
    times.sort_by(f64::total_cmp);
    let (median, spread) = (times[ROUNDS / 2], times[ROUNDS - 3] - times[2]);
    let millions = elements as f64 * 1e3 / median;
    println!("{name:60} {median:12.1} ns (spread {spread:.1})  {millions:8.2} M/s");
}
