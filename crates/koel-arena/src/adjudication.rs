//! Adjudication of games by the scores of the engines.

use koel_uci::Score;
use serde::{Deserialize, Serialize};
use shakmaty::Color;

use crate::record::{Ending, Finish};

/// The rules by which a game ends early. Scores are those of the engines, and both must agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// Loss by score; `None` for never.
    pub resign: Option<ResignRule>,
    /// Draw by score; `None` for never.
    pub draw: Option<DrawRule>,
    /// Draw after this number of moves of each side; `None` for never.
    pub max_moves: Option<u32>,
}

/// Adjudication of a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// Number of consecutive moves of each side.
    pub moves: u32,
    /// Smallest score in centipawns.
    pub score: i32,
}

/// Adjudication of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// First move number at which a draw counts. The opening has move numbers too.
    pub from_move: u32,
    /// Number of consecutive moves of each side.
    pub moves: u32,
    /// Greatest absolute score in centipawns.
    pub score: i32,
}

impl Default for Adjudication {
    fn default() -> Adjudication {
        Adjudication {
            resign: Some(ResignRule { moves: 3, score: 600 }),
            draw: Some(DrawRule { from_move: 40, moves: 8, score: 10 }),
            max_moves: Some(300),
        }
    }
}

impl Adjudication {
    /// No adjudication: games are played to their end by the rules.
    pub const NONE: Adjudication = Adjudication { resign: None, draw: None, max_moves: None };
}

/// The scores of a game so far: how long each condition has held, in plies.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AdjudicationState {
    white_ahead: u32,
    black_ahead: u32,
    even: u32,
    plies: u32,
}

impl AdjudicationState {
    /// Adds the score that `mover` gave with move number `number`. Returns the adjudication, if
    /// there is one.
    pub(crate) fn update(
        &mut self,
        rules: &Adjudication,
        mover: Color,
        number: u32,
        score: Option<Score>,
    ) -> Option<Finish> {
        self.plies += 1;
        let sign = if mover == Color::White { 1 } else { -1 };
        let from_white = score.map(|score| score.to_centipawns().saturating_mul(sign));
        if let (Some(resign), score) = (rules.resign, from_white.unwrap_or(0)) {
            extend(&mut self.white_ahead, score >= resign.score);
            extend(&mut self.black_ahead, score <= -resign.score);
            for (run, side) in [(self.white_ahead, Color::White), (self.black_ahead, Color::Black)]
            {
                if run / 2 >= resign.moves {
                    return Some(Finish { winner: Some(side), ending: Ending::Resignation });
                }
            }
        }
        if let Some(draw) = rules.draw {
            let is_even = from_white.is_some_and(|value| value.saturating_abs() <= draw.score);
            extend(&mut self.even, is_even && number >= draw.from_move);
            if self.even / 2 >= draw.moves {
                return Some(Finish { winner: None, ending: Ending::AgreedDraw });
            }
        }
        let is_too_long = rules.max_moves.is_some_and(|moves| self.plies / 2 >= moves);
        is_too_long.then_some(Finish { winner: None, ending: Ending::Length })
    }
}

/// Extends a run of plies, or resets it.
fn extend(run: &mut u32, continues: bool) {
    *run = if continues { *run + 1 } else { 0 };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of scores until the adjudication. Scores are those of the movers, White
    /// first.
    fn ends(rules: &Adjudication, first_number: u32, scores: &[i32]) -> Option<(usize, Finish)> {
        let mut state = AdjudicationState::default();
        let movers = [Color::White, Color::Black].into_iter().cycle();
        scores.iter().zip(movers).enumerate().find_map(|(index, (&score, mover))| {
            let number = first_number + index as u32 / 2;
            let end = state.update(rules, mover, number, Some(Score::Centipawns(score)));
            end.map(|end| (index + 1, end))
        })
    }

    #[test]
    fn both_engines_must_agree_on_a_loss() {
        let rules = Adjudication {
            resign: Some(ResignRule { moves: 2, score: 400 }),
            ..Adjudication::NONE
        };
        let won = |side| Some((4, Finish { winner: Some(side), ending: Ending::Resignation }));
        assert_eq!(ends(&rules, 1, &[400, -400, 500, -900]), won(Color::White));
        assert_eq!(ends(&rules, 1, &[-400, 400, -500, 900]), won(Color::Black));
        assert_eq!(ends(&rules, 1, &[400, -399, 500, -900]), None);
        assert_eq!(ends(&rules, 1, &[400, 400, 400, 400, 400]), None);
    }

    #[test]
    fn draws_count_from_a_move_number_on() {
        let draw = Some(DrawRule { from_move: 40, moves: 2, score: 10 });
        let rules = Adjudication { draw, ..Adjudication::NONE };
        let scores = [5, -10, 0, 10, 0, 0];
        let draw = Finish { winner: None, ending: Ending::AgreedDraw };
        assert_eq!(ends(&rules, 40, &scores), Some((4, draw)));
        assert_eq!(ends(&rules, 39, &scores), Some((6, draw)));
        assert_eq!(ends(&rules, 40, &[5, -10, 11, 10, 0]), None);
    }

    #[test]
    fn long_games_are_drawn() {
        let rules = Adjudication { max_moves: Some(2), ..Adjudication::NONE };
        let too_long = Finish { winner: None, ending: Ending::Length };
        assert_eq!(ends(&rules, 1, &[900; 9]), Some((4, too_long)));
        let rules = Adjudication { max_moves: Some(1 << 31), ..Adjudication::NONE };
        assert_eq!(ends(&rules, 1, &[900; 9]), None);
    }
}
