//! What a score means in wins, draws and losses, and in centipawns of which a hundred win every
//! second game.
//!
//! With a score of `s` and so much material, a game is won with probability 1 / (1 + e^((a - s) /
//! b)) and lost with 1 / (1 + e^((a + s) / b)). (Win-draw-loss model.)

use koel_search::Score;
use koel_uci::UciWdl;

/// The score that wins half the games, as a polynomial of the material, the cubic coefficient
/// first: fitted by `cargo xtask net chances` to the games that Koel, with the network v7, played
/// against itself with 1,000 nodes a move. With more thought fewer games are decided.
const HALF_WON: [f64; 4] = [-214.659, 847.746, -1073.281, 539.357];

/// How slowly a win becomes sure, likewise.
const SPREAD: [f64; 4] = [102.804, -197.908, 134.905, 73.089];

/// The material of which the polynomials are fitted, as [`koel_eval::material`] counts it.
const LEAST_MATERIAL: u32 = 17;
const MOST_MATERIAL: u32 = 78;

/// Their argument is the material divided by this.
const MATERIAL_UNIT: f64 = 58.0;

/// The chances of the side to move, with so much material on the board.
pub(crate) fn chances(score: Score, material: u32) -> UciWdl {
    let (win, loss) = match score {
        score if score.is_win() => (1000, 0),
        score if score.is_loss() => (0, 1000),
        score => {
            let centipawns = f64::from(score.centipawns());
            (share_won(centipawns, material), share_won(-centipawns, material))
        }
    };
    UciWdl { win, draw: 1000 - win - loss, loss }
}

/// Centipawns as users see them: 100 win every second game, whatever the material.
pub(crate) fn normalised(centipawns: i32, material: u32) -> i32 {
    (100.0 * f64::from(centipawns) / at(HALF_WON, material)).round() as i32
}

/// The other way round: what a search counts where users count so many centipawns.
pub(crate) fn searched(centipawns: i32, material: u32) -> i32 {
    (at(HALF_WON, material) * f64::from(centipawns) / 100.0).round() as i32
}

/// In thousandths.
fn share_won(centipawns: f64, material: u32) -> u32 {
    let beyond = (centipawns - at(HALF_WON, material)) / at(SPREAD, material);
    (1000.0 / (1.0 + (-beyond).exp())).round() as u32
}

fn at(polynomial: [f64; 4], material: u32) -> f64 {
    let material = f64::from(material.clamp(LEAST_MATERIAL, MOST_MATERIAL)) / MATERIAL_UNIT;
    polynomial.into_iter().fold(0.0, |sum, coefficient| sum * material + coefficient)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_add_up_and_rise_with_the_score() {
        for material in [0, 17, 30, 58, 78, 200] {
            let mut before = 0;
            for centipawns in (-3000..=3000).step_by(7) {
                let [one, other] = [centipawns, -centipawns]
                    .map(|centipawns| share_won(f64::from(centipawns), material));
                assert!(one + other <= 1000 && one >= before);
                before = one;
            }
            let wdl = chances(Score::DRAW, material);
            assert!(wdl.win == wdl.loss && wdl.draw > 50, "{wdl:?}");
        }
    }

    #[test]
    fn a_hundred_wins_every_second_game() {
        for material in [10, 20, 40, 60, 78] {
            let half = at(HALF_WON, material);
            assert!((20.0..500.0).contains(&half), "{material}: {half}");
            assert!((495..=505).contains(&share_won(half, material)));
            assert_eq!(normalised(half.round() as i32, material), 100);
            assert_eq!(normalised(0, material), 0);
        }
    }

    #[test]
    fn a_mate_leaves_no_doubt() {
        assert_eq!(chances(Score::mated_in(0), 40), UciWdl { win: 0, draw: 0, loss: 1000 });
        assert_eq!(chances(-Score::mated_in(3), 40), UciWdl { win: 1000, draw: 0, loss: 0 });
    }
}
