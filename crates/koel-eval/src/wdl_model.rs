//! The win-draw-loss model: the probabilities of the results of a game at a score.

use std::fmt;

/// A model of games by score and material.
///
/// At a score of `s` centipawns a game is won with probability 1 / (1 + e^((a - s) / b)) and lost
/// with 1 / (1 + e^((a + s) / b)), where `a` and `b` are polynomials of the material. (Stockfish's
/// WDL model, 2020.)
///
/// ```
/// use koel_eval::WdlModel;
///
/// let model = WdlModel::KOEL;
/// let half = model.half_wins(40);
/// assert!((model.win_probability(half, 40) - 0.5).abs() < 1e-9);
/// assert!(model.win_probability(half + 100.0, 40) > 0.6);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WdlModel {
    /// The score that wins half of the games, `a`, in centipawns: coefficients of the material
    /// divided by [`MATERIAL_UNIT`](Self::MATERIAL_UNIT), the cubic one first.
    pub a: [f64; 4],
    /// The spread of the logistic curve, `b`, likewise: the larger, the more slowly the probability
    /// grows with the score.
    pub b: [f64; 4],
}

impl WdlModel {
    /// The model of Koel's scores. Fitted by `cargo xtask net fit-wdl` to self-play games with the
    /// network v23 and 1,000 nodes a move. With more nodes a move, fewer games are decided.
    pub const KOEL: WdlModel = WdlModel {
        a: [-38.749, 188.783, -280.040, 215.380],
        b: [133.185, -356.037, 338.644, -21.315],
    };

    /// The least [`material`](crate::material) that is told apart.
    pub const MIN_MATERIAL: u32 = 17;
    /// The largest one: that of the start.
    pub const MAX_MATERIAL: u32 = 78;
    /// The material at which the argument of the polynomials is 1.
    pub const MATERIAL_UNIT: f64 = 58.0;

    /// Returns the score in centipawns that wins half of the games with this material.
    #[must_use]
    pub fn half_wins(&self, material: u32) -> f64 {
        polynomial_at(self.a, material)
    }

    /// Converts internal centipawns to those of the output, of which 100 win every second game with
    /// any material.
    #[must_use]
    pub fn normalise(&self, centipawns: i32, material: u32) -> i32 {
        (100.0 * f64::from(centipawns) / self.half_wins(material)).round() as i32
    }

    /// Converts centipawns of the output to internal ones, the inverse of
    /// [`normalise`](Self::normalise).
    #[must_use]
    pub fn denormalise(&self, centipawns: i32, material: u32) -> i32 {
        (self.half_wins(material) * f64::from(centipawns) / 100.0).round() as i32
    }

    /// Returns the probability of a win at a score in centipawns.
    #[must_use]
    pub fn win_probability(&self, centipawns: f64, material: u32) -> f64 {
        let x = (centipawns - polynomial_at(self.a, material)) / polynomial_at(self.b, material);
        1.0 / (1.0 + (-x).exp())
    }

    /// Returns the probabilities of a win, a draw and a loss at a score in centipawns.
    #[must_use]
    pub fn probabilities(&self, centipawns: f64, material: u32) -> [f64; 3] {
        let [win, loss] = [centipawns, -centipawns].map(|s| self.win_probability(s, material));
        [win, 1.0 - win - loss, loss]
    }
}

impl fmt::Display for WdlModel {
    /// Writes both polynomials as the source of [`WdlModel::KOEL`] has them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |numbers: [f64; 4]| numbers.map(|number| format!("{number:.3}")).join(", ");
        write!(f, "a: [{}],\nb: [{}],", list(self.a), list(self.b))
    }
}

/// Evaluates a polynomial of the material.
fn polynomial_at(polynomial: [f64; 4], material: u32) -> f64 {
    let material = material.clamp(WdlModel::MIN_MATERIAL, WdlModel::MAX_MATERIAL);
    let material = f64::from(material) / WdlModel::MATERIAL_UNIT;
    polynomial.into_iter().fold(0.0, |sum, coefficient| sum * material + coefficient)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_wins_every_second_game() {
        let model = WdlModel::KOEL;
        for material in [10, 20, 40, 60, 78] {
            let half = model.half_wins(material);
            assert!((20.0..500.0).contains(&half), "{material}: {half}");
            assert!((model.win_probability(half, material) - 0.5).abs() < 1e-9);
            // `half` is rounded to a whole centipawn, and one is up to 1.5 of the output.
            assert_eq!(model.denormalise(100, material), half.round() as i32);
            assert!((99..=101).contains(&model.normalise(half.round() as i32, material)));
            assert_eq!(model.normalise(0, material), 0);
        }
    }
}
