//! Games that are decided before the rules say so.

use koel_uci::UciScore;
use serde::{Deserialize, Serialize};
use shakmaty::Color;

/// When a game ends early. Scores are those of the engines themselves, and both must agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// The loser is so far behind, for so long.
    pub resign: Option<ResignRule>,
    /// Nobody is ahead, for so long.
    pub draw: Option<DrawRule>,
    /// A draw after so many moves of each.
    pub max_moves: Option<u32>,
}

/// When a game is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// For so many moves of each in a row.
    pub moves: u32,
    /// At least so many centipawns.
    pub score: i32,
}

/// When a game is a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// Not before this move, counted from the opening as a game counts its moves.
    pub from_move: u32,
    /// For so many moves of each in a row.
    pub moves: u32,
    /// At most so many centipawns.
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
    /// Games are played until the rules end them.
    pub const NONE: Adjudication = Adjudication { resign: None, draw: None, max_moves: None };
}

/// Why a game was ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EarlyEnd {
    /// This side has won.
    Won(Color),
    /// The engines agree on a draw.
    Draw,
    /// It has taken too long.
    TooLong,
}

/// What the engines have said so far. Runs are counted in half-moves.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AdjudicationState {
    white_ahead: u32,
    black_ahead: u32,
    level: u32,
    plies: u32,
}

/// A mate is worth more than any score.
const MATE: i32 = 1_000_000;

impl AdjudicationState {
    /// Takes note of a move that `mover` has played as move number `number`, and of the score
    /// it gave.
    pub(crate) fn note(
        &mut self,
        rules: &Adjudication,
        mover: Color,
        number: u32,
        score: Option<UciScore>,
    ) -> Option<EarlyEnd> {
        self.plies += 1;
        let score = score.map(|score| match score {
            UciScore::Centipawns(worth) => worth,
            UciScore::Mate(moves) => {
                if moves > 0 {
                    MATE
                } else {
                    -MATE
                }
            }
        });
        let for_white =
            score.map(|worth| if mover == Color::White { worth } else { worth.saturating_neg() });
        if let (Some(resign), found) = (rules.resign, for_white.unwrap_or(0)) {
            extend(&mut self.white_ahead, found >= resign.score);
            extend(&mut self.black_ahead, found <= -resign.score);
            for (run, side) in [(self.white_ahead, Color::White), (self.black_ahead, Color::Black)]
            {
                if run >= 2 * resign.moves {
                    return Some(EarlyEnd::Won(side));
                }
            }
        }
        if let Some(draw) = rules.draw {
            let is_level = for_white.is_some_and(|worth| worth.saturating_abs() <= draw.score);
            extend(&mut self.level, is_level && number >= draw.from_move);
            if self.level >= 2 * draw.moves {
                return Some(EarlyEnd::Draw);
            }
        }
        rules.max_moves.filter(|&moves| self.plies >= 2 * moves).map(|_| EarlyEnd::TooLong)
    }
}

fn extend(run: &mut u32, goes_on: bool) {
    *run = if goes_on { *run + 1 } else { 0 };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scores are those of the movers, White first.
    fn ends(rules: &Adjudication, first_number: u32, scores: &[i32]) -> Option<(usize, EarlyEnd)> {
        let mut watch = AdjudicationState::default();
        let movers = [Color::White, Color::Black].into_iter().cycle();
        scores.iter().zip(movers).enumerate().find_map(|(index, (&score, mover))| {
            let number = first_number + index as u32 / 2;
            let end = watch.note(rules, mover, number, Some(UciScore::Centipawns(score)));
            end.map(|end| (index + 1, end))
        })
    }

    #[test]
    fn both_must_see_the_loss() {
        let rules = Adjudication {
            resign: Some(ResignRule { moves: 2, score: 400 }),
            ..Adjudication::NONE
        };
        let won = |side| Some((4, EarlyEnd::Won(side)));
        assert_eq!(ends(&rules, 1, &[400, -400, 500, -900]), won(Color::White));
        assert_eq!(ends(&rules, 1, &[-400, 400, -500, 900]), won(Color::Black));
        assert_eq!(ends(&rules, 1, &[400, -399, 500, -900]), None);
        assert_eq!(ends(&rules, 1, &[400, 400, 400, 400, 400]), None);
    }

    #[test]
    fn draws_are_agreed_late() {
        let draw = Some(DrawRule { from_move: 40, moves: 2, score: 10 });
        let rules = Adjudication { draw, ..Adjudication::NONE };
        let scores = [5, -10, 0, 10, 0, 0];
        assert_eq!(ends(&rules, 40, &scores), Some((4, EarlyEnd::Draw)));
        assert_eq!(ends(&rules, 39, &scores), Some((6, EarlyEnd::Draw)));
        assert_eq!(ends(&rules, 40, &[5, -10, 11, 10, 0]), None);
    }

    #[test]
    fn long_games_are_drawn() {
        let rules = Adjudication { max_moves: Some(2), ..Adjudication::NONE };
        assert_eq!(ends(&rules, 1, &[900; 9]), Some((4, EarlyEnd::TooLong)));
    }
}
