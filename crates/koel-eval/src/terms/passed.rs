//! Passed pawns: who is in their way, and who comes in time. (Passed pawn; Rule of the square.)

use koel_board::{Bitboard, Role, Square};

use crate::side::{Side, distance};
use crate::survey::Survey;
use crate::table::{
    PASSED_ENEMY_KING, PASSED_FREE, PASSED_HELPED, PASSED_OWN_KING, PASSED_ROOK_BEHIND,
    PASSED_SAFE_STEP, PASSED_SAFE_WAY, PASSED_UNSTOPPABLE,
};
use crate::tally::Tally;

/// How much the kings matter to a passed pawn, by its rank.
const KINGS_COUNT: [i32; 8] = [0, 0, 1, 2, 4, 6, 7, 0];

/// Counts one side's passed pawns.
#[inline(always)]
pub(crate) fn tally<S: Side, T: Tally>(survey: &Survey<'_>, tally: &mut T) {
    for pawn in survey.pawns.passed[S::COLOR as usize] {
        one::<S, T>(survey, pawn, tally);
    }
}

#[inline(always)]
fn one<S: Side, T: Tally>(survey: &Survey<'_>, pawn: Square, tally: &mut T) {
    let rank = S::rank(pawn);
    let here = Bitboard::from(pawn);
    let step = S::forward(here);
    let next = Square::new((step.0.trailing_zeros()) & 63);
    let (ours, theirs) = (survey.reach::<S>(), survey.reach::<S::Them>());
    let enemy = survey.position.color(<S::Them as Side>::COLOR);

    let is_free = step.is_disjoint(survey.occupied);
    if is_free {
        tally.add(PASSED_FREE.at(rank), 1);
        if step.is_disjoint(theirs.any) {
            tally.add(PASSED_SAFE_STEP.at(rank), 1);
        }
    }
    let way = S::ahead(here);
    if way.is_disjoint(theirs.any | enemy) {
        tally.add(PASSED_SAFE_WAY.at(rank), 1);
    }
    if !step.is_disjoint(ours.any) {
        tally.add(PASSED_HELPED.at(rank), 1);
    }
    let kings_count = KINGS_COUNT[rank];
    if kings_count > 0 {
        let (own, other) = (survey.king::<S>(), survey.king::<S::Them>());
        tally.add(PASSED_ENEMY_KING.at(distance(other, next)), kings_count);
        tally.add(PASSED_OWN_KING.at(distance(own, next)), kings_count);
    }
    let behind = S::behind(here);
    if (survey.position.role(Role::Rook) & behind).any() {
        tally.add(
            PASSED_ROOK_BEHIND.at(0),
            i32::from((survey.ours::<S>(Role::Rook) & behind).any()),
        );
        let enemy_rooks = survey.ours::<S::Them>(Role::Rook) & behind;
        tally.add(PASSED_ROOK_BEHIND.at(1), i32::from(enemy_rooks.any()));
    }
    if !survey.position.has_pieces(<S::Them as Side>::COLOR)
        && way.is_disjoint(survey.occupied)
        && is_out_of_reach::<S>(survey, pawn)
    {
        tally.add(PASSED_UNSTOPPABLE.at(0), 1);
    }
}

/// Whether the enemy's king is outside the square of the pawn, or the own king escorts it.
fn is_out_of_reach<S: Side>(survey: &Survey<'_>, pawn: Square) -> bool {
    let file = pawn as u32 & 7;
    let goal = S::relative(Square::new(56 + file));
    // A pawn at home may begin with two steps.
    let steps = (7 - S::rank(pawn)).min(5);
    let is_their_move = usize::from(survey.position.turn() != S::COLOR);
    let own = survey.king::<S>();
    let is_escorted = distance(own, goal) <= 1 && own as u32 & 7 != file;
    distance(survey.king::<S::Them>(), goal) > steps + is_their_move || is_escorted
}
