//! The attack on the king. (King safety: attacking king zone.)

use koel_board::{Bitboard, Role, attacks};

use crate::side::{Side, count};
use crate::survey::Survey;
use crate::table::{
    DANGER_ATTACK, DANGER_ATTACKER, DANGER_BASE, DANGER_CHECK, DANGER_DEFENDER, DANGER_SAFE_CHECK,
    DANGER_SHIELD, DANGER_WEAK, DANGER_WING,
};
use crate::tally::Tally;
use crate::terms::shelter::WINGS;

/// Counts the danger of one side's king. Without two attackers, or one and a queen, there is none.
#[inline(always)]
pub(crate) fn tally<S: Side, T: Tally>(survey: &Survey<'_>, tally: &mut T) {
    let theirs = survey.reach::<S::Them>();
    let queens = survey.ours::<S::Them>(Role::Queen);
    let attackers: i32 = theirs.ring_attackers.iter().sum();
    if attackers < if queens.any() { 1 } else { 2 } {
        return;
    }
    let ours = survey.reach::<S>();
    let king_and_queen = ours.by(Role::King) | ours.by(Role::Queen);
    let weak = theirs.any & !ours.twice & (!ours.any | king_and_queen);

    tally.endanger(DANGER_BASE.at(usize::from(queens.is_empty())), 1);
    for (index, &number) in theirs.ring_attackers.iter().enumerate() {
        tally.endanger(DANGER_ATTACKER.at(index), number);
    }
    tally.endanger(DANGER_ATTACK.at(0), theirs.ring_attacks);
    tally.endanger(DANGER_WEAK.at(0), count(survey.ring::<S>() & weak) as i32);
    checks::<S, T>(survey, weak, tally);
    wing::<S, T>(survey, tally);
    let next = ours.by(Role::King);
    let defenders = [Role::Knight, Role::Bishop].map(|role| next & survey.ours::<S>(role));
    tally.endanger(DANGER_DEFENDER.at(0), count(defenders[0]) as i32);
    tally.endanger(DANGER_DEFENDER.at(1), count(defenders[1]) as i32);
}

/// Squares from which the enemy can check, safely or not, and pieces that stand in the line of
/// one.
#[inline(always)]
fn checks<S: Side, T: Tally>(survey: &Survey<'_>, weak: Bitboard, tally: &mut T) {
    let king = survey.king::<S>();
    let (ours, theirs) = (survey.reach::<S>(), survey.reach::<S::Them>());
    let free = !survey.position.color(<S::Them as Side>::COLOR);
    let safe = free & (!ours.any | (weak & theirs.twice));
    let without_queen = survey.occupied ^ survey.ours::<S>(Role::Queen);
    let straight = attacks::rook_attacks(king, without_queen);
    let diagonal = attacks::bishop_attacks(king, without_queen);
    let checks = [
        attacks::knight_attacks(king) & theirs.by(Role::Knight),
        diagonal & theirs.by(Role::Bishop),
        straight & theirs.by(Role::Rook),
    ];
    for (index, squares) in checks.into_iter().enumerate() {
        let is_safe = (squares & safe).any();
        tally.endanger(DANGER_SAFE_CHECK.at(index), i32::from(is_safe));
        if !is_safe {
            tally.endanger(DANGER_CHECK.at(index), count(squares & free) as i32);
        }
    }
    let queen = (straight | diagonal) & theirs.by(Role::Queen) & safe & !ours.by(Role::Queen);
    tally.endanger(DANGER_SAFE_CHECK.at(3), i32::from(queen.any()));

    let color = <S::Them as Side>::COLOR;
    let mut shields = 0;
    let sliders = (attacks::rook_attacks(king, Bitboard::EMPTY)
        & survey.position.orthogonal_sliders(color))
        | (attacks::bishop_attacks(king, Bitboard::EMPTY)
            & survey.position.diagonal_sliders(color));
    for slider in sliders {
        let between = attacks::between(king, slider) & survey.occupied;
        if between.single_square().is_some() {
            shields += count(between & survey.position.color(S::COLOR)) as i32;
        }
    }
    tally.endanger(DANGER_SHIELD.at(0), shields);
}

/// How much is going on around the king.
#[inline(always)]
fn wing<S: Side, T: Tally>(survey: &Survey<'_>, tally: &mut T) {
    let camp = !(S::rank_mask(5) | S::rank_mask(6) | S::rank_mask(7));
    let wing = WINGS[survey.king::<S>() as usize & 7] & camp;
    let (ours, theirs) = (survey.reach::<S>(), survey.reach::<S::Them>());
    let attacked = count(wing & theirs.any) + count(wing & theirs.twice);
    tally.endanger(DANGER_WING.at(0), attacked as i32);
    tally.endanger(DANGER_WING.at(1), count(wing & ours.any) as i32);
}
