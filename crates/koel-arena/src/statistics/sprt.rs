//! The generalized sequential probability ratio test (GSPRT) of Michel Van den Bergh: two
//! hypotheses about strength, of which the likelier one wins as soon as it is likely enough.

use serde::{Deserialize, Serialize};

use super::elo::{NORMALIZED_SCALE, expected_score, games_scale};
use super::result_counts::ResultCounts;

/// What the hypotheses are about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// Logistic Elo: the mean score.
    Logistic,
    /// Normalized Elo: the mean score in units of its spread.
    #[default]
    Normalized,
}

/// The log-likelihood ratio of the hypothesis `elo1` to `elo0`. 0 when nothing was counted.
pub fn llr<const K: usize>(sample: &ResultCounts<K>, model: EloModel, elo0: f64, elo1: f64) -> f64 {
    if sample.total() == 0 {
        return 0.0;
    }
    let (shares, total) = sample.shares();
    let likeliest = |elo| match model {
        EloModel::Logistic => likeliest_with_mean(&shares, expected_score(elo)),
        EloModel::Normalized => likeliest_with_lead(&shares, elo),
    };
    let (under0, under1) = (likeliest(elo0), likeliest(elo1));
    total * (0..K).map(|i| shares[i] * (under1[i] / under0[i]).ln()).sum::<f64>()
}

/// The likeliest distribution of results whose mean is `mean`.
fn likeliest_with_mean<const K: usize>(shares: &[f64; K], mean: f64) -> [f64; K] {
    tilted(shares, &ResultCounts::<K>::scores().map(|score| score - mean))
}

const MOST_ROUNDS: usize = 10;
const CLOSE_ENOUGH: f64 = 1e-9;

/// The likeliest distribution of results whose lead, in units of its own spread, is `elo`: since
/// the spread is not known before, by steps from a guess.
fn likeliest_with_lead<const K: usize>(shares: &[f64; K], elo: f64) -> [f64; K] {
    let scores = ResultCounts::<K>::scores();
    let lead = games_scale::<K>() * elo / NORMALIZED_SCALE;
    let mut guess = [1.0 / K as f64; K];
    for _ in 0..MOST_ROUNDS {
        let mean: f64 = (0..K).map(|i| guess[i] * scores[i]).sum();
        let variance: f64 = (0..K).map(|i| guess[i] * (scores[i] - mean).powi(2)).sum();
        let deviation = variance.sqrt();
        let moments = scores.map(|score| {
            let bend = 1.0 + ((score - mean) / deviation).powi(2);
            score - 0.5 - 0.5 * lead * deviation * bend
        });
        let next = tilted(shares, &moments);
        let step = (0..K).map(|i| (next[i] - guess[i]).abs()).fold(0.0, f64::max);
        guess = next;
        if step < CLOSE_ENOUGH {
            break;
        }
    }
    guess
}

/// The distribution nearest to `shares` under which `moments` vanish on average: each share is
/// divided by `1 + tilt * moment`.
fn tilted<const K: usize>(shares: &[f64; K], moments: &[f64; K]) -> [f64; K] {
    let tilt = tilt(shares, moments);
    std::array::from_fn(|i| shares[i] / (1.0 + tilt * moments[i]))
}

/// The root of a function that falls from plus to minus infinity: Newton's steps, and halving
/// where they would leave the interval.
fn tilt<const K: usize>(shares: &[f64; K], moments: &[f64; K]) -> f64 {
    let largest = moments.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let smallest = moments.iter().copied().fold(f64::INFINITY, f64::min);
    if smallest >= 0.0 || largest <= 0.0 {
        return 0.0;
    }
    let (mut low, mut high) = (-1.0 / largest, -1.0 / smallest);
    let mut at = 0.0;
    for _ in 0..200 {
        let (mut value, mut slope) = (0.0, 0.0);
        for (share, moment) in shares.iter().zip(moments) {
            let part = moment / (1.0 + at * moment);
            value += share * part;
            slope -= share * part * part;
        }
        *(if value > 0.0 { &mut low } else { &mut high }) = at;
        let newton = at - value / slope;
        let next = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
        if (next - at).abs() <= 1e-14 * (1.0 + at.abs()) {
            return next;
        }
        at = next;
    }
    at
}

/// A test that ends as soon as one of two hypotheses is likely enough.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The lead if the change is not good enough.
    pub elo0: f64,
    /// The lead if it is.
    pub elo1: f64,
    /// How often a test may accept `elo1` when `elo0` is true.
    pub alpha: f64,
    /// How often a test may accept `elo0` when `elo1` is true.
    pub beta: f64,
    /// What both hypotheses are about.
    pub model: EloModel,
}

/// How a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Neither hypothesis is likely enough yet.
    Open,
    /// `elo0` is accepted: the change is not good enough.
    AcceptElo0,
    /// `elo1` is accepted: the change is good enough.
    AcceptElo1,
}

impl Sprt {
    /// The usual test: both errors 5 %, normalized Elo.
    pub fn new(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model: EloModel::Normalized }
    }

    /// Where the ratio decides: at or below the first for `elo0`, at or above the second for
    /// `elo1`.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio so far.
    pub fn llr<const K: usize>(&self, sample: &ResultCounts<K>) -> f64 {
        llr(sample, self.model, self.elo0, self.elo1)
    }

    /// How the test stands.
    pub fn decide<const K: usize>(&self, sample: &ResultCounts<K>) -> Decision {
        let (llr, (lower, upper)) = (self.llr(sample), self.bounds());
        if llr <= lower {
            Decision::AcceptElo0
        } else if llr >= upper {
            Decision::AcceptElo1
        } else {
            Decision::Open
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-3, "{found} is not {expected}");
    }

    #[test]
    fn known_ratios_of_pairs() {
        use EloModel::{Logistic, Normalized};
        let known = [
            (Normalized, [365, 16_618, 36_229, 16_974, 390], 0.0, 2.0, 2.2504),
            (Normalized, [127, 4_883, 10_712, 5_150, 104], -1.75, 0.25, 3.0102),
            (Logistic, [223, 9_863, 21_279, 10_037, 246], 0.5, 2.5, -3.0741),
            (Logistic, [871, 26_175, 55_983, 26_678, 821], 0.0, 2.0, -4.9787),
            (Normalized, [0, 0, 4, 1, 5], 0.0, 100.0, 2.2926),
        ];
        for (model, counts, elo0, elo1, expected) in known {
            close(llr(&ResultCounts(counts), model, elo0, elo1), expected);
        }
    }

    #[test]
    fn known_ratios_of_games() {
        use EloModel::{Logistic, Normalized};
        let known = [
            (Normalized, [36_027, 68_692, 36_433], 0.0, 2.0, 0.9233),
            (Normalized, [10_650, 20_431, 10_871], -1.75, 0.25, 2.2975),
            (Logistic, [21_184, 40_708, 21_404], 0.5, 2.5, -1.5719),
            (Logistic, [57_030, 106_593, 57_433], 0.0, 2.0, -2.5930),
        ];
        for (model, counts, elo0, elo1, expected) in known {
            close(llr(&ResultCounts(counts), model, elo0, elo1), expected);
        }
    }

    #[test]
    fn the_bounds_are_those_users_know() {
        let wide = Sprt { alpha: 0.1, beta: 0.1, ..Sprt::new(0.0, 100.0) };
        close(wide.bounds().0, -2.1972);
        close(wide.bounds().1, 2.1972);
        assert_eq!(wide.decide(&ResultCounts([0, 0, 4, 1, 5])), Decision::AcceptElo1);
        assert_eq!(wide.decide(&ResultCounts([5, 1, 4, 0, 0])), Decision::AcceptElo0);
        assert_eq!(Sprt::new(0.0, 100.0).decide(&ResultCounts([0, 0, 4, 1, 5])), Decision::Open);
    }

    #[test]
    fn extremes_give_numbers() {
        for counts in [[0; 5], [0, 0, 500, 0, 0], [500, 0, 0, 0, 0], [0, 0, 0, 0, 500]] {
            for model in [EloModel::Logistic, EloModel::Normalized] {
                let found = llr(&ResultCounts(counts), model, 0.0, 10.0);
                assert!(found.is_finite(), "{counts:?} {model:?} {found}");
            }
        }
        assert_eq!(llr(&ResultCounts([0; 5]), EloModel::Normalized, 0.0, 10.0), 0.0);
    }
}
