//! Deduplication of positions.

use koel_board::Key;

use crate::filter::is_kept;
use crate::training_game::TrainingGame;

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
}
