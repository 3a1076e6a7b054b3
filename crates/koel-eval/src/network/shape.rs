//! The dimensions of a network.

use std::fmt;

use super::features::FEATURES;
use super::hidden_layers::{HIDDEN1, HIDDEN2};
use super::weights::OUTPUT_BUCKETS;

/// The dimensions of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// King buckets.
    pub king_buckets: u32,
    /// Neurons of the feature transformer, for each perspective.
    pub neurons: u32,
    /// Output buckets, chosen by the number of pieces.
    pub output_buckets: u32,
}

impl Shape {
    /// Returns the shape of a [`Network<K, N>`](super::Network).
    #[must_use]
    pub const fn of<const K: usize, const N: usize>() -> Shape {
        Shape { king_buckets: K as u32, neurons: N as u32, output_buckets: OUTPUT_BUCKETS as u32 }
    }

    /// Returns the numbers of feature weights, feature biases, weights of the first hidden layer
    /// and weights in floating point. They saturate: the header of a corrupt file may state any
    /// shape.
    pub(super) fn counts(self) -> [usize; 4] {
        let [buckets, neurons, outputs] =
            [self.king_buckets, self.neurons, self.output_buckets].map(|count| count as usize);
        let features = buckets.saturating_mul(FEATURES).saturating_mul(neurons);
        let hidden1 = outputs.saturating_mul(HIDDEN1).saturating_mul(neurons);
        let floats = 2 * HIDDEN1 + HIDDEN1 * HIDDEN2 + HIDDEN2 + HIDDEN2 + 1;
        [features, neurons, hidden1, outputs.saturating_mul(floats)]
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shape { king_buckets, neurons, output_buckets } = self;
        let inputs = format_args!("{FEATURES} x {king_buckets} -> {neurons} / 2");
        write!(f, "({inputs}) x 2 -> ({HIDDEN1} -> {HIDDEN2} -> 1) x {output_buckets}")
    }
}
