//! The network in floating point: one long row of numbers.

use koel_eval::network::{FEATURES, OUTPUT_BUCKETS};

use super::aligned::Aligned;
use super::real::Real;
use koel_random::Rng;

/// Where each kind of number stands in the row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Neurons for each side.
    pub neurons: usize,
    /// The first number of the neurons' start; before it are the rows of the inputs.
    pub start: usize,
    /// The first output weight: for each bucket those of the side to move, then of the other.
    pub outputs: usize,
    /// The constant of the first bucket.
    pub constants: usize,
    /// How many numbers there are.
    pub len: usize,
}

impl Layout {
    /// For so many buckets of king squares and so many neurons.
    #[must_use]
    pub const fn new(king_buckets: usize, neurons: usize) -> Layout {
        let start = king_buckets * FEATURES * neurons;
        let outputs = start + neurons;
        let constants = outputs + OUTPUT_BUCKETS * 2 * neurons;
        Layout { neurons, start, outputs, constants, len: constants + OUTPUT_BUCKETS }
    }
}

/// A network of `K` buckets of king squares and `N` neurons, to be trained.
#[derive(Clone, PartialEq, Debug)]
pub struct Model<F, const K: usize, const N: usize> {
    /// The numbers, as [`Layout`] says.
    pub numbers: Aligned<F>,
}

impl<F: Real, const K: usize, const N: usize> Model<F, K, N> {
    /// Where its numbers stand.
    pub const LAYOUT: Layout = Layout::new(K, N);

    /// Small random numbers, with the neurons about half way between their clips.
    #[must_use]
    pub fn random(seed: u64) -> Model<F, K, N> {
        let mut seed = Rng::new(seed);
        let mut within = |limit: f64| F::of((seed.next_f64() * 2.0 - 1.0) * limit);
        let layout = Self::LAYOUT;
        let mut numbers: Vec<F> = (0..layout.start).map(|_| within(0.06)).collect();
        numbers.extend((0..N).map(|_| within(0.1) + F::of(0.2)));
        let outputs = layout.constants - layout.outputs;
        let spread = (3.0 / (2 * N) as f64).sqrt();
        numbers.extend((0..outputs).map(|_| within(spread)));
        numbers.resize(layout.len, F::default());
        Model { numbers: numbers.into_iter().collect() }
    }

    /// The row of an input.
    #[inline(always)]
    pub(super) fn input(&self, number: usize) -> &[F] {
        &self.numbers[number * N..][..N]
    }

    /// What the neurons are before any piece stands on the board.
    #[inline(always)]
    pub(super) fn start(&self) -> &[F] {
        &self.numbers[Self::LAYOUT.start..][..N]
    }

    /// The weights of a bucket, for the side to move and for the other.
    #[inline(always)]
    pub(super) fn outputs(&self, bucket: usize) -> [&[F]; 2] {
        let at = Self::LAYOUT.outputs + bucket * 2 * N;
        [&self.numbers[at..][..N], &self.numbers[at + N..][..N]]
    }

    /// The constant of a bucket.
    #[inline(always)]
    pub(super) fn constant(&self, bucket: usize) -> F {
        self.numbers[Self::LAYOUT.constants + bucket]
    }
}
