//! A position as training sees it, in 32 bytes.

use koel_board::{Color, Piece, Position, Role, Square};
use koel_eval::network::{Perspective, PieceSquare, SCALE};

use super::real::Real;
use crate::record::Winner;

/// What stands where, who is to move, what a search said, and who won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    occupied: u64,
    /// Four bits for each piece in the order of squares: role, and 8 for Black.
    pieces: [u8; 16],
    /// Of Black and of White.
    kings: [u8; 2],
    is_white_to_move: bool,
    /// Half points of White.
    white_halves: u8,
    white_score: i16,
    /// White's share of the points by what the game's later searches said, of [`SHARE_UNIT`], or
    /// [`NO_SHARE`].
    white_share: u16,
}

/// A share of one.
const SHARE_UNIT: u16 = 60_000;
/// Nothing but the own score counts.
const NO_SHARE: u16 = u16::MAX;

/// No position has more pieces.
pub(super) const MOST_PIECES: usize = 32;

/// What stands on each square, and how both sides see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    /// 0 for nothing, else one more than the code of the piece.
    squares: [u8; 64],
    /// White's and Black's.
    pub(super) views: [Perspective; 2],
}

impl Board {
    /// What stands there, if anything does.
    #[inline(always)]
    pub(super) fn seen(&self, square: u8) -> Option<PieceSquare> {
        let code = self.squares[usize::from(square) % 64].checked_sub(1)?;
        Some(piece_square(code, u32::from(square) % 64))
    }

    /// Whether the same stands there as on a square of another board.
    #[inline(always)]
    pub(super) fn has(&self, square: u8, other: &Board, other_square: u8) -> bool {
        self.squares[usize::from(square) % 64] == other.squares[usize::from(other_square) % 64]
    }

    /// The squares on which something stands, in order.
    #[inline(always)]
    pub(super) fn occupied<'s>(&self, squares: &'s mut [u8; 64]) -> &'s [u8] {
        self.differing_from(&[0; 64], squares)
    }

    /// The squares on which something else stands than on another board, in order.
    #[inline(always)]
    pub(super) fn differing<'s>(&self, other: &Board, squares: &'s mut [u8; 64]) -> &'s [u8] {
        self.differing_from(&other.squares, squares)
    }

    #[inline(always)]
    fn differing_from<'s>(&self, other: &[u8; 64], squares: &'s mut [u8; 64]) -> &'s [u8] {
        let mut count = 0;
        let ranks = self.squares.as_chunks::<8>().0.iter().zip(other.as_chunks::<8>().0);
        for (rank, (&ours, &theirs)) in (0..).zip(ranks) {
            let mut rest = u64::from_le_bytes(ours) ^ u64::from_le_bytes(theirs);
            while rest != 0 {
                let file = rest.trailing_zeros() / 8;
                squares[count % 64] = 8 * rank + file as u8;
                count += 1;
                rest &= !(0xff << (8 * file));
            }
        }
        &squares[..count.min(64)]
    }
}

/// A piece by its code: role, and 8 for Black.
#[inline(always)]
fn piece_square(code: u8, square: u32) -> PieceSquare {
    let color = Color::from_white(code < 8);
    PieceSquare::new(Piece { color, role: Role::ALL[usize::from(code & 7)] }, Square::new(square))
}

/// The inputs of one view: as many as there are pieces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inputs {
    numbers: [u16; MOST_PIECES],
    count: usize,
}

impl Inputs {
    pub(super) const NONE: Inputs = Inputs { numbers: [0; MOST_PIECES], count: 0 };

    #[inline(always)]
    pub(super) fn numbers(&self) -> &[u16] {
        &self.numbers[..self.count]
    }
}

impl Sample {
    /// A position, its score in centipawns from White's view, and the end of its game.
    #[must_use]
    pub fn new(position: &Position, white_score: i16, winner: Winner) -> Sample {
        let mut pieces = [0; 16];
        for (index, square) in position.occupied().into_iter().enumerate() {
            let role = position.role_at(square).unwrap_or(Role::Pawn) as u8 - 1;
            let is_black = position.color(Color::Black).contains(square);
            pieces[index / 2] |= (role | u8::from(is_black) << 3) << (4 * (index % 2));
        }
        Sample {
            occupied: position.occupied().0,
            pieces,
            kings: [Color::Black, Color::White].map(|color| position.king(color) as u8),
            is_white_to_move: position.turn().is_white(),
            white_halves: (winner.white_points() * 2.0) as u8,
            white_score,
            white_share: NO_SHARE,
        }
    }

    /// The same position, held to be worth this share of the points for White whatever its own
    /// search said.
    #[must_use]
    pub(super) fn with_white_share(self, share: f32) -> Sample {
        let white_share = (share.clamp(0.0, 1.0) * f32::from(SHARE_UNIT)) as u16;
        Sample { white_share, ..self }
    }

    /// How many pieces there are, kings included.
    #[inline(always)]
    #[must_use]
    pub fn piece_count(&self) -> usize {
        self.occupied.count_ones() as usize
    }

    /// Whose turn it is.
    #[inline(always)]
    pub(super) fn is_white_to_move(&self) -> bool {
        self.is_white_to_move
    }

    /// The role of a piece, in the order of squares, and 8 for Black.
    #[inline(always)]
    fn code(&self, index: usize) -> u8 {
        self.pieces[index / 2] >> (4 * (index % 2)) & 15
    }

    #[inline(always)]
    fn view<const K: usize>(&self, color: Color) -> Perspective {
        Perspective::new::<K>(color, Square::new(u32::from(self.kings[color as usize])))
    }

    /// The position, square by square.
    #[inline(always)]
    pub(super) fn board<const K: usize>(&self) -> Board {
        let mut squares = [0; 64];
        let (mut rest, mut index) = (self.occupied, 0);
        while rest != 0 {
            squares[rest.trailing_zeros() as usize] = self.code(index) + 1;
            index += 1;
            rest &= rest - 1;
        }
        Board { squares, views: [self.view::<K>(Color::White), self.view::<K>(Color::Black)] }
    }

    /// The inputs that are on, for the side to move and for the other.
    #[inline(always)]
    pub(super) fn inputs<const K: usize>(&self) -> [Inputs; 2] {
        let turn = Color::from_white(self.is_white_to_move);
        let views = [turn, !turn].map(|color| self.view::<K>(color));
        let mut both = [Inputs::NONE; 2];
        let mut rest = self.occupied;
        let mut count = 0;
        while rest != 0 {
            let seen = piece_square(self.code(count), rest.trailing_zeros());
            for (inputs, view) in both.iter_mut().zip(views) {
                inputs.numbers[count] = view.feature(seen) as u16;
            }
            count += 1;
            rest &= rest - 1;
        }
        for inputs in &mut both {
            inputs.count = count;
        }
        both
    }

    /// What the network should say, as a share of the points for the side to move: the result
    /// with weight `lambda`, and else what the search said.
    #[inline(always)]
    pub(super) fn target<F: Real>(&self, lambda: F) -> F {
        let result = F::of(f64::from(self.white_halves) * 0.5);
        let searched = match self.white_share {
            NO_SHARE => F::of(f64::from(self.white_score) / f64::from(SCALE)).sigmoid(),
            share => F::of(f64::from(share) / f64::from(SHARE_UNIT)),
        };
        let white = lambda * result + (F::of(1.0) - lambda) * searched;
        if self.is_white_to_move { white } else { F::of(1.0) - white }
    }

    /// What the search said, in centipawns for the side to move.
    #[must_use]
    pub fn score(&self) -> i32 {
        let white = i32::from(self.white_score);
        if self.is_white_to_move { white } else { -white }
    }

    /// The position again, as a FEN without castling rights: these the network does not see.
    #[must_use]
    pub fn fen(&self) -> String {
        let mut squares = ['1'; 64];
        let occupied = (0..64).filter(|square| self.occupied >> square & 1 == 1);
        for (index, square) in occupied.enumerate() {
            let code = self.code(index);
            let letter = ['p', 'n', 'b', 'r', 'q', 'k'][usize::from(code & 7).min(5)];
            squares[square] = if code < 8 { letter.to_ascii_uppercase() } else { letter };
        }
        let ranks: Vec<String> =
            squares.chunks(8).rev().map(|rank| rank.iter().collect()).collect();
        format!("{} {} - - 0 1", ranks.join("/"), if self.is_white_to_move { 'w' } else { 'b' })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b - - 0 1";

    #[test]
    fn a_sample_is_the_position() {
        let position = Position::from_fen(FEN).unwrap();
        let sample = Sample::new(&position, 150, Winner::Side(Color::White));
        assert_eq!(size_of::<Sample>(), 32);
        assert_eq!(Position::from_fen(&sample.fen()).unwrap(), position);
        assert_eq!((sample.piece_count(), sample.score()), (position.occupied().count(), -150));
        for (color, inputs) in [Color::Black, Color::White].into_iter().zip(sample.inputs::<1>()) {
            let view = Perspective::of::<1>(&position, color);
            let expected: Vec<u16> = position
                .occupied()
                .into_iter()
                .map(|square| {
                    let piece = position.piece_at(square).unwrap();
                    view.feature(PieceSquare::new(piece, square)) as u16
                })
                .collect();
            assert_eq!(inputs.numbers(), expected);
        }
    }

    #[test]
    fn the_target_mixes_score_and_result() {
        let position = Position::from_fen(FEN).unwrap();
        let sample = Sample::new(&position, 400, Winner::Side(Color::White));
        let searched = 1.0_f64.sigmoid();
        assert!((sample.target(0.0) - (1.0 - searched)).abs() < 1e-12);
        assert!(sample.target(1.0_f64).abs() < 1e-12);
        assert!((sample.target(0.25) - 0.75 * (1.0 - searched)).abs() < 1e-12);
    }
}
