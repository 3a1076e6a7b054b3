//! The positions that a network is trained with: which are kept, and which were seen before.

use std::collections::HashSet;

use koel_board::{Key, Position};

use crate::training_game::{ScoredMove, TrainingGame};

/// The first ply of the game, opening plies included: before it positions repeat.
const MIN_PLY: u32 = 8;
/// The least number of pieces, kings included.
const MIN_PIECES: usize = 4;
/// The largest absolute score in centipawns, which excludes mate scores and missing scores.
const MAX_SCORE: u16 = 1_500;

/// Returns true if a network is trained with a position. Positions in check and those whose best
/// move is a capture or a promotion are left out: a static evaluation cannot see what the move
/// changes.
pub(crate) fn is_kept(position: &Position, scored: &ScoredMove) -> bool {
    scored.white_score.unsigned_abs() <= MAX_SCORE
        && !scored.played.is_noisy()
        && !position.is_check()
        && game_ply(position) >= MIN_PLY
        && position.occupied().count() >= MIN_PIECES
}

/// Returns the number of plies since the start of the game, from the move number.
fn game_ply(position: &Position) -> u32 {
    2 * (position.fullmove_number() - 1) + u32::from(position.turn().is_black())
}

/// The keys of positions that were seen. Two different positions share a key with a probability of
/// 2^-64.
pub(crate) type SeenPositions = HashSet<Key>;

/// Returns the keys of the positions of a game that are kept, with repetitions.
pub(crate) fn kept_keys(game: &TrainingGame) -> Vec<Key> {
    let mut keys = Vec::new();
    game.for_each_position(|position, scored| {
        if is_kept(position, scored) {
            keys.push(position.key());
        }
    });
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_quiet_positions_are_kept() {
        let kept = |fen: &str, uci: &str, white_score| {
            let position = Position::from_fen(fen).unwrap();
            let played = position.parse_uci(uci).unwrap();
            is_kept(&position, &ScoredMove { played, white_score })
        };
        let quiet = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 5";
        assert!(kept(quiet, "e1d1", -1_500));
        assert!(!kept(quiet, "e1d1", ScoredMove::NO_SCORE));
        assert!(!kept(quiet, "e1d1", -1_501));
        assert!(!kept(quiet, "e4d5", 0));
        assert!(!kept("4k3/8/8/3p4/4P3/8/8/4K3 b - - 0 4", "d5d4", 0));
        assert!(!kept("4k3/8/8/3p4/8/8/8/4K3 w - - 0 9", "e1d1", 0));
        assert!(!kept("4k3/8/8/3p4/1b2P3/8/8/4K3 w - - 0 9", "e1d1", 0));
    }
}
