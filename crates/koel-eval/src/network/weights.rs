//! The numbers of a network, and the way from two accumulators to centipawns.

use std::borrow::Cow;
use std::num::NonZero;

use super::features::FEATURES;
use super::layer::Row;
use super::simd::Level;

/// Ways to weigh the neurons, chosen by the number of pieces.
pub const OUTPUT_BUCKETS: usize = 8;

/// A neuron of 1.0 in the integers of the first layer.
pub const QA: i16 = 255;

/// Centipawns for an output of 1.0: the score that wins three games in four, roughly, is
/// as many.
pub const SCALE: i32 = 400;

/// The bucket for a position with so many pieces, kings included.
#[inline(always)]
#[must_use]
pub fn output_bucket(pieces: usize) -> usize {
    pieces.saturating_sub(2) / 4 % OUTPUT_BUCKETS
}

/// The weights of a network with `K` buckets of king squares and `N` neurons for each side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network<const K: usize, const N: usize> {
    /// One row for each of `K` times [`FEATURES`] inputs, in units of 1/[`QA`].
    pub(super) inputs: Cow<'static, [Row<N>]>,
    /// What the neurons are before any piece stands on the board, in the same units.
    pub(super) start: Row<N>,
    /// For each bucket the weights of the side to move and of the other, in units of 1/`qb`.
    pub(super) outputs: Box<[[Row<N>; 2]; OUTPUT_BUCKETS]>,
    /// What each bucket begins with, in units of 1/([`QA`] `qb`).
    pub(super) constants: [i32; OUTPUT_BUCKETS],
    /// An output weight of 1.0: chosen for each network so that its weights just fit.
    pub(super) qb: NonZero<u16>,
}

impl<const K: usize, const N: usize> Network<K, N> {
    /// All weights zero: every position is worth nothing.
    #[must_use]
    pub fn zero() -> Network<K, N> {
        Network {
            inputs: vec![Row::ZERO; K * FEATURES].into(),
            start: Row::ZERO,
            outputs: Box::new([const { [Row::ZERO; 2] }; OUTPUT_BUCKETS]),
            constants: [0; OUTPUT_BUCKETS],
            qb: const { NonZero::new(64).expect("it is not zero") },
        }
    }

    /// The same network; its inputs, if they are these, lie in the program itself from now on, where
    /// all processes that run it share them.
    ///
    /// Engines that take turns on a core then leave more of its cache to each other: two of them
    /// play a fiftieth faster at 1,000 nodes a move.
    #[must_use]
    pub fn with_inputs_in_program(mut self, inputs: &'static [Row<N>]) -> Network<K, N> {
        if *self.inputs == *inputs {
            self.inputs = Cow::Borrowed(inputs);
        }
        self
    }

    /// Whether its inputs lie there.
    #[cfg(test)]
    pub(crate) fn has_inputs_at(&self, inputs: &[Row<N>]) -> bool {
        std::ptr::eq(&raw const *self.inputs, inputs)
    }

    /// The row of an input, which is below `K` times [`FEATURES`].
    #[inline(always)]
    pub(super) fn input(&self, feature: usize) -> &Row<N> {
        debug_assert!(feature < K * FEATURES, "no view has an input {feature}");
        // A search asks this at every node, so release builds carry no panic along.
        self.inputs.get(feature).unwrap_or(&self.start)
    }

    /// What two accumulators say, in centipawns for the side to move, whose own comes first.
    #[inline(always)]
    #[must_use]
    pub(super) fn output(&self, level: Level, views: [&Row<N>; 2], pieces: usize) -> i32 {
        self.output_of_bucket(level, views, output_bucket(pieces))
    }

    /// The same by a bucket below [`OUTPUT_BUCKETS`].
    #[inline(always)]
    pub(super) fn output_of_bucket(&self, level: Level, views: [&Row<N>; 2], bucket: usize) -> i32 {
        let [ours, theirs] = &self.outputs[bucket];
        let [ours, theirs] = [(views[0], ours), (views[1], theirs)]
            .map(|(view, w)| level.activated_sum(view, w, QA));
        let sum = ours.wrapping_add(theirs);
        let output = sum / i32::from(QA) + self.constants[bucket];
        let divisor = i64::from(QA) * i64::from(self.qb.get());
        let centipawns = i64::from(output) * i64::from(SCALE) / divisor;
        // In range: a sum fits into 32 bits, a constant into 24.
        centipawns as i32
    }
}
