//! Pawns among themselves. (Pawn structure.)

use koel_board::{Bitboard, Position, Role, Square, attacks};

use crate::side::{Side, count, fill_files, sideways};
use crate::table::{BACKWARD, CANDIDATE, DEFENDED, DOUBLED, ISOLATED, PASSED, PHALANX, RAM};
use crate::tally::Tally;

/// What the other terms ask of the pawns, for `[black, white]`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PawnFacts {
    /// Pawns with no enemy pawn in front of them, on their file or beside it.
    pub(crate) passed: [Bitboard; 2],
    /// Squares that a pawn of this side attacks or may attack later.
    pub(crate) spans: [Bitboard; 2],
}

/// Counts one side's pawns, and says which have passed.
pub(crate) fn tally<S: Side, T: Tally>(position: &Position, tally: &mut T) -> Bitboard {
    let ours = position.pieces(S::COLOR, Role::Pawn);
    let theirs = position.pieces(<S::Them as Side>::COLOR, Role::Pawn);
    let ours_attack = S::pawn_attacks(ours);
    let theirs_attack = S::Them::pawn_attacks(theirs);
    let guarded = S::Them::pawn_attacks(theirs | S::Them::ahead(theirs));
    let closed = S::Them::ahead(theirs);

    let passed = ours & !closed & !guarded & !S::behind(ours);
    let neighbours = sideways(fill_files(ours));
    let isolated = ours & !neighbours;
    // A pawn has support to come when a neighbour is level with it or behind it.
    let supported = sideways(S::fill_forward(ours));
    let backward = ours & neighbours & !supported & S::backward(theirs_attack | theirs);
    let doubled = ours & S::behind(ours);

    tally.add(ISOLATED.at(0), count(isolated & closed) as i32);
    tally.add(ISOLATED.at(1), count(isolated & !closed) as i32);
    tally.add(DOUBLED.at(0), count(doubled & ours_attack) as i32);
    tally.add(DOUBLED.at(1), count(doubled & !ours_attack) as i32);
    tally.add(BACKWARD.at(0), count(backward & closed) as i32);
    tally.add(BACKWARD.at(1), count(backward & !closed) as i32);
    let rams = ours & S::backward(theirs);
    tally.add(RAM.at(0), count(rams & S::rank_mask(4)) as i32);
    tally.add(RAM.at(1), count(rams & S::rank_mask(5)) as i32);
    for pawn in ours & sideways(ours) {
        tally.add(PHALANX.at(S::rank(pawn)), 1);
    }
    for pawn in ours & ours_attack {
        tally.add(DEFENDED.at(S::rank(pawn)), 1);
    }
    for pawn in passed {
        tally.add(PASSED.at(S::rank(pawn)), 1);
    }
    for pawn in ours & !passed & !closed & !doubled {
        if is_candidate::<S>(pawn, ours, theirs) {
            tally.add(CANDIDATE.at(S::rank(pawn)), 1);
        }
    }
    passed
}

/// Whether the pawn has at least as many helpers as there are guards of its way.
fn is_candidate<S: Side>(pawn: Square, ours: Bitboard, theirs: Bitboard) -> bool {
    let here = Bitboard::from(pawn);
    let beside = sideways(here);
    let guards = theirs & S::ahead(beside);
    let helpers = ours & S::Them::fill_forward(beside);
    let attackers = theirs & attacks::pawn_attacks(S::COLOR, pawn);
    let defenders = ours & attacks::pawn_attacks(<S::Them as Side>::COLOR, pawn);
    count(helpers) >= count(guards) && count(defenders) >= count(attackers)
}

/// Squares that a side's pawns attack or may attack when they advance.
pub(crate) fn span<S: Side>(position: &Position) -> Bitboard {
    let pawns = position.pieces(S::COLOR, Role::Pawn);
    S::pawn_attacks(S::fill_forward(pawns))
}
