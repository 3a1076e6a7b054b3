//! Endgames that are harder to win than they look. (Draw evaluation; Opposite-coloured bishops.)

use koel_board::{Bitboard, Color, Position, Role};

use crate::side::count;

/// The scale of an endgame that is worth what it says.
pub(crate) const FULL_SCALE: i32 = 64;

/// How much of the endgame's worth is to be believed when `stronger` is ahead, of
/// [`FULL_SCALE`].
#[inline]
pub(crate) fn of_endgame(position: &Position, stronger: Color) -> i32 {
    let pawns = count(position.pieces(stronger, Role::Pawn)) as i32;
    if pawns == 0 {
        let (ours, theirs) = (worth(position, stronger), worth(position, !stronger));
        return without_pawns(position, stronger, ours, theirs);
    }
    if has_opposite_bishops(position) {
        let heavy =
            position.role(Role::Knight) | position.role(Role::Rook) | position.role(Role::Queen);
        return if heavy.is_empty() { (18 + 4 * pawns).min(40) } else { (34 + 3 * pawns).min(56) };
    }
    (40 + 6 * pawns).min(FULL_SCALE)
}

/// A side's pieces in pawns, by the usual count.
#[inline]
fn worth(position: &Position, color: Color) -> i32 {
    let number = |role| count(position.pieces(color, role)) as i32;
    3 * (number(Role::Knight) + number(Role::Bishop))
        + 5 * number(Role::Rook)
        + 9 * number(Role::Queen)
}

/// Without pawns, one minor piece more does not win; neither do two knights.
fn without_pawns(position: &Position, stronger: Color, ours: i32, theirs: i32) -> i32 {
    let minors =
        position.pieces(stronger, Role::Knight).with(position.pieces(stronger, Role::Bishop));
    let is_all_knights = minors == position.pieces(stronger, Role::Knight);
    let has_heavy = position.orthogonal_sliders(stronger).any();
    if !has_heavy && (ours <= 3 || (ours == 6 && is_all_knights)) {
        return 0;
    }
    if ours - theirs <= 3 {
        return if theirs <= 3 { 6 } else { 16 };
    }
    FULL_SCALE
}

/// One bishop each, on squares of different colours.
#[inline]
fn has_opposite_bishops(position: &Position) -> bool {
    let bishops = position.role(Role::Bishop);
    let single = |color: Color| (bishops & position.color(color)).single_square();
    let (Some(white), Some(black)) = (single(Color::White), single(Color::Black)) else {
        return false;
    };
    Bitboard::DARK_SQUARES.contains(white) != Bitboard::DARK_SQUARES.contains(black)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(fen: &str) -> i32 {
        of_endgame(&Position::from_fen(fen).unwrap(), Color::White)
    }

    #[test]
    fn what_cannot_be_won_is_worth_little() {
        assert_eq!(scale("4k3/p7/8/8/8/8/8/4KB2 w - - 0 1"), 0);
        assert_eq!(scale("4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1"), 0);
        assert!(scale("4k1n1/8/8/8/8/8/8/R3K3 w - - 0 1") < FULL_SCALE / 4);
        assert_eq!(scale("4k1n1/8/8/8/8/8/8/Q3K3 w - - 0 1"), FULL_SCALE);
    }

    #[test]
    fn opposite_bishops_draw_more() {
        let opposite = scale("4kb2/pp6/8/8/8/8/PPP5/4KB2 w - - 0 1");
        let alike = scale("2b1k3/pp6/8/8/8/8/PPP5/4KB2 w - - 0 1");
        assert!(opposite < alike / 2 + 10, "{opposite} {alike}");
        let with_rooks = scale("r3kb2/pp6/8/8/8/8/PPP5/R3KB2 w - - 0 1");
        assert!(opposite < with_rooks && with_rooks < alike);
    }
}
