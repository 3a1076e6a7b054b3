//! The evaluation of positions with a bare king: how to drive it to where it is mated. (Mop-up
//! Evaluation.)
//!
//! Self-play games are adjudicated before a bare king is mated, so the network has not learnt how.

use koel_board::{Bitboard, Color, Position, Role, Square};

use crate::centipawns::Centipawns;
use crate::piece_square;

/// The bonus of a certain win, in centipawns.
const CERTAIN_WIN: i32 = 400;

/// The bonus for each king step that the own king is closer to the bare king, in centipawns.
const CLOSENESS: i32 = 10;

/// The bonus for each step of the bare king towards the edge or the corner, in centipawns.
const EDGE: i32 = 10;

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
    if !can_mate(position, stronger) {
        return None;
    }
    let bonus = bonus(position, stronger);
    let is_their_turn = position.turn() != stronger;
    let Centipawns(eval) = piece_square::evaluate(position);
    Some(Centipawns(eval + if is_their_turn { -bonus } else { bonus }))
}

/// Returns true if the pieces of a side, without its pawns, can mate a bare king.
fn can_mate(position: &Position, color: Color) -> bool {
    let bishops = position.pieces(color, Role::Bishop);
    let knights = position.pieces(color, Role::Knight);
    has_heavy(position, color)
        || has_both_bishops(bishops)
        || (bishops.any() && knights.any())
        || knights.count() > 2
}

fn has_heavy(position: &Position, color: Color) -> bool {
    [Role::Rook, Role::Queen].iter().any(|&role| position.pieces(color, role).any())
}

/// Returns true if there are bishops on squares of both colours.
fn has_both_bishops(bishops: Bitboard) -> bool {
    !bishops.is_disjoint(Bitboard::DARK_SQUARES) && !bishops.is_disjoint(Bitboard::LIGHT_SQUARES)
}

/// Returns the bonus for driving the bare king to the edge, or with bishop and knight to the corner
/// of the bishop's colour, with the own king close to it.
fn bonus(position: &Position, stronger: Color) -> i32 {
    let (king, bare_king) = (position.king(stronger), position.king(!stronger));
    let bishops = position.pieces(stronger, Role::Bishop);
    let needs_corner = !has_heavy(position, stronger)
        && !has_both_bishops(bishops)
        && position.pieces(stronger, Role::Pawn).is_empty()
        && position.pieces(stronger, Role::Knight).count() == 1;
    let edge = if needs_corner {
        7 - distance_to_corner(bare_king, bishops)
    } else {
        distance_from_centre(bare_king)
    };
    CERTAIN_WIN + CLOSENESS * (7 - king.distance(bare_king) as i32) + EDGE * edge
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
    corners.map(|corner| square.distance(corner) as i32).into_iter().min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::with_wings_flipped;

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
        assert_eq!(for_white("4k3/8/8/8/8/8/8/B1B1K3 w - - 0 1"), None);
        for pieces in ["R3K3", "Q3K3", "BB2K3", "BN2K3", "NNN1K3"] {
            let fen = format!("4k3/8/8/8/8/8/8/{pieces} w - - 0 1");
            assert!(for_white(&fen) >= Some(CERTAIN_WIN), "{fen}");
        }
        assert!(for_white("r3k3/8/8/8/8/8/8/4K3 w - - 0 1") <= Some(-CERTAIN_WIN));
    }

    #[test]
    fn the_bare_king_is_driven_to_the_edge_and_approached() {
        let [edge, centre] = ["k7/8/8/3K4/8/8/8/7R", "8/8/8/3K4/8/4k3/8/7R"]
            .map(|board| for_white(&format!("{board} b - - 0 1")).unwrap());
        let near = for_white("k7/8/1K6/8/8/8/8/7R b - - 0 1").unwrap();
        assert!(centre < edge && edge < near, "{centre} {edge} {near}");
    }

    #[test]
    fn bishop_and_knight_mate_in_the_right_corner() {
        // The bishop is on light squares: a8 and h1.
        let bonus = |fen| bonus(&Position::from_fen(fen).unwrap(), Color::White);
        let right = bonus("k7/8/1K6/8/8/8/8/5BN1 w - - 0 1");
        let wrong = bonus("8/8/8/8/8/1K6/8/k4BN1 w - - 0 1");
        assert!(right > wrong + 50, "{right} {wrong}");
    }

    #[test]
    fn colours_and_wings_are_alike() {
        for fen in [
            "8/P7/8/3R4/8/8/4K2k/8 b - - 0 1",
            "8/8/3n4/8/5q2/6k1/8/7K w - - 0 1",
            "8/8/8/8/4k3/8/3BNK2/8 w - - 0 1",
            "4k3/2K5/8/8/3BB3/8/8/8 b - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let here = evaluate(&position);
            assert!(here.is_some(), "{fen}");
            assert_eq!(evaluate(&position.with_colors_exchanged()), here, "{fen}");
            assert_eq!(evaluate(&with_wings_flipped(&position)), here, "{fen}");
        }
    }
}
