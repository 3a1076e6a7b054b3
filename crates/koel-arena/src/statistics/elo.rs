//! Elo, normalized Elo, and the likelihood of superiority.

use std::f64::consts::LN_10;

use super::normal::{TWO_SIDED_95, probability_below};
use super::result_counts::ResultCounts;

/// Elo points for each unit of the logistic scale, twice over: normalized Elo is scaled by it so
/// that it is about Elo for even players without draws.
pub(super) const NORMALIZED_SCALE: f64 = 800.0 / LN_10;

/// A figure with half the width of its 95 % interval. Either may be infinite, never `NaN`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// How much it may be off, either way.
    pub error: f64,
}

/// How much stronger the first of two engines is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Logistic Elo: what the mean score says.
    pub elo: Estimate,
    /// Normalized Elo: the mean score in units of its spread; it decides how many games a test
    /// takes, whatever the openings and the draws.
    pub normalized_elo: Estimate,
    /// The probability that the first is the stronger, from 0 to 1.
    pub superiority: f64,
}

impl Strength {
    /// Whether it is told from zero: the interval of 95 % leaves zero out.
    pub fn is_resolved(&self) -> bool {
        if self.elo.error.is_finite() {
            self.elo.value.abs() > self.elo.error
        } else {
            // Nearly all was won, or lost: no end of the interval on the scale of Elo.
            (self.superiority - 0.5).abs() > 0.475
        }
    }
}

/// The score that a lead of so many Elo points promises, from 0 to 1.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The lead for which that score is expected; infinite for 0 and 1.
pub(super) fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}

/// 1 for games; for pairs the square root of two, which makes one scale of both.
pub(super) fn games_scale<const K: usize>() -> f64 {
    if K == 5 { std::f64::consts::SQRT_2 } else { 1.0 }
}

impl<const K: usize> ResultCounts<K> {
    /// What these results say. Without any, and when all are even, the lead is 0.
    pub fn strength(&self) -> Strength {
        let total = self.total() as f64;
        let (mean, deviation) = (self.mean(), self.variance().sqrt());
        let lead = mean - 0.5;
        let of_mean = if total > 0.0 { deviation / total.sqrt() } else { f64::INFINITY };
        let margin = TWO_SIDED_95 * of_mean;
        let elo = Estimate { value: elo_of_score(mean), error: half_width(mean, margin) };
        let normalized_elo = Estimate {
            value: ratio(lead, games_scale::<K>() * deviation) * NORMALIZED_SCALE,
            error: match (total, deviation) {
                (0.0, _) => f64::INFINITY,
                (_, 0.0) if lead != 0.0 => f64::INFINITY,
                (_, 0.0) => 0.0,
                _ => TWO_SIDED_95 * NORMALIZED_SCALE / (games_scale::<K>() * total.sqrt()),
            },
        };
        Strength { elo, normalized_elo, superiority: probability_below(ratio(lead, of_mean)) }
    }
}

/// Half the interval that the margin of the mean makes on the scale of Elo.
fn half_width(mean: f64, margin: f64) -> f64 {
    if margin == 0.0 {
        return if elo_of_score(mean).is_finite() { 0.0 } else { f64::INFINITY };
    }
    let width = elo_of_score(mean + margin) - elo_of_score(mean - margin);
    if width.is_nan() { f64::INFINITY } else { width / 2.0 }
}

/// A quotient for which nothing divided by anything is nothing.
fn ratio(value: f64, by: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value / by }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() < tolerance, "{found} is not {expected}");
    }

    #[test]
    fn the_published_block_is_reproduced() {
        let strength = ResultCounts([0, 0, 4, 1, 5]).strength();
        close(strength.elo.value, 214.85, 0.005);
        close(strength.elo.error, 167.75, 0.005);
        close(strength.normalized_elo.value, 286.46, 0.005);
        close(strength.normalized_elo.error, 152.27, 0.005);
        close(strength.superiority, 0.9999, 0.000_05);
    }

    #[test]
    fn even_pairs_divide_by_nothing() {
        let strength = ResultCounts([0, 0, 40, 0, 0]).strength();
        let zero = Estimate { value: 0.0, error: 0.0 };
        assert_eq!(strength, Strength { elo: zero, normalized_elo: zero, superiority: 0.5 });
    }

    #[test]
    fn what_leaves_zero_out_is_resolved() {
        for counts in [[0, 0, 4, 1, 5], [20, 30, 50, 10, 5], [0, 0, 0, 0, 9], [0, 0, 0, 1, 99]] {
            assert!(ResultCounts(counts).strength().is_resolved(), "{counts:?}");
        }
        for counts in [[0; 5], [0, 0, 40, 0, 0], [5, 20, 50, 22, 5], [0, 0, 1, 1, 0]] {
            assert!(!ResultCounts(counts).strength().is_resolved(), "{counts:?}");
        }
    }

    #[test]
    fn nothing_is_ever_not_a_number() {
        for counts in [[0; 5], [0, 0, 0, 0, 9], [9, 0, 0, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 1, 9]] {
            let strength = ResultCounts(counts).strength();
            for estimate in [strength.elo, strength.normalized_elo] {
                assert!(!estimate.value.is_nan() && !estimate.error.is_nan(), "{counts:?}");
            }
            assert!((0.0..=1.0).contains(&strength.superiority), "{counts:?}");
        }
    }

    #[test]
    fn scores_and_leads_are_inverse() {
        for elo in [-400.0, -7.5, 0.0, 120.0] {
            close(elo_of_score(expected_score(elo)), elo, 1e-9);
        }
    }
}
