//! What is attacked by something cheaper, or by anything and not defended. (Threats; Hanging piece.)

use koel_board::{Bitboard, Role, attacks};

use crate::side::{Side, count};
use crate::survey::Survey;
use crate::table::{
    HANGING, RESTRICTED, THREAT_BY_KING, THREAT_BY_MINOR, THREAT_BY_PAWN, THREAT_BY_PUSH,
    THREAT_BY_ROOK, THREAT_ON_QUEEN,
};
use crate::tally::Tally;

const ROLES: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// Counts what one side threatens.
#[inline(always)]
pub(crate) fn tally<S: Side, T: Tally>(survey: &Survey<'_>, tally: &mut T) {
    let (ours, theirs) = (survey.reach::<S>(), survey.reach::<S::Them>());
    let enemy = survey.position.color(<S::Them as Side>::COLOR);
    let pieces = enemy & !survey.position.role(Role::Pawn) & !survey.position.role(Role::King);
    // Not worth attacking: defended by a pawn, or twice and attacked but once.
    let held = theirs.by(Role::Pawn) | (theirs.twice & !ours.twice);
    let weak = enemy & !held & ours.any;

    by_pawns::<S, T>(survey, pieces, tally);
    let minors = ours.by(Role::Knight) | ours.by(Role::Bishop);
    let by_minor = (pieces | weak) & minors;
    let by_rook = weak & ours.by(Role::Rook);
    for (index, role) in ROLES.into_iter().enumerate() {
        let of_role = survey.position.role(role);
        if (by_minor & of_role).any() {
            tally.add(THREAT_BY_MINOR.at(index), count(by_minor & of_role) as i32);
        }
        if (by_rook & of_role).any() {
            tally.add(THREAT_BY_ROOK.at(index), count(by_rook & of_role) as i32);
        }
    }
    if (weak & ours.by(Role::King)).any() {
        tally.add(THREAT_BY_KING.at(0), 1);
    }
    let hanging = weak & (!theirs.any | (pieces & ours.twice));
    tally.add(HANGING.at(0), count(hanging) as i32);
    let restricted = theirs.any & !held & ours.any;
    tally.add(RESTRICTED.at(0), count(restricted) as i32);
    on_queen::<S, T>(survey, held, tally);
}

#[inline(always)]
fn by_pawns<S: Side, T: Tally>(survey: &Survey<'_>, pieces: Bitboard, tally: &mut T) {
    let (ours, theirs) = (survey.reach::<S>(), survey.reach::<S::Them>());
    // A pawn that is simply taken threatens nothing.
    let safe = ours.any | !theirs.any;
    let pawns = survey.ours::<S>(Role::Pawn);
    let attacked = S::pawn_attacks(pawns & safe) & pieces;
    if attacked.any() {
        for (index, &role) in ROLES[1..].iter().enumerate() {
            let targets = attacked & survey.position.role(role);
            tally.add(THREAT_BY_PAWN.at(index), count(targets) as i32);
        }
    }
    let free = !survey.occupied;
    let one = S::forward(pawns) & free;
    let two = S::forward(one & S::rank_mask(2)) & free;
    let pushed = (one | two) & !theirs.by(Role::Pawn) & safe;
    let could_attack = S::pawn_attacks(pushed) & pieces;
    tally.add(THREAT_BY_PUSH.at(0), count(could_attack) as i32);
}

/// Squares from which a piece could attack the only queen of the enemy.
#[inline(always)]
fn on_queen<S: Side, T: Tally>(survey: &Survey<'_>, held: Bitboard, tally: &mut T) {
    let Some(queen) = survey.ours::<S::Them>(Role::Queen).single_square() else { return };
    let ours = survey.reach::<S>();
    let safe = survey.mobility_area::<S>() & !held;
    let leaps = ours.by(Role::Knight) & attacks::knight_attacks(queen) & safe;
    tally.add(THREAT_ON_QUEEN.at(0), count(leaps) as i32);
    let diagonal = ours.by(Role::Bishop) & attacks::bishop_attacks(queen, survey.occupied);
    let straight = ours.by(Role::Rook) & attacks::rook_attacks(queen, survey.occupied);
    let lines = (diagonal | straight) & safe & ours.twice;
    tally.add(THREAT_ON_QUEEN.at(1), count(lines) as i32);
}
