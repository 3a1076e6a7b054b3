//! An evaluation of one's own: a network of another shape, or a handful of lines.

use koel_board::{Move, Position};

use crate::centipawns::Centipawns;

/// An evaluation that takes the place of Koel's, shared by all threads. The search
/// adds its corrections to the values and nothing else: mop-up, scaling by material and damping by
/// the fifty-move rule are parts of Koel's own.
///
/// A function of a position is one:
///
/// ```
/// use koel_board::{Color, Position, Role};
/// use koel_eval::{Centipawns, Evaluation};
///
/// let knights = |position: &Position| {
///     let count = |color: Color| position.pieces(color, Role::Knight).count() as i32;
///     let us = position.turn();
///     Centipawns(300 * (count(us) - count(!us)))
/// };
/// let evaluation = Evaluation::custom(knights);
/// let position = Position::from_fen("4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1")?;
/// assert_eq!(evaluation.evaluate(&position), Centipawns(600));
/// # Ok::<(), koel_board::FenError>(())
/// ```
pub trait CustomEvaluation: Send + Sync {
    /// Returns an evaluator for one thread.
    fn evaluator(&self) -> Box<dyn CustomEvaluator>;
}

/// The evaluator of one thread, which may follow the moves of the search.
pub trait CustomEvaluator: Send {
    /// Begins a line with this position.
    fn restart(&mut self, position: &Position) {
        let _ = position;
    }

    /// Follows a move of the line, which leads to this position. Null moves are not told: they
    /// change no piece.
    fn make(&mut self, m: Move, after: &Position) {
        let _ = (m, after);
    }

    /// Takes the last move back.
    fn unmake(&mut self) {}

    /// Returns the evaluation of the last position of the line, for the side to move. The search
    /// keeps it within what is no mate and no win by the endgame tables.
    fn evaluate(&mut self, position: &Position) -> Centipawns;
}

impl<F: Fn(&Position) -> Centipawns + Clone + Send + Sync + 'static> CustomEvaluation for F {
    fn evaluator(&self) -> Box<dyn CustomEvaluator> {
        Box::new(self.clone())
    }
}

impl<F: Fn(&Position) -> Centipawns + Send> CustomEvaluator for F {
    fn evaluate(&mut self, position: &Position) -> Centipawns {
        self(position)
    }
}
