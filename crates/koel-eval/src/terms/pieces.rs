//! Pieces: how far they reach, and whether they stand well. (Mobility; Evaluation of pieces.)

use koel_board::{Bitboard, Role, Square, attacks};

use crate::side::{Side, count, distance, fill_files};
use crate::survey::Survey;
use crate::table::{
    BISHOP_BLOCKED_CENTRE, BISHOP_MOBILITY, BISHOP_OUTPOST, BISHOP_PAIR, BISHOP_PAWNS,
    KNIGHT_MOBILITY, KNIGHT_NEAR_OUTPOST, KNIGHT_OUTPOST, KNIGHT_PER_PAWN, LONG_DIAGONAL,
    MINOR_BEHIND_PAWN, MINOR_FAR_FROM_KING, QUEEN_IN_LINE, QUEEN_MOBILITY, ROOK_FILE,
    ROOK_MOBILITY, ROOK_PER_PAWN, ROOK_SEVENTH, ROOK_SHUT_IN,
};
use crate::tally::Tally;

const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);
const CENTRAL_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);

/// Counts the pieces of one side and notes their attacks.
#[inline(always)]
pub(crate) fn tally<S: Side, T: Tally>(survey: &mut Survey<'_>, tally: &mut T) {
    let pawns = survey.ours::<S>(Role::Pawn);
    let defended = S::pawn_attacks(pawns);
    let ranks = S::rank_mask(3) | S::rank_mask(4) | S::rank_mask(5);
    let outposts = ranks & !survey.pawns.spans[<S::Them as Side>::COLOR as usize];
    knights::<S, T>(survey, [outposts & defended, outposts & !defended], tally);
    bishops::<S, T>(survey, [outposts & defended, outposts & !defended], tally);
    rooks::<S, T>(survey, tally);
    queens::<S, T>(survey, tally);
    let minors = survey.ours::<S>(Role::Knight) | survey.ours::<S>(Role::Bishop);
    let shielded = minors & S::backward(survey.position.role(Role::Pawn));
    tally.add(MINOR_BEHIND_PAWN.at(0), count(shielded) as i32);
}

#[inline(always)]
fn knights<S: Side, T: Tally>(survey: &mut Survey<'_>, outposts: [Bitboard; 2], tally: &mut T) {
    let knights = survey.ours::<S>(Role::Knight);
    if knights.is_empty() {
        return;
    }
    let area = survey.mobility_area::<S>();
    let king = survey.king::<S>();
    for knight in knights {
        let attacks = attacks::knight_attacks(knight);
        survey.note::<S>(Role::Knight, attacks);
        tally.add(KNIGHT_MOBILITY.at(count(attacks & area)), 1);
        tally.add(MINOR_FAR_FROM_KING.at(0), distance(knight, king) as i32);
        if outposts[0].contains(knight) {
            tally.add(KNIGHT_OUTPOST.at(0), 1);
        } else if outposts[1].contains(knight) {
            tally.add(KNIGHT_OUTPOST.at(1), 1);
        } else if (attacks & outposts[0] & !survey.position.color(S::COLOR)).any() {
            tally.add(KNIGHT_NEAR_OUTPOST.at(0), 1);
        }
    }
    let pawns = count(survey.ours::<S>(Role::Pawn)) as i32 - 5;
    tally.add(KNIGHT_PER_PAWN.at(0), pawns * count(knights) as i32);
}

#[inline(always)]
fn bishops<S: Side, T: Tally>(survey: &mut Survey<'_>, outposts: [Bitboard; 2], tally: &mut T) {
    let bishops = survey.ours::<S>(Role::Bishop);
    if bishops.is_empty() {
        return;
    }
    let area = survey.mobility_area::<S>();
    let king = survey.king::<S>();
    let pawns = survey.ours::<S>(Role::Pawn);
    // It looks through queens, which go ahead on the same line.
    let blockers = survey.occupied ^ survey.position.role(Role::Queen);
    let blocked_centre = count(pawns & CENTRAL_FILES & S::backward(survey.occupied)) as i32;
    for bishop in bishops {
        let attacks = attacks::bishop_attacks(bishop, blockers);
        survey.note::<S>(Role::Bishop, attacks);
        tally.add(BISHOP_MOBILITY.at(count(attacks & area)), 1);
        tally.add(MINOR_FAR_FROM_KING.at(1), distance(bishop, king) as i32);
        if outposts[0].contains(bishop) {
            tally.add(BISHOP_OUTPOST.at(0), 1);
        } else if outposts[1].contains(bishop) {
            tally.add(BISHOP_OUTPOST.at(1), 1);
        }
        let same_colour = count(pawns & squares_of_colour(bishop)) as i32;
        tally.add(BISHOP_PAWNS.at(0), same_colour);
        tally.add(BISHOP_BLOCKED_CENTRE.at(0), same_colour * blocked_centre);
        let pawns_only = attacks::bishop_attacks(bishop, survey.position.role(Role::Pawn));
        if (pawns_only & CENTRE).more_than_one() {
            tally.add(LONG_DIAGONAL.at(0), 1);
        }
    }
    if bishops.more_than_one() {
        tally.add(BISHOP_PAIR.at(0), 1);
    }
}

#[inline(always)]
fn squares_of_colour(square: Square) -> Bitboard {
    if Bitboard::DARK_SQUARES.contains(square) {
        Bitboard::DARK_SQUARES
    } else {
        Bitboard::LIGHT_SQUARES
    }
}

#[inline(always)]
fn rooks<S: Side, T: Tally>(survey: &mut Survey<'_>, tally: &mut T) {
    let rooks = survey.ours::<S>(Role::Rook);
    if rooks.is_empty() {
        return;
    }
    let area = survey.mobility_area::<S>();
    let king = survey.king::<S>();
    let blockers = survey.occupied ^ survey.position.role(Role::Queen) ^ rooks;
    let pawns = survey.ours::<S>(Role::Pawn);
    let own_files = fill_files(pawns);
    let enemy_files = fill_files(survey.ours::<S::Them>(Role::Pawn));
    let enemy_king = survey.king::<S::Them>();
    let prey = survey.ours::<S::Them>(Role::Pawn) & S::rank_mask(6);
    for rook in rooks {
        let attacks = attacks::rook_attacks(rook, blockers);
        survey.note::<S>(Role::Rook, attacks);
        let mobility = count(attacks & area);
        tally.add(ROOK_MOBILITY.at(mobility), 1);
        if !own_files.contains(rook) {
            tally.add(ROOK_FILE.at(usize::from(enemy_files.contains(rook))), 1);
        } else if mobility <= 3 && is_shut_in::<S>(rook, king) {
            tally.add(ROOK_SHUT_IN.at(0), 1);
        }
        if S::rank(rook) == 6 && (S::rank(enemy_king) == 7 || prey.any()) {
            tally.add(ROOK_SEVENTH.at(0), 1);
        }
    }
    tally.add(ROOK_PER_PAWN.at(0), (count(pawns) as i32 - 5) * count(rooks) as i32);
}

/// Whether the rook is in the corner beside its king.
#[inline(always)]
fn is_shut_in<S: Side>(rook: Square, king: Square) -> bool {
    let (rook_file, king_file) = (rook as u32 & 7, king as u32 & 7);
    let is_outside = if king_file < 4 { rook_file < king_file } else { rook_file > king_file };
    S::rank(king) == 0 && S::rank(rook) <= 1 && is_outside
}

#[inline(always)]
fn queens<S: Side, T: Tally>(survey: &mut Survey<'_>, tally: &mut T) {
    let queens = survey.ours::<S>(Role::Queen);
    if queens.is_empty() {
        return;
    }
    let area = survey.mobility_area::<S>();
    let enemy = survey.position.color(<S::Them as Side>::COLOR);
    for queen in queens {
        let attacks = attacks::queen_attacks(queen, survey.occupied);
        survey.note::<S>(Role::Queen, attacks);
        tally.add(QUEEN_MOBILITY.at(count(attacks & area)), 1);
        let bishops = attacks::bishop_attacks(queen, Bitboard::EMPTY)
            & enemy
            & survey.position.role(Role::Bishop);
        let rooks = attacks::rook_attacks(queen, Bitboard::EMPTY)
            & enemy
            & survey.position.role(Role::Rook);
        let in_line = (bishops | rooks).into_iter().any(|slider| {
            attacks::between(queen, slider).intersect(survey.occupied).single_square().is_some()
        });
        if in_line {
            tally.add(QUEEN_IN_LINE.at(0), 1);
        }
    }
}
