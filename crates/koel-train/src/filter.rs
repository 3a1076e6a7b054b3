//! The filter for the positions of a game that a network is trained with.

use koel_board::Position;

use crate::training_game::ScoredMove;

/// The conditions that a training position must meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PositionFilter {
    /// The first ply of the game, opening plies included: before it positions repeat.
    pub(crate) min_ply: u32,
    /// The least number of pieces, kings included.
    pub(crate) min_pieces: usize,
    /// The largest absolute score in centipawns, which excludes mate scores and missing scores.
    pub(crate) max_score: u16,
}

impl Default for PositionFilter {
    fn default() -> PositionFilter {
        PositionFilter { min_ply: 8, min_pieces: 4, max_score: 1_500 }
    }
}

impl PositionFilter {
    /// Returns true if a position is kept. Positions in check and those whose best move is a
    /// capture or a promotion are left out: a static evaluation cannot see what the move changes.
    pub(crate) fn keeps(&self, position: &Position, scored: &ScoredMove) -> bool {
        scored.white_score.unsigned_abs() <= self.max_score
            && !scored.played.is_noisy()
            && !position.is_check()
            && game_ply(position) >= self.min_ply
            && position.occupied().count() >= self.min_pieces
    }
}

/// Returns the number of plies since the start of the game, from the move number.
fn game_ply(position: &Position) -> u32 {
    2 * (position.fullmove_number() - 1) + u32::from(position.turn().is_black())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_quiet_positions_are_kept() {
        let kept = |fen: &str, uci: &str, white_score| {
            let position = Position::from_fen(fen).unwrap();
            let played = position.parse_uci(uci).unwrap();
            PositionFilter::default().keeps(&position, &ScoredMove { played, white_score })
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
