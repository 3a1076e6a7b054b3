//! The generalized sequential probability ratio test (GSPRT) of Michel Van den Bergh: a test of two
//! hypotheses about strength that ends when their likelihood ratio reaches a bound.

use serde::{Deserialize, Serialize};

use super::elo::{NORMALIZED_SCALE, expected_score, games_scale};
use super::result_counts::ResultCounts;

/// The unit of the hypotheses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum EloModel {
    /// Normalized Elo, from the mean score in units of its standard deviation: the length of the
    /// test does not depend on draws and openings
    #[default]
    Normalized,
    /// Logistic Elo, from the mean score
    Logistic,
}

/// Returns the log-likelihood ratio of the hypotheses `elo1` and `elo0`; 0 without results.
/// Normalized Elo is from -200 to 200.
pub fn llr<const K: usize>(counts: &ResultCounts<K>, model: EloModel, elo0: f64, elo1: f64) -> f64 {
    if counts.total() == 0 {
        return 0.0;
    }
    let (frequencies, total) = counts.frequencies();
    let max_likelihood = |elo| match model {
        EloModel::Logistic => {
            let mean = expected_score(elo);
            tilt(&frequencies, &ResultCounts::<K>::scores().map(|score| score - mean))
        }
        EloModel::Normalized => max_likelihood_with_normalized_elo(&frequencies, elo),
    };
    let (under0, under1) = (max_likelihood(elo0), max_likelihood(elo1));
    total * (0..K).map(|i| frequencies[i] * (under1[i] / under0[i]).ln()).sum::<f64>()
}

const MAX_ITERATIONS: usize = 10;
const TOLERANCE: f64 = 1e-9;

/// Returns the maximum-likelihood distribution with this normalized Elo. Its standard deviation is
/// not known in advance, so it is found by fixed-point iteration.
fn max_likelihood_with_normalized_elo<const K: usize>(
    frequencies: &[f64; K],
    elo: f64,
) -> [f64; K] {
    let scores = ResultCounts::<K>::scores();
    let target = games_scale::<K>() * elo / NORMALIZED_SCALE;
    let mut guess = [1.0 / K as f64; K];
    for _ in 0..MAX_ITERATIONS {
        let mean: f64 = (0..K).map(|i| guess[i] * scores[i]).sum();
        let variance: f64 = (0..K).map(|i| guess[i] * (scores[i] - mean).powi(2)).sum();
        let deviation = variance.sqrt();
        let moments = scores.map(|score| {
            let curvature = 1.0 + ((score - mean) / deviation).powi(2);
            score - 0.5 - 0.5 * target * deviation * curvature
        });
        let next = tilt(frequencies, &moments);
        let step = (0..K).map(|i| (next[i] - guess[i]).abs()).fold(0.0, f64::max);
        guess = next;
        if step < TOLERANCE {
            break;
        }
    }
    guess
}

/// Returns the maximum-likelihood distribution under which the mean of `moments` is zero: each
/// frequency divided by `1 + factor * moment`.
fn tilt<const K: usize>(frequencies: &[f64; K], moments: &[f64; K]) -> [f64; K] {
    let factor = tilt_factor(frequencies, moments);
    std::array::from_fn(|i| frequencies[i] / (1.0 + factor * moments[i]))
}

/// Returns the root of a function that decreases from plus to minus infinity, by bisection: Newton
/// steps can end at a pole.
fn tilt_factor<const K: usize>(frequencies: &[f64; K], moments: &[f64; K]) -> f64 {
    let largest = moments.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let smallest = moments.iter().copied().fold(f64::INFINITY, f64::min);
    if smallest >= 0.0 || largest <= 0.0 {
        return 0.0;
    }
    let (mut low, mut high) = (-1.0 / largest, -1.0 / smallest);
    loop {
        let at = f64::midpoint(low, high);
        if at <= low || at >= high {
            return at;
        }
        let parts = frequencies.iter().zip(moments);
        let value: f64 = parts.map(|(&f, &moment)| f * moment / (1.0 + at * moment)).sum();
        *(if value > 0.0 { &mut low } else { &mut high }) = at;
    }
}

/// A sequential test of two hypotheses about the difference in strength.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The Elo difference of the null hypothesis: the change is not good enough.
    pub elo0: f64,
    /// The Elo difference of the alternative hypothesis: the change is good enough.
    pub elo1: f64,
    /// The probability of accepting `elo1` if `elo0` is true.
    pub alpha: f64,
    /// The probability of accepting `elo0` if `elo1` is true.
    pub beta: f64,
    /// The unit of both differences.
    pub model: EloModel,
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Neither hypothesis is accepted yet.
    Open,
    /// `elo0` is accepted: the change is not good enough.
    AcceptElo0,
    /// `elo1` is accepted: the change is good enough.
    AcceptElo1,
}

impl Sprt {
    /// Returns the usual test: both error rates 5 %, normalized Elo.
    pub fn new(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model: EloModel::Normalized }
    }

    /// Returns the bounds of the log-likelihood ratio: at or below the first `elo0` is accepted, at
    /// or above the second `elo1`.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Returns the log-likelihood ratio.
    pub fn llr<const K: usize>(&self, counts: &ResultCounts<K>) -> f64 {
        llr(counts, self.model, self.elo0, self.elo1)
    }

    /// Returns the decision of the test.
    pub fn decide<const K: usize>(&self, counts: &ResultCounts<K>) -> Decision {
        let (llr, (lower, upper)) = (self.llr(counts), self.bounds());
        if llr <= lower {
            Decision::AcceptElo0
        } else if llr >= upper {
            Decision::AcceptElo1
        } else {
            Decision::Open
        }
    }
}
