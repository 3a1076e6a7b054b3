//! The positions that a network is trained with: which are kept, and which were seen before.

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

/// The high bits of a key select a shard, which stores only the other 48 bits.
const SHARD_BITS: u32 = 16;

/// An exact set of position keys in about 8 bytes a key (7.6 million positions: the process took 64
/// MiB, and 294 MiB with a concurrent hash map of keys and game numbers).
///
/// Keys lie in sorted shards, each of which grows by an eighth, so that little of the memory is
/// spare. Two different positions share a key with a probability of 2^-64; among 100 million
/// positions fewer than one in a thousand runs has such a pair.
#[derive(Clone, Debug)]
pub(crate) struct SeenPositions {
    shards: Vec<Vec<[u16; 3]>>,
}

impl Default for SeenPositions {
    fn default() -> SeenPositions {
        SeenPositions { shards: vec![Vec::new(); 1 << SHARD_BITS] }
    }
}

impl SeenPositions {
    /// Adds a position and returns true if the set did not contain it.
    pub(crate) fn insert(&mut self, key: Key) -> bool {
        let rest = [32, 16, 0].map(|shift| (key.0 >> shift) as u16);
        let shard = &mut self.shards[(key.0 >> (u64::BITS - SHARD_BITS)) as usize];
        let Err(place) = shard.binary_search(&rest) else { return false };
        if shard.len() == shard.capacity() {
            shard.reserve_exact(shard.len() / 8 + 4);
        }
        shard.insert(place, rest);
        true
    }

    /// Adds positions and returns the number of those that the set did not contain.
    pub(crate) fn insert_all(&mut self, keys: &[Key]) -> usize {
        keys.iter().filter(|&&key| self.insert(key)).count()
    }
}

/// Returns the keys of the positions of a game and of its search trees that are kept, with
/// repetitions.
pub(crate) fn kept_keys(game: &TrainingGame) -> Vec<Key> {
    let mut keys = Vec::new();
    let mut add = |position: &Position, scored: &ScoredMove| {
        if is_kept(position, scored) {
            keys.push(position.key());
        }
    };
    game.for_each_position(&mut add);
    game.tree_positions.iter().for_each(|(position, scored)| add(position, scored));
    keys
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use koel_random::Rng;

    use super::*;

    #[test]
    fn the_set_agrees_with_that_of_the_standard_library() {
        let (mut seen, mut expected) = (SeenPositions::default(), HashSet::new());
        let mut rng = Rng::new(1);
        // Few shards and few different keys, so that shards grow and keys repeat.
        for _ in 0..50_000 {
            let bits = (rng.below(3) as u64) << 62 | (rng.below(5_000) as u64) << 29 | 1;
            assert_eq!(seen.insert(Key(bits)), expected.insert(bits));
        }
        assert!(expected.len() < 20_000);
        assert_eq!(seen.insert_all(&[Key(8), Key(9), Key(8), Key(1 << 62)]), 3);
    }

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
