//! Perft: the number of leaves of the tree of legal moves, the classic test of a move generator.

use crate::moves::Move;
use crate::position::Position;

/// The number of ways in which `depth` plies can be played from `position`. The last ply is
/// counted, not played.
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    count(&mut position.clone(), depth)
}

/// [`perft`] for each legal move separately. At depth 0 there is nothing to divide.
#[must_use]
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
    let moves = position.legal_moves();
    moves.into_iter().map(|m| (m, count(&mut position.after(m), rest))).collect()
}

fn count(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves() as u64,
        _ => {
            let mut leaves = 0;
            for &m in &position.legal_moves() {
                let undo = position.undo_of(m);
                position.play(m);
                leaves += count(position, depth - 1);
                position.take_back(m, &undo);
            }
            leaves
        }
    }
}
