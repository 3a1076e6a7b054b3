//! The attack maps, made once for all terms.

use koel_board::{Bitboard, Color, Position, Role, Square, attacks};

use crate::side::{Black, Side, White, king_ring};
use crate::terms::pawns::PawnFacts;

/// What one side attacks.
#[derive(Clone, Copy, Default)]
pub(crate) struct Reach {
    /// By the pieces of a role, pawn to king.
    pub(crate) by_role: [Bitboard; 6],
    /// By anything.
    pub(crate) any: Bitboard,
    /// At least twice.
    pub(crate) twice: Bitboard,
    /// How many of its knights, bishops, rooks and queens attack the ring around the enemy's king.
    pub(crate) ring_attackers: [i32; 4],
    /// How often they attack squares next to that king.
    pub(crate) ring_attacks: i32,
}

impl Reach {
    #[inline(always)]
    pub(crate) fn by(&self, role: Role) -> Bitboard {
        self.by_role[role as usize - 1]
    }

    #[inline(always)]
    fn note(&mut self, role: Role, squares: Bitboard) {
        self.twice |= self.any & squares;
        self.any |= squares;
        self.by_role[role as usize - 1] |= squares;
    }
}

/// What the terms look at.
pub(crate) struct Survey<'a> {
    pub(crate) position: &'a Position,
    pub(crate) pawns: &'a PawnFacts,
    pub(crate) occupied: Bitboard,
    kings: [Square; 2],
    rings: [Bitboard; 2],
    mobility_areas: [Bitboard; 2],
    reaches: [Reach; 2],
}

impl<'a> Survey<'a> {
    /// The survey with the attacks of kings and pawns; those of the pieces are noted as they are
    /// counted.
    #[inline(always)]
    pub(crate) fn new(position: &'a Position, pawns: &'a PawnFacts) -> Survey<'a> {
        let kings = [position.king(Color::Black), position.king(Color::White)];
        let mut survey = Survey {
            position,
            pawns,
            occupied: position.occupied(),
            kings,
            rings: kings.map(king_ring),
            mobility_areas: [Bitboard::EMPTY; 2],
            reaches: [Reach::default(); 2],
        };
        survey.prepare::<White>();
        survey.prepare::<Black>();
        survey
    }

    #[inline(always)]
    fn prepare<S: Side>(&mut self) {
        let (us, them) = (S::COLOR, <S::Them as Side>::COLOR);
        let pawns = self.position.pieces(us, Role::Pawn);
        let enemy_pawns = self.position.pieces(them, Role::Pawn);
        let blocked = pawns & (S::backward(self.occupied) | S::rank_mask(1) | S::rank_mask(2));
        let heavy = self.position.role(Role::King) | self.position.role(Role::Queen);
        let fixed = blocked | (heavy & self.position.color(us));
        self.mobility_areas[us as usize] = !(fixed | S::Them::pawn_attacks(enemy_pawns));

        let reach = &mut self.reaches[us as usize];
        let pawn_attacks = S::pawn_attacks(pawns);
        reach.by_role[0] = pawn_attacks;
        reach.twice = towards_a::<S>(pawns) & towards_h::<S>(pawns);
        reach.any = pawn_attacks;
        reach.note(Role::King, attacks::king_attacks(self.kings[us as usize]));
    }

    /// Notes what a knight, bishop, rook or queen attacks.
    #[inline(always)]
    pub(crate) fn note<S: Side>(&mut self, role: Role, squares: Bitboard) {
        let them = <S::Them as Side>::COLOR as usize;
        let reach = &mut self.reaches[S::COLOR as usize];
        reach.note(role, squares);
        if (squares & self.rings[them]).any() {
            reach.ring_attackers[role as usize - 2] += 1;
            let next = attacks::king_attacks(self.kings[them]);
            reach.ring_attacks += (squares & next).0.count_ones() as i32;
        }
    }

    #[inline(always)]
    pub(crate) fn ours<S: Side>(&self, role: Role) -> Bitboard {
        self.position.pieces(S::COLOR, role)
    }

    #[inline(always)]
    pub(crate) fn king<S: Side>(&self) -> Square {
        self.kings[S::COLOR as usize]
    }

    #[inline(always)]
    pub(crate) fn ring<S: Side>(&self) -> Bitboard {
        self.rings[S::COLOR as usize]
    }

    /// Where mobility counts: not where a pawn of the enemy attacks, and not on what cannot make
    /// room.
    #[inline(always)]
    pub(crate) fn mobility_area<S: Side>(&self) -> Bitboard {
        self.mobility_areas[S::COLOR as usize]
    }

    #[inline(always)]
    pub(crate) fn reach<S: Side>(&self) -> &Reach {
        &self.reaches[S::COLOR as usize]
    }
}

const A_FILE: Bitboard = Bitboard(0x0101_0101_0101_0101);
const H_FILE: Bitboard = Bitboard(0x8080_8080_8080_8080);

#[inline(always)]
fn towards_a<S: Side>(pawns: Bitboard) -> Bitboard {
    Bitboard(S::forward(pawns & !A_FILE).0 >> 1)
}

#[inline(always)]
fn towards_h<S: Side>(pawns: Bitboard) -> Bitboard {
    Bitboard(S::forward(pawns & !H_FILE).0 << 1)
}

#[cfg(test)]
mod tests {
    use koel_board::Piece;

    use super::*;
    use crate::hand_written::tally_pawns;
    use crate::tally::Sum;
    use crate::terms::pieces;
    use crate::testing::walk;

    /// What a piece attacks, seen through what moves on the same lines.
    fn attacks_from(position: &Position, square: Square, piece: Piece) -> Bitboard {
        let queens = position.role(Role::Queen);
        let rooks = position.pieces(piece.color, Role::Rook);
        let blockers = match piece.role {
            Role::Bishop => position.occupied() & !queens,
            Role::Rook => position.occupied() & !queens & !rooks,
            _ => position.occupied(),
        };
        attacks::attacks(square, piece, blockers)
    }

    fn compare<S: Side>(survey: &Survey<'_>) {
        let position = survey.position;
        let (mut any, mut twice) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let mut ring_attackers = 0;
        for square in position.color(S::COLOR) {
            let Some(piece) = position.piece_at(square) else { continue };
            let attacks = attacks_from(position, square, piece);
            twice |= any & attacks;
            any |= attacks;
            assert!((attacks & !survey.reach::<S>().by(piece.role)).is_empty(), "{position}");
            let is_officer = !matches!(piece.role, Role::Pawn | Role::King);
            let is_near = (attacks & king_ring(position.king(!S::COLOR))).any();
            ring_attackers += i32::from(is_officer && is_near);
        }
        assert_eq!(survey.reach::<S>().any, any, "{position}");
        assert_eq!(survey.reach::<S>().twice, twice, "{position}");
        assert_eq!(survey.reach::<S>().ring_attackers.iter().sum::<i32>(), ring_attackers);
    }

    #[test]
    fn maps_are_what_every_piece_attacks() {
        walk(30, |position| {
            let mut sums = [Sum::default(); 2];
            let facts = tally_pawns(position, &mut sums);
            let mut survey = Survey::new(position, &facts);
            pieces::tally::<White, _>(&mut survey, &mut sums[1]);
            pieces::tally::<Black, _>(&mut survey, &mut sums[0]);
            compare::<White>(&survey);
            compare::<Black>(&survey);
        });
    }
}
