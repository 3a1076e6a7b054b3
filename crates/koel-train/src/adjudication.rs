//! Early ends of self-play games: decided positions teach the network nothing more.

use koel_board::{Color, Game, Outcome};
use koel_search::Score;

use crate::training_game::GameResult;

/// Thresholds for ending games early. Scores are centipawns.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct SelfplayAdjudication {
    /// A side wins when its score is at least this...
    pub(crate) win_score: i32,
    /// ...for this many consecutive plies.
    pub(crate) win_plies: u32,
    /// The game is drawn when the score of neither side exceeds this...
    pub(crate) draw_score: i32,
    /// ...for this many consecutive plies...
    pub(crate) draw_plies: u32,
    /// ...and this many plies of the game were played.
    pub(crate) draw_min_ply: usize,
    /// A game of this many plies is drawn.
    pub(crate) max_plies: usize,
}

impl Default for SelfplayAdjudication {
    fn default() -> SelfplayAdjudication {
        SelfplayAdjudication {
            win_score: 2_000,
            win_plies: 4,
            draw_score: 5,
            draw_plies: 12,
            draw_min_ply: 60,
            max_plies: 400,
        }
    }
}

/// The adjudication state of one game.
#[derive(Debug)]
pub(crate) struct Adjudicator {
    thresholds: SelfplayAdjudication,
    /// Consecutive plies with a winning score for White.
    white_winning: u32,
    /// Consecutive plies with a winning score for Black.
    black_winning: u32,
    /// Consecutive plies with a drawish score.
    drawish: u32,
}

impl Adjudicator {
    /// Creates the state of a game without scores.
    #[must_use]
    pub(crate) fn new(thresholds: SelfplayAdjudication) -> Adjudicator {
        Adjudicator { thresholds, white_winning: 0, black_winning: 0, drawish: 0 }
    }

    /// Takes the score of the next search, from White's view, and the ply of the game, and returns
    /// the result if the game ends there. A mate score ends the game at once.
    pub(crate) fn update(&mut self, white_score: Score, ply: usize) -> Option<GameResult> {
        let thresholds = self.thresholds;
        let score = white_score.centipawns();
        count_consecutive(&mut self.white_winning, score >= thresholds.win_score);
        count_consecutive(&mut self.black_winning, score <= -thresholds.win_score);
        count_consecutive(&mut self.drawish, score.abs() <= thresholds.draw_score);
        if white_score.is_win() || self.white_winning >= thresholds.win_plies {
            return Some(GameResult::Win(Color::White));
        }
        if white_score.is_loss() || self.black_winning >= thresholds.win_plies {
            return Some(GameResult::Win(Color::Black));
        }
        let is_drawish = self.drawish >= thresholds.draw_plies && ply >= thresholds.draw_min_ply;
        (is_drawish || ply >= thresholds.max_plies).then_some(GameResult::Draw)
    }
}

/// Adds one to a count of consecutive plies, or resets it.
fn count_consecutive(count: &mut u32, holds: bool) {
    *count = if holds { *count + 1 } else { 0 };
}

/// Returns the result by the rules of chess in the current position, if the game has ended.
#[must_use]
pub(crate) fn result_by_rule(game: &Game) -> Option<GameResult> {
    game.outcome().map(|outcome| match outcome {
        Outcome::Win(side) => GameResult::Win(side),
        Outcome::Draw(_) => GameResult::Draw,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decided_games_end() {
        let mut adjudicator = Adjudicator::new(SelfplayAdjudication::default());
        let mut update = |score, ply| adjudicator.update(Score::from_centipawns(score), ply);
        for (ply, score) in [2_000, 2_100, 1_999, 2_000, 2_000, 2_000].into_iter().enumerate() {
            assert_eq!(update(score, ply), None);
        }
        assert_eq!(update(2_000, 6), Some(GameResult::Win(Color::White)));
        assert!((0..3).all(|ply| update(-3_000, ply).is_none()));
        assert_eq!(update(-3_000, 3), Some(GameResult::Win(Color::Black)));
        assert!((49..60).all(|ply| update(-5, ply).is_none()));
        assert_eq!(update(5, 60), Some(GameResult::Draw));
        assert_eq!(update(100, 400), Some(GameResult::Draw));
        assert_eq!(adjudicator.update(Score::mated_in(3), 1), Some(GameResult::Win(Color::Black)));
    }
}
