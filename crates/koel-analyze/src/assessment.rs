//! The assessment of played moves by their loss of expected score.
//!
//! The expected score of a position is the probability of a win and half that of a draw, by Koel's
//! model of both (`wdl.rs`). The loss of a move is the expected score of its player before it less
//! that after it; it is zero for the best move.

use koel_board::{Game, Position};

use crate::engine::PositionAnalysis;

/// The least loss of a dubious move (`?!`), a mistake (`?`) and a blunder (`??`).
const DUBIOUS: f64 = 0.05;
const MISTAKE: f64 = 0.10;
const BLUNDER: f64 = 0.20;

/// The analysis of a game, as far as it went.
pub(crate) struct GameAnalysis {
    /// One entry for each position from the start on; `None` where the game is over.
    pub(crate) positions: Vec<Option<PositionAnalysis>>,
    /// White's expected score in each of these positions, from 0 to 1.
    pub(crate) expected: Vec<f64>,
    /// The moves between these positions.
    pub(crate) moves: Vec<PlayedMove>,
}

/// A move with its loss.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct PlayedMove {
    pub(crate) is_white: bool,
    /// The loss of expected score, from 0 to 1.
    pub(crate) loss: f64,
}

/// A mark of a bad move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    Dubious,
    Mistake,
    Blunder,
}

impl GameAnalysis {
    /// Assesses the moves between the positions that are analysed.
    pub(crate) fn new(game: &Game, positions: Vec<Option<PositionAnalysis>>) -> GameAnalysis {
        let expected = game.positions().zip(&positions);
        let expected: Vec<f64> = expected.map(|(at, found)| whites_score(&at, found)).collect();
        let steps = game.positions().zip(game.moves()).zip(&positions).zip(expected.windows(2));
        let moves = steps.map(|(((position, played), analysis), expected)| {
            let is_white = position.turn().is_white();
            let is_best = analysis.as_ref().is_some_and(|analysis| analysis.best == played);
            let lost = if is_white { expected[0] - expected[1] } else { expected[1] - expected[0] };
            PlayedMove { is_white, loss: if is_best { 0.0 } else { lost.max(0.0) } }
        });
        let moves = moves.collect();
        GameAnalysis { positions, expected, moves }
    }

    /// Returns the move that led to the position at this ply.
    pub(crate) fn move_before(&self, ply: usize) -> Option<&PlayedMove> {
        self.moves.get(ply.checked_sub(1)?)
    }
}

/// Returns White's expected score.
fn whites_score(position: &Position, analysis: &Option<PositionAnalysis>) -> f64 {
    let own = match analysis {
        Some(analysis) => analysis.expected,
        None if position.is_check() => 0.0,
        None => 0.5,
    };
    if position.turn().is_white() { own } else { 1.0 - own }
}

impl PlayedMove {
    /// Returns the mark that the loss deserves.
    pub(crate) fn mark(self) -> Option<Mark> {
        match self.loss {
            loss if loss >= BLUNDER => Some(Mark::Blunder),
            loss if loss >= MISTAKE => Some(Mark::Mistake),
            loss if loss >= DUBIOUS => Some(Mark::Dubious),
            _ => None,
        }
    }

    /// Returns the accuracy in percent, by the formula of Lichess: 103.17 exp(-4.354 loss) - 3.17,
    /// not below 0 or above 100.
    pub(crate) fn accuracy(self) -> f64 {
        (103.1668 * (-4.354 * self.loss).exp() - 3.1669).clamp(0.0, 100.0)
    }
}

impl Mark {
    pub(crate) const ALL: [Mark; 3] = [Mark::Dubious, Mark::Mistake, Mark::Blunder];

    /// Returns the numeric annotation glyph.
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
    use koel_uci::UciScore;

    use super::*;

    fn played(loss: f64) -> PlayedMove {
        PlayedMove { is_white: true, loss }
    }

    #[test]
    fn marks_begin_at_their_thresholds() {
        let marks = [0.0, 0.049, 0.05, 0.099, 0.1, 0.199, 0.2, 1.0].map(|loss| played(loss).mark());
        let (dubious, mistake, blunder) =
            (Some(Mark::Dubious), Some(Mark::Mistake), Some(Mark::Blunder));
        assert_eq!(marks, [None, None, dubious, dubious, mistake, mistake, blunder, blunder]);
    }

    #[test]
    fn accuracy_falls_with_the_loss() {
        assert!((played(0.0).accuracy() - 100.0).abs() < 0.01);
        assert!((played(0.1).accuracy() - 63.6).abs() < 0.1);
        assert!(played(1.0).accuracy() < 0.1);
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
            Some(PositionAnalysis {
                best: position.parse_uci(best).unwrap(),
                score: UciScore::Centipawns(0),
                expected,
                depth: 1,
                nodes: 1,
                line: Vec::new(),
            })
        });
        let analysis = GameAnalysis::new(&game, analyses.chain([None]).collect());
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
