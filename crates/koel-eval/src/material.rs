//! Material by the common piece values.

use koel_board::{Position, Role};

/// Returns the material of both sides: 1 for a pawn, 3 for a knight or a bishop, 5 for a rook, 9
/// for a queen. It is 78 at the start of a game.
#[inline]
#[must_use]
pub fn material(position: &Position) -> u32 {
    let count = |role| position.role(role).count() as u32;
    count(Role::Pawn)
        + 3 * (count(Role::Knight) + count(Role::Bishop))
        + 5 * count(Role::Rook)
        + 9 * count(Role::Queen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_has_78() {
        assert_eq!(material(&Position::start()), 78);
        assert_eq!(material(&Position::from_fen("4k3/p7/8/8/8/8/8/Q3K1N1 w - - 0 1").unwrap()), 13);
    }
}
