//! Counts of results, with their mean and variance.

use std::array;

use serde::Serialize;

/// Pairs by their points: 0 (two losses), 1/2, 1, 3/2, 2.
pub type Pentanomial = ResultCounts<5>;

/// Games by their result: losses, draws, wins.
pub type Trinomial = ResultCounts<3>;

/// The counts of `K` possible results, from the worst to the best. Result `i` scores `i / (K - 1)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultCounts<const K: usize>(pub [u64; K]);

/// Replacement of a zero count, which avoids the logarithm of zero.
const ZERO_COUNT: f64 = 1e-3;

impl<const K: usize> Default for ResultCounts<K> {
    fn default() -> Self {
        ResultCounts([0; K])
    }
}

impl<const K: usize> ResultCounts<K> {
    /// Adds one result, given by its index.
    ///
    /// # Panics
    /// If the index is not below `K`.
    pub fn add(&mut self, result: usize) {
        self.0[result] += 1;
    }

    /// Returns the number of results.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns the mean score from 0 to 1; 1/2 without results.
    pub fn mean(&self) -> f64 {
        self.average(Self::score).unwrap_or(0.5)
    }

    /// Returns the variance of one result.
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        self.average(|result| (Self::score(result) - mean).powi(2)).unwrap_or(0.0)
    }

    /// Returns true if every result is the middle one: for pairs, if each was even.
    pub fn is_all_even(&self) -> bool {
        self.total() > 0 && self.0[K / 2] == self.total()
    }

    pub(super) fn score(result: usize) -> f64 {
        result as f64 / (K - 1) as f64
    }

    pub(super) fn scores() -> [f64; K] {
        array::from_fn(Self::score)
    }

    /// Returns the frequency of each result, none of them zero, and the total.
    pub(super) fn frequencies(&self) -> ([f64; K], f64) {
        let counts = self.0.map(|count| if count == 0 { ZERO_COUNT } else { count as f64 });
        let total: f64 = counts.iter().sum();
        (counts.map(|count| count / total), total)
    }

    fn average(&self, value: impl Fn(usize) -> f64) -> Option<f64> {
        let sum: f64 = (0..K).map(|result| self.0[result] as f64 * value(result)).sum();
        (self.total() > 0).then(|| sum / self.total() as f64)
    }
}

impl<const K: usize> Serialize for ResultCounts<K> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.as_slice().serialize(serializer)
    }
}
