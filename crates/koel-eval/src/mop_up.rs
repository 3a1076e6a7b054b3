//! Against a bare king: drive it to where it is mated. (Mop-up evaluation.)

use koel_board::{Bitboard, Color, Position, Role, Square};

use crate::centipawns::Centipawns;
use crate::hand_written;
use crate::side::{count, distance};

/// Centipawns for White, as an endgame, on top of everything else. Nothing unless one side has
/// only its king, and the other enough to mate it.
#[inline]
fn drive(position: &Position) -> i32 {
    let is_bare = |color: Color| !position.color(color).more_than_one();
    if is_bare(Color::Black) {
        against(position, Color::White)
    } else if is_bare(Color::White) {
        -against(position, Color::Black)
    } else {
        0
    }
}

/// Returns the evaluation of a position in which one side has only its king and the other can mate
/// it, for the side to move, and `None` in all other positions.
///
/// Self-play games are adjudicated before such a king is mated, so no network has learnt how.
#[inline]
pub(crate) fn evaluate(position: &Position) -> Option<Centipawns> {
    let bonus = drive(position);
    (bonus != 0).then(|| Centipawns(hand_written::evaluate(position, bonus)))
}

/// That the win is certain.
const SURE_WIN: i32 = 400;

fn against(position: &Position, stronger: Color) -> i32 {
    let knights = position.pieces(stronger, Role::Knight);
    let bishops = position.pieces(stronger, Role::Bishop);
    let has_heavy = position.orthogonal_sliders(stronger).any();
    let has_both_colours = !bishops.is_disjoint(Bitboard::DARK_SQUARES)
        && !bishops.is_disjoint(Bitboard::LIGHT_SQUARES);
    let has_both_minors = bishops.any() && knights.any();
    if !(has_heavy || has_both_colours || has_both_minors || count(knights) > 2) {
        return 0;
    }
    let (hunter, prey) = (position.king(stronger), position.king(!stronger));
    let closeness = 7 - distance(hunter, prey) as i32;
    let needs_corner = !has_heavy && !has_both_colours && position.role(Role::Pawn).is_empty();
    let edge = if needs_corner && count(knights) == 1 {
        10 * (7 - to_corner(prey, bishops))
    } else {
        from_centre(prey)
    };
    SURE_WIN + 10 * closeness + 10 * edge
}

/// How far a square is from the centre: 0 to 6.
fn from_centre(square: Square) -> i32 {
    let beyond = |line: i32| (3 - line).max(line - 4);
    beyond(square as i32 & 7) + beyond(square as i32 >> 3)
}

/// Steps to the nearer corner that the bishop can attack.
fn to_corner(square: Square, bishops: Bitboard) -> i32 {
    let corners = if bishops.is_disjoint(Bitboard::DARK_SQUARES) {
        [Square::A8, Square::H1]
    } else {
        [Square::A1, Square::H8]
    };
    corners.map(|corner| distance(square, corner) as i32).into_iter().min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drive_in(fen: &str) -> i32 {
        drive(&Position::from_fen(fen).unwrap())
    }

    #[test]
    fn only_enough_material_drives() {
        assert_eq!(drive_in("4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1"), 0);
        assert_eq!(drive_in("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), 0);
        assert_eq!(drive_in("4k3/p7/8/8/8/8/8/R3K3 w - - 0 1"), 0);
        assert!(drive_in("4k3/8/8/8/8/8/8/R3K3 w - - 0 1") >= SURE_WIN);
        assert!(drive_in("r3k3/8/8/8/8/8/8/4K3 w - - 0 1") <= -SURE_WIN);
    }

    #[test]
    fn bishop_and_knight_mate_in_the_right_corner() {
        // The bishop goes on light squares: a8 and h1.
        let right = drive_in("k7/8/1K6/8/8/8/8/5BN1 w - - 0 1");
        let wrong = drive_in("8/8/8/8/8/1K6/8/k4BN1 w - - 0 1");
        assert!(right > wrong + 50, "{right} {wrong}");
    }
}
