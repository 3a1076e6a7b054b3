//! Elo, normalized Elo, and the likelihood of superiority.

use std::f64::consts::LN_10;
use std::fmt;

use serde::Serialize;

use super::normal::{TWO_SIDED_95, probability_below};
use super::result_counts::ResultCounts;

/// Scale of normalized Elo, twice the Elo points of one unit of the logistic scale: it makes
/// normalized Elo about equal to Elo for even players without draws.
pub(super) const NORMALIZED_SCALE: f64 = 800.0 / LN_10;

/// A value with half the width of its 95 % confidence interval. Either may be infinite, never
/// `NaN`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Half the width of the confidence interval.
    pub error: f64,
}

impl fmt::Display for Estimate {
    /// Writes `12.34 +/- 5.67`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding zero removes the sign of a negative zero.
        write!(f, "{:.2} +/- {:.2}", self.value + 0.0, self.error)
    }
}

/// The difference in strength between two engines, from the side of the first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Strength {
    /// Logistic Elo, from the mean score.
    pub elo: Estimate,
    /// Normalized Elo, from the mean score in units of its standard deviation. It determines the
    /// length of a test whatever the openings and the rate of draws.
    pub normalized_elo: Estimate,
    /// The likelihood of superiority (LOS) of the first engine, from 0 to 1.
    pub superiority: f64,
}

impl Strength {
    /// Returns true if the 95 % confidence interval does not contain zero.
    pub fn is_resolved(&self) -> bool {
        if self.elo.error.is_finite() {
            self.elo.value.abs() > self.elo.error
        } else {
            // Nearly all games were won, or lost: the interval has an infinite end in Elo.
            (self.superiority - 0.5).abs() > 0.475
        }
    }
}

/// Returns the expected score for a difference in Elo, from 0 to 1.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Returns the difference in Elo for an expected score; infinite for 0 and 1.
pub(super) fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}

/// Returns 1 for games, and for pairs the square root of two, which gives both the same scale.
pub(super) fn games_scale<const K: usize>() -> f64 {
    if K == 5 { std::f64::consts::SQRT_2 } else { 1.0 }
}

impl<const K: usize> ResultCounts<K> {
    /// Returns the difference in strength. It is 0 without results and if all are even.
    pub fn strength(&self) -> Strength {
        let total = self.total() as f64;
        let (mean, deviation) = (self.mean(), self.variance().sqrt());
        let difference = mean - 0.5;
        let of_mean = if total > 0.0 { deviation / total.sqrt() } else { f64::INFINITY };
        let margin = TWO_SIDED_95 * of_mean;
        let elo = Estimate { value: elo_of_score(mean), error: half_width(mean, margin) };
        let normalized_elo = Estimate {
            value: ratio(difference, games_scale::<K>() * deviation) * NORMALIZED_SCALE,
            error: match (total, deviation) {
                (0.0, _) => f64::INFINITY,
                (_, 0.0) if difference != 0.0 => f64::INFINITY,
                (_, 0.0) => 0.0,
                _ => TWO_SIDED_95 * NORMALIZED_SCALE / (games_scale::<K>() * total.sqrt()),
            },
        };
        Strength { elo, normalized_elo, superiority: probability_below(ratio(difference, of_mean)) }
    }
}

/// Returns half the confidence interval in Elo for the margin of a mean score.
fn half_width(mean: f64, margin: f64) -> f64 {
    if margin == 0.0 {
        return if elo_of_score(mean).is_finite() { 0.0 } else { f64::INFINITY };
    }
    let width = elo_of_score(mean + margin) - elo_of_score(mean - margin);
    if width.is_nan() { f64::INFINITY } else { width / 2.0 }
}

/// Returns a quotient that is 0 if the dividend is, whatever the divisor.
fn ratio(value: f64, by: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value / by }
}
