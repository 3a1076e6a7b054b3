//! Perft: counts the leaves of the tree of legal moves, the standard test of a move generator.

use crate::moves::Move;
use crate::position::Position;

/// Returns the number of move sequences of `depth` plies from `position`. The moves of the last ply
/// are counted without being made (bulk counting).
///
/// ```
/// use koel_board::{Position, perft::perft};
///
/// assert_eq!(perft(&Position::start(), 3), 8_902);
/// ```
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves() as u64,
        _ => {
            let mut leaves = 0;
            for &m in &position.legal_moves() {
                let mut child = position.clone();
                child.play(m);
                leaves += perft(&child, depth - 1);
            }
            leaves
        }
    }
}

/// Returns the [`perft`] of each legal move separately, nothing at depth 0.
///
/// ```
/// use koel_board::{Position, perft::{divide, perft}};
///
/// let position = Position::start();
/// let parts = divide(&position, 3);
/// assert_eq!(parts.len(), 20);
/// assert_eq!(parts.iter().map(|(_, leaves)| leaves).sum::<u64>(), perft(&position, 3));
/// ```
#[must_use]
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
    let moves = position.legal_moves();
    moves.into_iter().map(|m| (m, perft(&position.after(m), rest))).collect()
}
