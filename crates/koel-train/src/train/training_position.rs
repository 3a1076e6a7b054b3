//! Training positions, in 32 bytes each.

use koel_board::{Color, Piece, Position, Role, Square};
use koel_eval::network::training::{Perspective, PieceSquare};

use super::real::Real;
use crate::viriformat::packed::{fen, pack_fields, pack_pieces};

/// A position with its label.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct TrainingPosition {
    occupied: u64,
    /// Four bits for each piece in the order of squares: role, and 8 for Black.
    pieces: [u8; 16],
    /// The king squares of Black and of White.
    kings: [u8; 2],
    is_white_to_move: bool,
    /// White's expected score, from 0 to 1.
    white_label: f32,
}

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
    /// Creates a training position from a position and its label, White's expected score.
    pub(crate) fn new(position: &Position, white_label: f32) -> TrainingPosition {
        TrainingPosition {
            occupied: position.occupied().0,
            pieces: pack_pieces(position, Role::Rook as u8 - 1),
            kings: [Color::Black, Color::White].map(|color| position.king(color) as u8),
            is_white_to_move: position.turn().is_white(),
            white_label,
        }
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

    /// Returns the label, the expected score of the side to move.
    #[inline(always)]
    pub(super) fn label<F: Real>(&self) -> F {
        let white = F::from_f64(f64::from(self.white_label));
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
        let sample = TrainingPosition::new(&position, 0.75);
        assert_eq!(sample.label::<f64>(), 0.25);
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
}
