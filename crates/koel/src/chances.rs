//! What a score means in wins, draws and losses.

use koel_search::Score;
use koel_uci::Wdl;

/// The score at which half the games are won and the others drawn, in centipawns: what "a pawn up"
/// is meant to be.
const HALF_WON: f64 = 100.0;

/// How fast winning becomes sure, in centipawns. Assumed, not fitted to games.
const SPREAD: f64 = 40.0;

/// The chances of the side to move. (Win-Draw-Loss; a logistic curve for each end.)
pub(crate) fn chances(score: Score) -> Wdl {
    let (win, loss) = match score.moves_to_mate() {
        Some(moves) if moves > 0 => (1000, 0),
        Some(_) => (0, 1000),
        None => {
            let centipawns = f64::from(score.centipawns());
            (share_won(centipawns), share_won(-centipawns))
        }
    };
    Wdl { win, draw: 1000 - win - loss, loss }
}

/// In thousandths.
fn share_won(centipawns: f64) -> u32 {
    (1000.0 / (1.0 + ((HALF_WON - centipawns) / SPREAD).exp())).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_add_up_and_rise_with_the_score() {
        let mut before = 0;
        for centipawns in (-3000..=3000).step_by(7) {
            let (one, other) =
                (share_won(f64::from(centipawns)), share_won(-f64::from(centipawns)));
            assert!(one + other <= 1000 && one >= before);
            before = one;
        }
        assert_eq!(share_won(HALF_WON), 500);
        assert_eq!(chances(Score::DRAW), Wdl { win: 76, draw: 848, loss: 76 });
    }

    #[test]
    fn a_mate_leaves_no_doubt() {
        assert_eq!(chances(Score::mated_in(0)), Wdl { win: 0, draw: 0, loss: 1000 });
        assert_eq!(chances(-Score::mated_in(3)), Wdl { win: 1000, draw: 0, loss: 0 });
    }
}
