//! Training positions, in 32 bytes each.

use koel_board::{Color, Piece, Position, Role, Square};
use koel_eval::network::training::{Perspective, PieceSquare, SCALE};

use super::loss::Loss;
use super::real::Real;
use crate::training_game::{GameResult, ScoredMove};
use crate::viriformat::packed::{fen, pack_fields, pack_pieces};

/// A position with its score, the result of its game, and its label by TD(λ) or teachers if there
/// is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TrainingPosition {
    occupied: u64,
    /// Four bits for each piece in the order of squares: role, and 8 for Black.
    pieces: [u8; 16],
    /// The king squares of Black and of White.
    kings: [u8; 2],
    is_white_to_move: bool,
    /// The result in half points of White, or [`NO_RESULT`].
    white_half_points: u8,
    /// The score of the position's own search in centipawns from White's view.
    white_score: i16,
    /// White's expected score by TD(λ) or teachers in units of 1/[`EXPECTED_UNIT`], or
    /// [`NO_EXPECTED`].
    white_expected: u16,
}

/// The value of an expected score of 1, a certain win.
const EXPECTED_UNIT: u16 = 60_000;
/// Marks a position without such a label, whose own score counts.
const NO_EXPECTED: u16 = u16::MAX;

/// Marks a position that no game went through, to which no result belongs.
const NO_RESULT: u8 = u8::MAX;

/// The largest number of pieces of a position.
const MAX_PIECES: usize = 32;

/// Decodes a piece: role, and 8 for Black.
#[inline(always)]
fn piece_square(code: u8, square: u32) -> PieceSquare {
    let color = Color::from_white(code < 8);
    PieceSquare::new(Piece { color, role: Role::ALL[usize::from(code & 7)] }, Square::new(square))
}

/// The active features of one perspective, one for each piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct ActiveFeatures {
    indices: [u16; MAX_PIECES],
    count: usize,
}

impl ActiveFeatures {
    const NONE: ActiveFeatures = ActiveFeatures { indices: [0; MAX_PIECES], count: 0 };

    #[inline(always)]
    pub(super) fn indices(&self) -> &[u16] {
        &self.indices[..self.count]
    }
}

impl TrainingPosition {
    /// Creates a training position from a position, its score in centipawns from White's view, and
    /// the result of its game.
    pub(crate) fn new(
        position: &Position,
        white_score: i16,
        result: GameResult,
    ) -> TrainingPosition {
        TrainingPosition {
            occupied: position.occupied().0,
            pieces: pack_pieces(position, Role::Rook as u8 - 1),
            kings: [Color::Black, Color::White].map(|color| position.king(color) as u8),
            is_white_to_move: position.turn().is_white(),
            white_half_points: (result.white_points() * 2.0) as u8,
            white_score,
            white_expected: NO_EXPECTED,
        }
    }

    /// Returns the position with a TD(λ) label: White's expected score, from 0 to 1, in place of
    /// the score of its own search.
    pub(super) fn with_white_expected(self, expected: f32) -> TrainingPosition {
        let white_expected = (expected.clamp(0.0, 1.0) * f32::from(EXPECTED_UNIT)) as u16;
        TrainingPosition { white_expected, ..self }
    }

    /// Returns the position without the result: its score is the label, whatever the WDL blend.
    pub(super) fn without_result(self) -> TrainingPosition {
        TrainingPosition { white_half_points: NO_RESULT, ..self }
    }

    /// Returns the position with a label in which White's expected score by the teachers has a
    /// share. Without a score it is the whole label, and the result does not count.
    #[inline(always)]
    pub(super) fn with_teachers<F: Real>(
        self,
        white_taught: F,
        share: f64,
        loss: Loss<F>,
    ) -> TrainingPosition {
        let taught = white_taught.to_f64();
        let is_unscored = self.white_score == ScoredMove::NO_SCORE;
        let (sample, searched) = match self.white_expected {
            _ if is_unscored => (self.without_result(), taught),
            NO_EXPECTED => (self, loss.expected_score(self.white_score()).to_f64()),
            expected => (self, f64::from(expected) / f64::from(EXPECTED_UNIT)),
        };
        let expected = (share * taught + (1.0 - share) * searched).clamp(0.0, 1.0);
        let white_expected = (expected * f64::from(EXPECTED_UNIT)).round() as u16;
        TrainingPosition { white_expected, ..sample }
    }

    /// Returns White's score in units of [`SCALE`].
    #[inline(always)]
    fn white_score<F: Real>(&self) -> F {
        F::from_f64(f64::from(self.white_score) / f64::from(SCALE))
    }

    /// Returns a score of the side to move as one of White.
    #[inline(always)]
    pub(super) fn for_white<F: Real>(&self, score: F) -> F {
        if self.is_white_to_move { score } else { -score }
    }

    /// Returns the number of pieces, kings included.
    #[inline(always)]
    pub(crate) fn piece_count(&self) -> usize {
        self.occupied.count_ones() as usize
    }

    /// Returns the code of the piece with this index in the order of squares: role, and 8 for
    /// Black.
    #[inline(always)]
    fn code(&self, index: usize) -> u8 {
        self.pieces[index / 2] >> (4 * (index % 2)) & 15
    }

    #[inline(always)]
    fn perspective<const K: usize>(&self, color: Color) -> Perspective {
        Perspective::new::<K>(color, Square::new(u32::from(self.kings[color as usize])))
    }

    /// Returns the active features for the side to move and for the opponent.
    #[inline(always)]
    pub(super) fn features<const K: usize>(&self) -> [ActiveFeatures; 2] {
        let turn = Color::from_white(self.is_white_to_move);
        let perspectives = [turn, !turn].map(|color| self.perspective::<K>(color));
        let mut both = [ActiveFeatures::NONE; 2];
        let mut rest = self.occupied;
        let mut count = 0;
        while rest != 0 {
            let piece = piece_square(self.code(count), rest.trailing_zeros());
            for (features, perspective) in both.iter_mut().zip(perspectives) {
                features.indices[count] = perspective.feature(piece) as u16;
            }
            count += 1;
            rest &= rest - 1;
        }
        for features in &mut both {
            features.count = count;
        }
        both
    }

    /// Returns the label, the expected score of the side to move by the result and the search,
    /// TD(λ) or the teachers.
    #[inline(always)]
    pub(super) fn label<F: Real>(&self, loss: Loss<F>) -> F {
        let searched = match self.white_expected {
            NO_EXPECTED => loss.expected_score(self.white_score()),
            expected => F::from_f64(f64::from(expected) / f64::from(EXPECTED_UNIT)),
        };
        let white = match self.white_half_points {
            NO_RESULT => searched,
            points => loss.label(F::from_f64(f64::from(points) * 0.5), searched),
        };
        if self.is_white_to_move { white } else { F::from_f64(1.0) - white }
    }

    /// Returns the position as FEN, without castling rights, which the network does not see.
    pub(crate) fn fen(&self) -> String {
        let turn = Color::from_white(self.is_white_to_move);
        fen(&pack_fields(self.occupied, self.pieces, turn, 1)).expect("a position was packed")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b - - 0 1";

    #[test]
    fn a_training_position_is_the_position_packed() {
        let position = Position::from_fen(FEN).unwrap();
        let sample = TrainingPosition::new(&position, 150, GameResult::Win(Color::White));
        assert_eq!(size_of::<TrainingPosition>(), 32);
        assert_eq!(Position::from_fen(&sample.fen()).unwrap(), position);
        assert_eq!(sample.piece_count(), position.occupied().count());
        for (color, features) in
            [Color::Black, Color::White].into_iter().zip(sample.features::<1>())
        {
            let perspective = Perspective::of::<1>(&position, color);
            let expected: Vec<u16> = position
                .occupied()
                .into_iter()
                .map(|square| {
                    let piece = position.piece_at(square).unwrap();
                    perspective.feature(PieceSquare::new(piece, square)) as u16
                })
                .collect();
            assert_eq!(features.indices(), expected);
        }
    }

    #[test]
    fn the_label_blends_score_and_result() {
        let position = Position::from_fen(FEN).unwrap();
        let sample = TrainingPosition::new(&position, 400, GameResult::Win(Color::White));
        let searched = 1.0_f64.sigmoid();
        let label = |wdl_blend| sample.label(Loss::<f64>::new(wdl_blend, 400.0));
        assert!((label(0.0) - (1.0 - searched)).abs() < 1e-12);
        assert!(label(1.0).abs() < 1e-12);
        assert!((label(0.25) - 0.75 * (1.0 - searched)).abs() < 1e-12);
        let without = sample.without_result().label(Loss::<f64>::new(0.25, 400.0));
        assert_eq!(without, label(0.0));
    }
}
