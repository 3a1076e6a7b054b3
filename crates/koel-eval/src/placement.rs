//! Pieces on squares: the sums that moves change. (Piece-square tables; Material.)

use koel_board::{Position, Role};

use crate::side::{Side, column};
use crate::table::{
    BISHOP_SQUARES, KING_SQUARES, KNIGHT_SQUARES, MATERIAL, PAWN_SQUARES, QUEEN_SQUARES,
    ROOK_SQUARES,
};
use crate::tally::Tally;
use crate::weights::Group;

const SQUARES: [Group; 6] =
    [PAWN_SQUARES, KNIGHT_SQUARES, BISHOP_SQUARES, ROOK_SQUARES, QUEEN_SQUARES, KING_SQUARES];

/// The weight of a role (pawn is 0) on a square as its side sees it.
const fn weight(role: usize, square: usize) -> usize {
    SQUARES[role].at(square / 8 * 4 + column(square % 8))
}

/// Counts one side's pieces from scratch.
pub(crate) fn tally<S: Side, T: Tally>(position: &Position, tally: &mut T) {
    for (index, role) in Role::ALL.into_iter().enumerate() {
        for square in position.pieces(S::COLOR, role) {
            tally.add(weight(index, S::relative(square).to_usize()), 1);
            if index < 5 {
                tally.add(MATERIAL.at(index), 1);
            }
        }
    }
}
