//! The sums that moves change, and what they say.

use koel_board::{Color, Observer, Piece, Position, Role, Square};

use crate::values::{self, WORTH};

/// A hundredth of a pawn's worth, from the view that the context names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
pub struct Centipawns(pub i32);

/// What the pieces are worth where they stand: 12 bytes, made to be copied with the position.
///
/// It is brought up to date by [`Position::play_observed`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Evaluator {
    /// Centipawns from White's view, as a middlegame.
    middlegame: i32,
    /// Centipawns from White's view, as an endgame.
    endgame: i32,
    /// The pieces left on both sides, weighted: [`values::FULL_PHASE`] at the start of a game,
    /// 0 with nothing but kings and pawns. Promotions may raise it further.
    phase: i32,
}

impl Evaluator {
    /// The sums of a position, from scratch.
    #[must_use]
    pub fn new(position: &Position) -> Evaluator {
        let mut evaluator = Evaluator { middlegame: 0, endgame: 0, phase: 0 };
        for square in position.occupied() {
            if let Some(piece) = position.piece_at(square) {
                evaluator.placed(piece, square);
            }
        }
        evaluator
    }

    /// The worth of the position from the view of the side to move.
    #[inline]
    #[must_use]
    pub fn evaluate(&self, position: &Position) -> Centipawns {
        let phase = self.phase.min(values::FULL_PHASE);
        let blend = self.middlegame * phase + self.endgame * (values::FULL_PHASE - phase);
        let white = blend / values::FULL_PHASE;
        Centipawns(values::TEMPO + if position.turn().is_white() { white } else { -white })
    }

    #[inline]
    fn add(&mut self, piece: Piece, square: Square, sign: i32) {
        // White's table turned over is Black's, with the signs changed.
        let (sign, square) = match piece.color {
            Color::White => (sign, square),
            Color::Black => (-sign, square.flip_vertical()),
        };
        let [middlegame, endgame] = WORTH[piece.role as usize - 1][square.to_usize()];
        self.middlegame += sign * i32::from(middlegame);
        self.endgame += sign * i32::from(endgame);
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
fn phase_of(role: Role) -> i32 {
    values::PHASES[role as usize - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small generator of random numbers (Marsaglia's xorshift), for tests without dependencies.
    struct Random(u64);

    impl Random {
        fn below(&mut self, limit: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 % limit as u64) as usize
        }
    }

    /// The same position with the colours exchanged and the board turned over.
    fn with_colors_flipped(position: &Position) -> Position {
        let fen = position.to_string();
        let mut fields = fen.split(' ');
        let mut next = || fields.next().unwrap_or_default().to_owned();
        let swap_case = |text: &str| -> String {
            let swapped = |letter: char| match letter.is_ascii_lowercase() {
                true => letter.to_ascii_uppercase(),
                false => letter.to_ascii_lowercase(),
            };
            text.chars().map(swapped).collect()
        };
        let ranks: Vec<String> = next().split('/').rev().map(swap_case).collect();
        let turn = if next() == "w" { "b" } else { "w" };
        let castling = swap_case(&next());
        let flipped = format!("{} {turn} {castling} - 0 1", ranks.join("/"));
        Position::from_fen(&flipped).unwrap()
    }

    #[test]
    fn incremental_equals_from_scratch_and_colours_are_alike() {
        let mut random = Random(2026);
        let mut seen = 0;
        for game in 0..100 {
            let mut position = match game % 2 {
                0 => Position::start(),
                _ => {
                    let fen = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
                    Position::from_fen(fen).unwrap()
                }
            };
            let mut evaluator = Evaluator::new(&position);
            for _ in 0..120 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play_observed(moves[random.below(moves.len())], &mut evaluator);
                assert_eq!(evaluator, Evaluator::new(&position), "{position}");
                let flipped = with_colors_flipped(&position);
                let twin = Evaluator::new(&flipped).evaluate(&flipped);
                assert_eq!(evaluator.evaluate(&position), twin, "{position}");
                seen += 1;
            }
        }
        assert!(seen > 5_000);
    }

    #[test]
    fn the_start_is_balanced_but_for_the_move() {
        let position = Position::start();
        let worth = Evaluator::new(&position).evaluate(&position);
        assert_eq!(worth, Centipawns(values::TEMPO));
    }

    #[test]
    fn material_counts_most() {
        for (better, worse) in [
            ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"),
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "4k3/8/8/8/8/8/8/2B1K3 w - - 0 1"),
            ("4k3/8/8/8/8/8/8/1N2K3 w - - 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
        ] {
            let worth = |fen| {
                let position = Position::from_fen(fen).unwrap();
                Evaluator::new(&position).evaluate(&position)
            };
            assert!(worth(better).0 > worth(worse).0 + 100);
        }
    }
}
