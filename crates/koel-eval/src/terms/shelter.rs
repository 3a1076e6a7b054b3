//! The pawns in front of the king, own and enemy. (King safety: pawn shelter, pawn storm.)

use koel_board::{Bitboard, Role};

use crate::side::{Side, count};
use crate::survey::Survey;
use crate::table::{CASTLING_RIGHT, SHELTER, STORM, STORM_BLOCKED, WING_WITHOUT_PAWNS};
use crate::tally::Tally;

const A_FILE: u64 = 0x0101_0101_0101_0101;

/// The files that belong to the wing of a king, by its file.
pub(crate) const WINGS: [Bitboard; 8] = {
    let (left, right) = (0x0f0f_0f0f_0f0f_0f0f, 0xf0f0_f0f0_f0f0_f0f0);
    let middle = 0x3c3c_3c3c_3c3c_3c3c;
    [
        Bitboard(left ^ (A_FILE << 3)),
        Bitboard(left),
        Bitboard(left),
        Bitboard(middle),
        Bitboard(middle),
        Bitboard(right),
        Bitboard(right),
        Bitboard(right ^ (A_FILE << 4)),
    ]
};

/// Counts the shelter of one side's king.
#[inline(always)]
pub(crate) fn tally<S: Side, T: Tally>(survey: &Survey<'_>, tally: &mut T) {
    let king = survey.king::<S>();
    let in_front = S::fill_forward(Bitboard(0xff << (king as u32 & 56)));
    let ours = survey.ours::<S>(Role::Pawn) & in_front;
    let theirs = survey.ours::<S::Them>(Role::Pawn) & in_front;
    let king_file = king as usize & 7;
    let centre = king_file.clamp(1, 6);
    for file in centre - 1..=centre + 1 {
        let mask = Bitboard(A_FILE << file);
        let our_rank = S::rearmost(ours & mask).map_or(0, S::rank);
        let their_rank = S::rearmost(theirs & mask).map_or(0, S::rank);
        // At most 3; the mask says so to the compiler.
        let from_edge = file.min(7 - file) & 3;
        tally.add(SHELTER.at(7 * from_edge + our_rank), 1);
        let storm = if our_rank > 0 && our_rank + 1 == their_rank { STORM_BLOCKED } else { STORM };
        tally.add(storm.at(their_rank), 1);
    }
    if survey.position.role(Role::Pawn).is_disjoint(WINGS[king_file]) {
        tally.add(WING_WITHOUT_PAWNS.at(0), 1);
    }
    let rights = survey.position.castling_rooks() & survey.position.color(S::COLOR);
    if rights.any() {
        tally.add(CASTLING_RIGHT.at(0), count(rights) as i32);
    }
}
