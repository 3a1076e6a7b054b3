//! Perft with a shared hash and many threads.

use std::hash::{BuildHasherDefault, Hasher};
use std::mem::size_of;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use dashmap::DashMap;
use koel_board::{Key, Move, Position, perft};

/// Nearer to the leaves a look-up saves little, and such entries would crowd out the precious ones.
const LEAST_STORED_DEPTH: u32 = 3;

/// The keys are random numbers already: mixing in the depth is all the hashing they need.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

type CountsByKey = DashMap<(Key, u32), u64, BuildHasherDefault<KeyHasher>>;

/// Counts of positions met before, shared by all threads. It never forgets: when it is full,
/// nothing new enters.
///
/// Two positions with one 64-bit key would make a count wrong; at 100 million entries the chance
/// of a single such pair is about one in 4,000. `--check` knows no keys.
pub(crate) struct Known {
    counts: CountsByKey,
    held: AtomicUsize,
    room: usize,
}

impl Known {
    /// At most `mebibytes` of memory, given at once: a map that grew would double.
    pub(crate) fn with_size(mebibytes: usize, threads: usize) -> Known {
        let shards = (threads * 16).next_power_of_two();
        let slot = size_of::<((Key, u32), u64)>() + 1;
        let slots = (mebibytes << 20) / shards / slot;
        // Hash tables come in powers of two and are full at 7/8; shards fill unevenly.
        let slots = if slots < 16 { 0 } else { 1 << slots.ilog2() };
        let counts = DashMap::with_capacity_and_hasher_and_shard_amount(
            shards * (slots / 8 * 7),
            BuildHasherDefault::default(),
            shards,
        );
        Known { counts, held: AtomicUsize::new(0), room: shards * (slots / 4 * 3) }
    }

    /// How many counts are held, and how many there is room for.
    pub(crate) fn usage(&self) -> (usize, usize) {
        (self.held.load(Ordering::Relaxed), self.room)
    }

    fn get(&self, key: Key, depth: u32) -> Option<u64> {
        self.counts.get(&(key, depth)).map(|count| *count)
    }

    fn insert(&self, key: Key, depth: u32, count: u64) {
        // Between the question and the insertion every other thread may insert one: a few too many
        // do no harm.
        let has_room = self.held.load(Ordering::Relaxed) < self.room;
        if has_room && self.counts.insert((key, depth), count).is_none() {
            self.held.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// The leaves behind each legal move; nothing at depth 0.
pub(crate) fn divide(
    position: &Position,
    depth: u32,
    threads: usize,
    known: &Known,
) -> Vec<(Move, u64)> {
    let Some(depth_left) = depth.checked_sub(1) else { return Vec::new() };
    let moves = position.legal_moves();
    let leaves: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
    let jobs = jobs(position, depth_left);
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let count = count(&job.position, job.depth, known);
                    leaves[job.root_move].fetch_add(count, Ordering::Relaxed);
                }
            });
        }
    });
    moves.into_iter().zip(leaves.into_iter().map(AtomicU64::into_inner)).collect()
}

/// A subtree for one thread.
struct Job {
    root_move: usize,
    position: Position,
    depth: u32,
}

/// The subtrees two plies down, so that there are many more than threads; one ply down where the
/// tree is too low for that.
fn jobs(position: &Position, depth_left: u32) -> Vec<Job> {
    let mut jobs = Vec::new();
    for (root_move, &m) in position.legal_moves().iter().enumerate() {
        let child = position.after(m);
        match depth_left.checked_sub(1) {
            None => jobs.push(Job { root_move, position: child, depth: 0 }),
            Some(depth) => jobs.extend(child.legal_moves().iter().map(|&reply| Job {
                root_move,
                position: child.after(reply),
                depth,
            })),
        }
    }
    jobs
}

fn count(position: &Position, depth: u32, known: &Known) -> u64 {
    if depth < LEAST_STORED_DEPTH {
        return perft::perft(position, depth);
    }
    let key = position.key();
    if let Some(count) = known.get(key, depth) {
        return count;
    }
    let moves = position.legal_moves();
    let leaves = moves.iter().map(|&m| count(&position.after(m), depth - 1, known)).sum();
    known.insert(key, depth, leaves);
    leaves
}

#[cfg(test)]
mod tests {
    use super::*;

    const POSITIONS: [&str; 3] = [
        koel_board::START_FEN,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ];

    #[test]
    fn equals_plain_perft_with_any_hash_and_any_number_of_threads() {
        for fen in POSITIONS {
            let position = Position::from_fen(fen).unwrap();
            for depth in 0..=4 {
                let expected = perft::divide(&position, depth);
                for (mebibytes, threads) in [(0, 1), (1, 1), (1, 3)] {
                    let known = Known::with_size(mebibytes, threads);
                    assert_eq!(divide(&position, depth, threads, &known), expected, "{fen}");
                }
            }
        }
    }

    #[test]
    fn a_full_hash_stays_within_its_size() {
        let known = Known::with_size(1, 1);
        let (_, room) = known.usage();
        let capacity = known.counts.capacity();
        assert!(room > 10_000 && capacity * (size_of::<((Key, u32), u64)>() + 1) <= 1 << 20);
        for number in 0..100_000_u64 {
            known.insert(Key(number.wrapping_mul(0xbf58_476d_1ce4_e5b9)), 3, number);
        }
        assert_eq!(known.usage(), (room, room));
        assert_eq!(known.counts.capacity(), capacity, "a shard has grown");
        assert_eq!(known.get(Key(0), 3), Some(0));
        assert_eq!(known.get(Key(0), 4), None);
    }
}
