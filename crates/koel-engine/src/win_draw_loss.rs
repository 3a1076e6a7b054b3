//! Win, draw and loss of a score by Koel's model, and its centipawns in the output.

use koel_eval::WdlModel;
use koel_search::{MAX_PLY, Score};

use crate::event::WinDrawLoss;

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

/// The centipawns of a tablebase win, less the plies to the position that was looked up.
const TABLEBASE_WIN: i32 = 20_000;

/// The largest centipawns of an evaluation, below all tablebase wins.
const MAX_CENTIPAWNS: i32 = TABLEBASE_WIN - MAX_PLY as i32 - 1;

/// Returns the centipawns of a [`Line`](crate::Line) with this score.
pub(crate) fn line_centipawns(score: Score, material: u32) -> i32 {
    match score.plies_to_tablebase() {
        Some(plies) => (TABLEBASE_WIN - plies as i32) * score.centipawns().signum(),
        None => {
            let centipawns = WdlModel::KOEL.normalise(score.centipawns(), material);
            centipawns.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS)
        }
    }
}

/// Returns the probability of a win, in thousandths.
fn win_rate(centipawns: f64, material: u32) -> u32 {
    (1000.0 * WdlModel::KOEL.win_probability(centipawns, material)).round() as u32
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
    fn tablebase_scores_lie_beyond_all_evaluations() {
        for material in [10, 78] {
            let centipawns = |score| line_centipawns(score, material);
            assert_eq!(centipawns(Score::tablebase_win_at(3)), 19_997);
            assert_eq!(centipawns(-Score::tablebase_win_at(3)), -19_997);
            assert!(centipawns(Score::MAX_EVAL) < centipawns(Score::tablebase_win_at(MAX_PLY)));
        }
    }

    #[test]
    fn a_mate_is_a_certain_win() {
        assert_eq!(win_draw_loss(Score::mated_in(0), 40).loss, 1000);
        assert_eq!(win_draw_loss(-Score::mated_in(3), 40).win, 1000);
    }
}
