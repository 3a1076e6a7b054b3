//! The performance rating of a player against opponents of known ratings.

use std::f64::consts::LN_10;

use super::elo::{Estimate, expected_score};
use super::normal::TWO_SIDED_95;
use super::result_counts::Pentanomial;

/// The games against one opponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Performance {
    /// The rating of the opponent, taken as exact.
    pub rating: f64,
    /// The pairs from the side of the player.
    pub pairs: Pentanomial,
}

/// Greatest distance of the estimate from the ratings of the opponents.
const MAX_DISTANCE: f64 = 1_000.0;

/// Returns the rating for which the expected points equal the points made, with its 95 % error from
/// the variance of the pairs. `None` without a pair; infinite if every game was won, or lost.
pub fn performance(performances: &[Performance]) -> Option<Estimate> {
    let met = || performances.iter().filter(|played| played.pairs.total() > 0);
    // The sum of a value of each pair.
    let total = |of: &dyn Fn(&Performance) -> f64| -> f64 {
        met().map(|played| played.pairs.total() as f64 * of(played)).sum()
    };
    let pairs = total(&|_| 1.0);
    if pairs == 0.0 {
        return None;
    }
    let made = total(&|played| played.pairs.mean());
    if made <= 0.0 || made >= pairs {
        let value = if made <= 0.0 { f64::NEG_INFINITY } else { f64::INFINITY };
        return Some(Estimate { value, error: f64::INFINITY });
    }
    let lowest = met().map(|played| played.rating).fold(f64::INFINITY, f64::min);
    let highest = met().map(|played| played.rating).fold(f64::NEG_INFINITY, f64::max);
    let (mut low, mut high) = (lowest - MAX_DISTANCE, highest + MAX_DISTANCE);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        let expected = total(&|played| expected_score(middle - played.rating));
        *(if expected < made { &mut low } else { &mut high }) = middle;
    }
    let value = f64::midpoint(low, high);
    // The standard deviation of the points, divided by the slope of the expected points.
    let deviation = total(&|played| played.pairs.variance()).sqrt();
    let slope = total(&|played| {
        let score = expected_score(value - played.rating);
        score * (1.0 - score) * LN_10 / 400.0
    });
    Some(Estimate { value, error: TWO_SIDED_95 * deviation / slope })
}
