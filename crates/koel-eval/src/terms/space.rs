//! Room to manoeuvre in. (Space.)

use koel_board::{Bitboard, Role};

use crate::side::{Side, count};
use crate::survey::Survey;
use crate::table::SPACE;
use crate::tally::Tally;

const CENTRAL_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);

/// Counts one side's room, which is worth more the more pieces need it.
#[inline(always)]
pub(crate) fn tally<S: Side, T: Tally>(survey: &Survey<'_>, tally: &mut T) {
    let pieces = count(survey.position.color(S::COLOR) & !survey.position.role(Role::Pawn)) as i32;
    if pieces <= 4 {
        return;
    }
    let pawns = survey.ours::<S>(Role::Pawn);
    let theirs = survey.reach::<S::Them>();
    let zone = CENTRAL_FILES & (S::rank_mask(1) | S::rank_mask(2) | S::rank_mask(3));
    let safe = zone & !pawns & !theirs.by(Role::Pawn);
    // Right behind a pawn, up to three squares, room counts twice.
    let behind = S::backward(pawns);
    let behind = behind | S::backward(behind);
    let behind = behind | S::backward(behind);
    let room = count(safe) + count(safe & behind & !theirs.any);
    tally.add(SPACE.at(0), room as i32 * (pieces - 4));
}
