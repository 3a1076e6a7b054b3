//! Which positions of a game are worth learning from.

use koel_board::Position;

use crate::record::Ply;

/// The terms on which a position is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filter {
    /// Not before so many plies of the game, random ones included: openings are all alike.
    pub least_ply: u32,
    /// Not with fewer pieces than this, kings included.
    pub least_pieces: usize,
    /// Not with a score beyond this many centipawns, which excludes mates and missing scores.
    pub most_score: u16,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter { least_ply: 16, least_pieces: 4, most_score: 1_500 }
    }
}

impl Filter {
    /// Whether a position is kept. Those in check and those whose best move is a capture or a
    /// promotion are not: their worth is in the move, not in how they look.
    #[must_use]
    pub fn keeps(&self, position: &Position, ply: &Ply) -> bool {
        ply.white_score.unsigned_abs() <= self.most_score
            && !ply.played.is_noisy()
            && !position.is_check()
            && game_ply(position) >= self.least_ply
            && position.occupied().count() >= self.least_pieces
    }
}

/// Plies since the start of the game, by its move number.
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
            Filter::default().keeps(&position, &Ply { played, white_score })
        };
        let quiet = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 9";
        assert!(kept(quiet, "e1d1", -1_500));
        assert!(!kept(quiet, "e1d1", Ply::NO_SCORE));
        assert!(!kept(quiet, "e1d1", -1_501));
        assert!(!kept(quiet, "e4d5", 0));
        assert!(!kept("4k3/8/8/3p4/4P3/8/8/4K3 b - - 0 8", "d5d4", 0));
        assert!(!kept("4k3/8/8/3p4/8/8/8/4K3 w - - 0 9", "e1d1", 0));
        assert!(!kept("4k3/8/8/3p4/1b2P3/8/8/4K3 w - - 0 9", "e1d1", 0));
    }
}
