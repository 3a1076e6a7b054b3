//! The probability that the signature of a path head accepts a wrong head.
//!
//! `cargo run --release -p koel-search --example head_signature`
#![allow(clippy::print_stdout, reason = "an example shows something")]

use koel_random::Rng;
use koel_search::PathDependence;

const TRIALS: u64 = 2_000_000;

/// Returns a random number that depends on the seed alone.
fn mix(seed: u64) -> u64 {
    Rng::new(seed).next_u64()
}

/// Returns the percentage of paths of this number of keys on which some key has the signature of the
/// head, cut to this number of bits, although the head is not on the path.
fn falsely_accepted(bits: u32, keys: u64) -> f64 {
    let signature = |key| PathDependence::signature(key) >> (u16::BITS - bits);
    let is_accepted = |trial: &u64| {
        let head = signature(mix(trial << 8));
        (1..=keys).any(|index| signature(mix(trial << 8 | index)) == head)
    };
    (0..TRIALS).filter(is_accepted).count() as f64 * 100.0 / TRIALS as f64
}

fn main() {
    println!("Wrong heads accepted, of {TRIALS} paths, in percent:");
    println!("bits   10 keys   50 keys");
    for bits in [3, 5, 12, 16] {
        let [ten, fifty] = [10, 50].map(|keys| falsely_accepted(bits, keys));
        println!("{bits:>4} {ten:>9.4} {fifty:>9.4}");
    }
}
