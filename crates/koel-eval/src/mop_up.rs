//! The evaluation of positions with a bare king: how to drive it to where it is mated. (Mop-up
//! Evaluation.)
//!
//! Self-play games are adjudicated before a bare king is mated, so the network has not learnt how.
//! The terms and their weights are those of an earlier hand-crafted evaluation that can be other
//! than zero with a bare king.

mod bare_king;
mod terms;
mod weights;

use koel_board::{Bitboard, Color, Position, Role, Square};

use crate::centipawns::Centipawns;
use bare_king::{BareKing, count, distance};

/// The bonus of a certain win, in centipawns.
const CERTAIN_WIN: i32 = 400;

/// The game phase with all pieces on the board.
const FULL_PHASE: i32 = 24;

/// The contribution of each piece to the game phase, by role, pawn to king.
const PHASES: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// Returns the evaluation for the side to move if one side has only its king and the other can mate
/// it, and `None` in all other positions.
#[inline]
pub(crate) fn evaluate(position: &Position) -> Option<Centipawns> {
    let is_bare = |color: Color| !position.color(color).more_than_one();
    if is_bare(Color::Black) {
        evaluate_bare(position, Color::White)
    } else if is_bare(Color::White) {
        evaluate_bare(position, Color::Black)
    } else {
        None
    }
}

#[cold]
fn evaluate_bare(position: &Position, stronger: Color) -> Option<Centipawns> {
    let board = BareKing::new(position, stronger);
    if !board.can_mate() {
        return None;
    }
    let [middlegame, endgame] = terms::total(&board).0;
    let phases = Role::ALL.into_iter().zip(PHASES);
    let phase = phases.map(|(role, weight)| count(board.ours(role)) * weight).sum::<i32>();
    let phase = phase.min(FULL_PHASE);
    let endgame = (endgame + bonus(&board)) * endgame_scale(&board) / 64;
    let eval = (middlegame * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE;
    Some(Centipawns(if board.is_our_turn { eval } else { -eval }))
}

/// Returns the scale of the endgame evaluation in 64ths: the fewer pawns, the harder the win,
/// unless there are none at all.
fn endgame_scale(board: &BareKing) -> i32 {
    let pawns = count(board.ours(Role::Pawn));
    if pawns == 0 { 64 } else { (40 + 6 * pawns).min(64) }
}

/// Returns the bonus for driving the bare king to the edge, or to the corner of the bishop's colour,
/// with the own king close to it.
fn bonus(board: &BareKing) -> i32 {
    let closeness = 7 - distance(board.king, board.bare_king);
    let (bishops, knights) = (board.ours(Role::Bishop), board.ours(Role::Knight));
    let needs_pieces = !board.has_heavy() && !board.has_both_bishops();
    let edge = if needs_pieces && board.ours(Role::Pawn).is_empty() && count(knights) == 1 {
        10 * (7 - distance_to_corner(board.bare_king, bishops))
    } else {
        distance_from_centre(board.bare_king)
    };
    CERTAIN_WIN + 10 * closeness + 10 * edge
}

/// Returns the distance of a square from the centre: 0 to 6.
fn distance_from_centre(square: Square) -> i32 {
    let beyond = |line: i32| (3 - line).max(line - 4);
    beyond(square as i32 & 7) + beyond(square as i32 >> 3)
}

/// Returns the distance of a square from the nearer corner that the bishop can attack.
fn distance_to_corner(square: Square, bishops: Bitboard) -> i32 {
    let corners = if bishops.is_disjoint(Bitboard::DARK_SQUARES) {
        [Square::A8, Square::H1]
    } else {
        [Square::A1, Square::H8]
    };
    corners.map(|corner| distance(square, corner)).into_iter().min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{with_colors_flipped, with_wings_flipped};

    /// The evaluation for White.
    fn for_white(fen: &str) -> Option<i32> {
        let position = Position::from_fen(fen).unwrap();
        let eval = evaluate(&position)?.0;
        Some(position.turn().fold_wb(eval, -eval))
    }

    #[test]
    fn only_mating_material_counts() {
        assert_eq!(for_white("4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1"), None);
        assert_eq!(for_white("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), None);
        assert_eq!(for_white("4k3/p7/8/8/8/8/8/R3K3 w - - 0 1"), None);
        assert!(for_white("4k3/8/8/8/8/8/8/R3K3 w - - 0 1") >= Some(CERTAIN_WIN));
        assert!(for_white("r3k3/8/8/8/8/8/8/4K3 w - - 0 1") <= Some(-CERTAIN_WIN));
    }

    #[test]
    fn bishop_and_knight_mate_in_the_right_corner() {
        // The bishop is on light squares: a8 and h1.
        let bonus = |fen| bonus(&BareKing::new(&Position::from_fen(fen).unwrap(), Color::White));
        let right = bonus("k7/8/1K6/8/8/8/8/5BN1 w - - 0 1");
        let wrong = bonus("8/8/8/8/8/1K6/8/k4BN1 w - - 0 1");
        assert!(right > wrong + 50, "{right} {wrong}");
    }

    /// Values of the hand-crafted evaluation that the terms were taken from. When they were taken,
    /// both agreed on 200,000 random positions.
    const EXPECTED: [(&str, i32); 12] = [
        ("8/P7/8/3R4/8/8/4K2k/8 b - - 0 1", 1424),
        ("8/8/3n4/8/5q2/6k1/8/7K w - - 0 1", -2145),
        ("8/k4K2/1bq5/8/6b1/3p4/8/8 w - - 0 1", -2450),
        ("4k3/8/2b3p1/8/5n2/5b2/4r3/5K2 b - - 0 1", -1951),
        ("q7/1p2q3/1b2k3/7r/2K5/8/8/8 w - - 0 1", -3420),
        ("3bb3/3k4/8/8/K7/1r6/8/1r6 b - - 0 1", -2692),
        ("3Q4/1K5P/4N3/8/8/5k2/6N1/8 b - - 0 1", 2354),
        ("5r2/8/1K6/8/8/8/2k5/8 w - - 0 1", -1122),
        ("8/4p3/K7/1n1n4/4r3/7k/6p1/8 w - - 0 1", -2322),
        ("1n2r3/1r4q1/4K3/8/8/1kp3b1/8/8 w - - 0 1", -3850),
        ("5k1R/2P5/3K4/8/5Q2/5P2/4P3/8 b - - 0 1", 3153),
        ("R2N4/8/Q1P5/2K3RP/4B3/8/8/2k5 w - - 0 1", 4175),
    ];

    #[test]
    fn evaluations_are_those_of_the_hand_crafted_terms() {
        for (fen, expected) in EXPECTED {
            assert_eq!(for_white(fen), Some(expected), "{fen}");
        }
    }

    #[test]
    fn colours_and_wings_are_alike() {
        for (fen, _) in EXPECTED {
            let position = Position::from_fen(fen).unwrap();
            let here = evaluate(&position);
            assert_eq!(evaluate(&with_colors_flipped(&position)), here, "{fen}");
            assert_eq!(evaluate(&with_wings_flipped(&position)), here, "{fen}");
        }
    }
}
