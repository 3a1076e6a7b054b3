//! The assessment of played moves by their loss of expected score.
//!
//! The expected score of a position is the probability of a win and half that of a draw, by Koel's
//! model of both (`wdl_model.rs` of `koel-eval`). The loss of a move is the expected score of its
//! player before it less that after it; it is zero for the best move.

use koel_board::{Game, Position};

use crate::accuracy::{self, MAX_CENTIPAWNS, Phase};
use crate::engine::PositionAnalysis;

/// The least loss of a dubious move (`?!`), a mistake (`?`) and a blunder (`??`).
const DUBIOUS: f64 = 0.05;
const MISTAKE: f64 = 0.10;
const BLUNDER: f64 = 0.20;

/// The analysis of a game, as far as it was asked for and went.
#[derive(Default)]
pub(crate) struct GameAnalysis {
    /// The ply of the first position that is analysed.
    pub(crate) first: usize,
    /// One entry for each position from there on; `None` where the game is over.
    pub(crate) positions: Vec<Option<PositionAnalysis>>,
    /// White's expected score in each of these positions, from 0 to 1.
    pub(crate) expected: Vec<f64>,
    /// The moves between these positions.
    pub(crate) moves: Vec<PlayedMove>,
    /// True if nothing that was asked for is missing.
    pub(crate) is_complete: bool,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct PlayedMove {
    pub(crate) is_white: bool,
    pub(crate) is_best: bool,
    pub(crate) phase: Phase,
    /// The loss of expected score, from 0 to 1.
    pub(crate) loss: f64,
    /// The loss in centipawns.
    pub(crate) centipawn_loss: f64,
    /// The accuracy in percent.
    pub(crate) accuracy: f64,
    /// The weight of the accuracy in that of the game.
    pub(crate) weight: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    Dubious,
    Mistake,
    Blunder,
}

impl GameAnalysis {
    /// Assesses the moves between the positions that are analysed, from this ply on.
    pub(crate) fn new(
        game: &Game,
        first: usize,
        positions: Vec<Option<PositionAnalysis>>,
    ) -> GameAnalysis {
        let found = || game.positions().skip(first).zip(&positions);
        let expected: Vec<f64> = found().map(|(at, found)| whites_score(&at, found)).collect();
        let centipawns: Vec<f64> = found().map(|(at, found)| centipawns(&at, found)).collect();
        let percents: Vec<f64> = centipawns.iter().map(|&c| accuracy::win_percent(c)).collect();
        let weights = accuracy::weights(&percents);
        let phases = game.positions().scan(Phase::Opening, |phase, position| {
            // A phase that is over does not come again.
            *phase = if Phase::of(&position) > *phase { Phase::of(&position) } else { *phase };
            Some(*phase)
        });
        let played = found().zip(game.moves().skip(first)).zip(phases.skip(first)).zip(weights);
        let moves =
            played.enumerate().map(|(at, ((((position, found), played), phase), weight))| {
                let is_white = position.turn().is_white();
                let is_best = found.as_ref().is_some_and(|found| found.best.first == played);
                // Before and after, from the player's point of view.
                let own = |values: &[f64], whole: f64| {
                    [at, at + 1].map(|at| if is_white { values[at] } else { whole - values[at] })
                };
                let lost = |[before, after]: [f64; 2]| f64::max(before - after, 0.0);
                let [before, after] = own(&percents, 100.0);
                PlayedMove {
                    is_white,
                    is_best,
                    phase,
                    loss: if is_best { 0.0 } else { lost(own(&expected, 1.0)) },
                    centipawn_loss: lost(own(&centipawns, 0.0)),
                    accuracy: accuracy::move_accuracy(before, after),
                    weight,
                }
            });
        let moves = moves.collect();
        GameAnalysis { first, positions, expected, moves, is_complete: true }
    }

    /// Returns the analysis of the position after this many plies.
    pub(crate) fn found(&self, ply: usize) -> Option<&PositionAnalysis> {
        self.positions.get(ply.checked_sub(self.first)?)?.as_ref()
    }

    /// Returns the move that was played in the position after this many plies.
    pub(crate) fn move_at(&self, ply: usize) -> Option<&PlayedMove> {
        self.moves.get(ply.checked_sub(self.first)?)
    }

    /// Returns the move that led to the position at this ply.
    pub(crate) fn move_before(&self, ply: usize) -> Option<&PlayedMove> {
        self.move_at(ply.checked_sub(1)?)
    }
}

fn whites_score(position: &Position, analysis: &Option<PositionAnalysis>) -> f64 {
    let own = match analysis {
        Some(analysis) => analysis.expected,
        None if position.is_check() => 0.0,
        None => 0.5,
    };
    if position.turn().is_white() { own } else { 1.0 - own }
}

/// Returns White's score in centipawns, not beyond [`MAX_CENTIPAWNS`].
fn centipawns(position: &Position, analysis: &Option<PositionAnalysis>) -> f64 {
    let own = match analysis {
        Some(analysis) => f64::from(analysis.best.score.to_centipawns()),
        None if position.is_check() => -MAX_CENTIPAWNS,
        None => 0.0,
    };
    let own = own.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS);
    if position.turn().is_white() { own } else { -own }
}

impl PlayedMove {
    pub(crate) fn mark(self) -> Option<Mark> {
        match self.loss {
            loss if loss >= BLUNDER => Some(Mark::Blunder),
            loss if loss >= MISTAKE => Some(Mark::Mistake),
            loss if loss >= DUBIOUS => Some(Mark::Dubious),
            _ => None,
        }
    }
}

impl Mark {
    pub(crate) const ALL: [Mark; 3] = [Mark::Dubious, Mark::Mistake, Mark::Blunder];

    pub(crate) fn nag(self) -> u32 {
        match self {
            Mark::Dubious => 6,
            Mark::Mistake => 2,
            Mark::Blunder => 4,
        }
    }

    pub(crate) fn text(self) -> &'static str {
        match self {
            Mark::Dubious => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }
}

#[cfg(test)]
mod tests {
    use koel_uci::Score;

    use super::*;

    fn played(loss: f64) -> PlayedMove {
        PlayedMove {
            is_white: true,
            is_best: false,
            phase: Phase::Opening,
            loss,
            centipawn_loss: 0.0,
            accuracy: 100.0,
            weight: 1.0,
        }
    }

    #[test]
    fn marks_begin_at_their_thresholds() {
        let marks = [0.0, 0.049, 0.05, 0.099, 0.1, 0.199, 0.2, 1.0].map(|loss| played(loss).mark());
        let (dubious, mistake, blunder) =
            (Some(Mark::Dubious), Some(Mark::Mistake), Some(Mark::Blunder));
        assert_eq!(marks, [None, None, dubious, dubious, mistake, mistake, blunder, blunder]);
    }

    #[test]
    fn losses_are_those_of_the_player() {
        let mut game = Game::default();
        for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
            game.play(game.position().parse_uci(text).unwrap()).unwrap();
        }
        let best = ["e2e4", "e7e6", "e2e4", "d8h4"];
        // The expected score of the side to move.
        let expected = [0.6, 0.55, 0.4, 1.0];
        let analyses = game.positions().zip(best.iter().zip(expected));
        let analyses = analyses.map(|(position, (best, expected))| {
            Some(PositionAnalysis::new(
                position.parse_uci(best).unwrap(),
                Score::Centipawns(0),
                expected,
            ))
        });
        let analysis = GameAnalysis::new(&game, 0, analyses.chain([None]).collect());
        let close = |found: f64, due: f64| assert!((found - due).abs() < 1e-9, "{found} {due}");
        for (found, due) in analysis.expected.iter().zip([0.6, 0.45, 0.4, 0.0, 0.0]) {
            close(*found, due);
        }
        // Black's e5 lost nothing: the score after it is better than expected.
        for (found, due) in analysis.moves.iter().zip([0.15, 0.0, 0.4, 0.0]) {
            close(found.loss, due);
        }
        assert_eq!(
            analysis.moves.iter().map(|m| m.is_white).collect::<Vec<_>>(),
            [true, false, true, false]
        );
        assert_eq!(analysis.move_before(0), None);
        assert_eq!(analysis.move_before(3).unwrap().mark(), Some(Mark::Blunder));
    }
}
