//! The win-draw-loss model: converts a score to the probabilities of a win, a draw and a loss, and
//! normalises centipawns so that 100 win every second game.
//!
//! At a score of `s`, a game is won with probability 1 / (1 + e^((a - s) / b)) and lost with
//! 1 / (1 + e^((a + s) / b)), where `a` and `b` are polynomials of the material. (Stockfish's WDL
//! model, 2020.)

use koel_search::Score;

use crate::event::WinDrawLoss;

/// The parameter `a`, the score that wins half the games, as a polynomial of the material, the
/// cubic coefficient first. Fitted by `cargo xtask net fit-wdl` to self-play games with the network
/// v21 and 1,000 nodes a move. With more nodes a move, fewer games are decided.
const WIN_RATE_A: [f64; 4] = [-9.528, 96.141, -178.495, 183.619];

/// The parameter `b`, the spread of the logistic curve, likewise.
const WIN_RATE_B: [f64; 4] = [159.887, -410.173, 388.699, -36.508];

/// The range of material to which the polynomials were fitted, as counted by
/// [`koel_eval::material`].
const MIN_MATERIAL: u32 = 17;
const MAX_MATERIAL: u32 = 78;

/// The argument of the polynomials is the material divided by this.
const MATERIAL_UNIT: f64 = 58.0;

/// Returns the win, draw and loss probabilities of the side to move, in thousandths.
pub(crate) fn win_draw_loss(score: Score, material: u32) -> WinDrawLoss {
    let (win, loss) = match score {
        score if score.is_win() => (1000, 0),
        score if score.is_loss() => (0, 1000),
        score => {
            let centipawns = f64::from(score.centipawns());
            (win_rate(centipawns, material), win_rate(-centipawns, material))
        }
    };
    WinDrawLoss { win, draw: 1000 - win - loss, loss }
}

/// Converts internal centipawns to those of the output, of which 100 win every second game at
/// any material.
pub(crate) fn normalise(centipawns: i32, material: u32) -> i32 {
    (100.0 * f64::from(centipawns) / polynomial_at(WIN_RATE_A, material)).round() as i32
}

/// Converts centipawns of the output to internal ones, the inverse of [`normalise`].
pub(crate) fn denormalise(centipawns: i32, material: u32) -> i32 {
    (polynomial_at(WIN_RATE_A, material) * f64::from(centipawns) / 100.0).round() as i32
}

/// Returns the probability of a win, in thousandths.
fn win_rate(centipawns: f64, material: u32) -> u32 {
    let x =
        (centipawns - polynomial_at(WIN_RATE_A, material)) / polynomial_at(WIN_RATE_B, material);
    (1000.0 / (1.0 + (-x).exp())).round() as u32
}

/// Evaluates a polynomial of the material.
fn polynomial_at(polynomial: [f64; 4], material: u32) -> f64 {
    let material = f64::from(material.clamp(MIN_MATERIAL, MAX_MATERIAL)) / MATERIAL_UNIT;
    polynomial.into_iter().fold(0.0, |sum, coefficient| sum * material + coefficient)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_add_up_and_rise_with_the_score() {
        for material in [0, 17, 30, 58, 78, 200] {
            let mut before = 0;
            for centipawns in (-3000..=3000).step_by(7) {
                let [one, other] = [centipawns, -centipawns]
                    .map(|centipawns| win_rate(f64::from(centipawns), material));
                assert!(one + other <= 1000 && one >= before);
                before = one;
            }
            let wdl = win_draw_loss(Score::DRAW, material);
            assert!(wdl.win == wdl.loss && wdl.draw > 50, "{wdl:?}");
        }
    }

    #[test]
    fn a_hundred_wins_every_second_game() {
        for material in [10, 20, 40, 60, 78] {
            let half = polynomial_at(WIN_RATE_A, material);
            assert!((20.0..500.0).contains(&half), "{material}: {half}");
            assert!((495..=505).contains(&win_rate(half, material)));
            // `half` is rounded to a whole centipawn, and one is up to 1.5 of the output.
            assert_eq!(denormalise(100, material), half.round() as i32);
            assert!((99..=101).contains(&normalise(half.round() as i32, material)));
            assert_eq!(normalise(0, material), 0);
        }
    }

    #[test]
    fn a_mate_is_a_certain_win() {
        assert_eq!(
            win_draw_loss(Score::mated_in(0), 40),
            WinDrawLoss { win: 0, draw: 0, loss: 1000 }
        );
        assert_eq!(
            win_draw_loss(-Score::mated_in(3), 40),
            WinDrawLoss { win: 1000, draw: 0, loss: 0 }
        );
    }
}
