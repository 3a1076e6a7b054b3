//! The sums that moves change, and what they say.

use koel_board::{Color, Observer, Piece, Position, Role, Square};

use crate::hand_written::{self, FULL_PHASE, PHASES};
use crate::pair::Pair;
use crate::pawn_cache::{PawnCache, PawnEntry};
use crate::tally::Sum;
use crate::{placement, plain, simd};

/// A hundredth of a pawn's worth, from the view that the context names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
pub struct Centipawns(pub i32);

/// How much is known about chess.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// All terms, with weights that were fitted to games.
    #[default]
    HandWritten,
    /// Material and piece-square values alone, set by hand.
    Plain,
}

/// What the pieces are worth where they stand: 16 bytes, made to be copied with the position.
///
/// It is brought up to date by [`Position::play_observed`]; the other terms are computed when
/// they are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Evaluator {
    /// Centipawns from White's view.
    sum: Pair,
    /// The pieces left on both sides, weighted: [`FULL_PHASE`] at the start of a game, 0 with
    /// nothing but kings and pawns. Promotions may raise it further.
    phase: i16,
    style: Style,
}

impl Evaluator {
    /// The sums of a position, from scratch, for the evaluation with all terms.
    #[must_use]
    pub fn new(position: &Position) -> Evaluator {
        Evaluator::with_style(position, Style::HandWritten)
    }

    /// The sums of a position, from scratch.
    #[must_use]
    pub fn with_style(position: &Position, style: Style) -> Evaluator {
        let mut evaluator = Evaluator { sum: Pair::ZERO, phase: 0, style };
        for square in position.occupied() {
            if let Some(piece) = position.piece_at(square) {
                evaluator.placed(piece, square);
            }
        }
        evaluator
    }

    /// The worth of the position from the view of the side to move.
    #[must_use]
    pub fn evaluate(&self, position: &Position) -> Centipawns {
        match self.style {
            Style::HandWritten => self.with_terms(position, &PawnEntry::new(position)),
            Style::Plain => self.without_terms(position),
        }
    }

    /// The same, with the pawns looked up where they have been counted before.
    #[inline]
    #[must_use]
    pub fn evaluate_cached(&self, position: &Position, cache: &mut PawnCache) -> Centipawns {
        match self.style {
            Style::HandWritten => self.with_terms(position, cache.entry(position)),
            Style::Plain => self.without_terms(position),
        }
    }

    fn with_terms(&self, position: &Position, pawns: &PawnEntry) -> Centipawns {
        let mut sides = [Sum::default(); 2];
        simd::tally_rest(position, &pawns.facts, &mut sides);
        let [black, white] = sides.map(Sum::total);
        let total = self.sum + pawns.score + white - black;
        let worth = hand_written::blend(position, total, i32::from(self.phase));
        Centipawns(if position.turn().is_white() { worth } else { -worth })
    }

    fn without_terms(&self, position: &Position) -> Centipawns {
        let phase = i32::from(self.phase).min(FULL_PHASE);
        let blend = self.sum.middlegame() * phase + self.sum.endgame() * (FULL_PHASE - phase);
        let white = blend / FULL_PHASE;
        Centipawns(plain::TEMPO + if position.turn().is_white() { white } else { -white })
    }

    #[inline]
    fn add(&mut self, piece: Piece, square: Square, sign: i32) {
        // White's table turned over is Black's, with the signs changed.
        let (sign, square) = match piece.color {
            Color::White => (sign, square),
            Color::Black => (-sign, square.flip_vertical()),
        };
        let worth = match self.style {
            Style::HandWritten => &placement::WORTH,
            Style::Plain => &plain::WORTH,
        };
        self.sum += worth[piece.role as usize - 1][square.to_usize()] * sign;
    }
}

impl Observer for Evaluator {
    #[inline]
    fn placed(&mut self, piece: Piece, square: Square) {
        self.add(piece, square, 1);
        self.phase += phase_of(piece.role);
    }

    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.add(piece, square, -1);
        self.phase -= phase_of(piece.role);
    }

    #[inline]
    fn moved(&mut self, piece: Piece, from: Square, to: Square) {
        self.add(piece, from, -1);
        self.add(piece, to, 1);
    }
}

#[inline]
fn phase_of(role: Role) -> i16 {
    PHASES[role as usize - 1] as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{random_games, walk, with_colors_flipped, with_wings_flipped};

    #[test]
    fn incremental_equals_from_scratch() {
        for style in [Style::HandWritten, Style::Plain] {
            let mut cache = PawnCache::new();
            for mut game in random_games(100) {
                let mut evaluator = Evaluator::with_style(&game.position, style);
                while let Some(m) = game.next_move() {
                    game.position.play_observed(m, &mut evaluator);
                    let position = &game.position;
                    let fresh = Evaluator::with_style(position, style);
                    assert_eq!(evaluator, fresh, "{position}");
                    let worth = fresh.evaluate(position);
                    assert_eq!(worth, evaluator.evaluate_cached(position, &mut cache));
                    assert!(worth.0.abs() < 15_000, "{position}");
                }
            }
        }
    }

    #[test]
    fn colours_and_wings_are_alike() {
        walk(100, |position| {
            for style in [Style::HandWritten, Style::Plain] {
                let worth =
                    |position: &Position| Evaluator::with_style(position, style).evaluate(position);
                let here = worth(position);
                assert_eq!(here, worth(&with_colors_flipped(position)), "{position}");
                if position.castling_rooks().is_empty() {
                    assert_eq!(here, worth(&with_wings_flipped(position)), "{position}");
                }
            }
        });
    }

    #[test]
    fn the_start_is_balanced_but_for_the_move() {
        let position = Position::start();
        for style in [Style::HandWritten, Style::Plain] {
            let worth = Evaluator::with_style(&position, style).evaluate(&position).0;
            assert!((1..60).contains(&worth), "{worth}");
        }
    }

    #[test]
    fn material_counts_most() {
        for (better, worse) in [
            ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"),
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "4k3/8/8/8/8/8/8/2B1K3 w - - 0 1"),
            ("4k3/pp6/8/8/8/8/PP6/1R2K3 w - - 0 1", "4k3/pp6/8/8/8/8/PP6/2N1K3 w - - 0 1"),
        ] {
            let worth = |fen| {
                let position = Position::from_fen(fen).unwrap();
                Evaluator::new(&position).evaluate(&position)
            };
            assert!(worth(better).0 > worth(worse).0 + 100, "{better}");
        }
    }

    #[test]
    fn no_number_of_queens_is_too_much() {
        let fen = "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQ2/QQ6/K6k b - - 0 1";
        if let Ok(position) = Position::from_fen(fen) {
            assert!(Evaluator::new(&position).evaluate(&position).0 < -20_000);
        }
    }
}
