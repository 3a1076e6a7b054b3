//! Perft with a shared hash table and several threads.

use std::mem::size_of;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use dashmap::DashMap;
use koel_board::{Key, Move, Position, perft};

/// Counts of fewer plies than this are not stored: a probe would save little, and the entries would
/// take the room of more valuable ones.
const MIN_STORED_DEPTH: u32 = 3;

/// The leaf counts of positions, shared by all threads. Entries are never replaced: nothing is
/// stored in a full table.
///
/// Two positions with the same 64-bit key would make a count wrong. With 100 million entries the
/// probability of one such pair is about 1 in 4,000. `--check` counts without keys.
pub(crate) struct PerftTable {
    counts: DashMap<(Key, u32), u64>,
    entries: AtomicUsize,
    capacity: usize,
}

impl PerftTable {
    /// Allocates at most `mebibytes` of memory at once, because a growing map would double its
    /// size.
    pub(crate) fn with_size(mebibytes: usize, threads: usize) -> PerftTable {
        let shards = (threads * 16).next_power_of_two();
        let slot = size_of::<((Key, u32), u64)>() + 1;
        let slots = (mebibytes << 20) / shards / slot;
        // Each shard has a power of two of slots and is full at 7/8. Shards fill unevenly, so the
        // table stops at 6/8.
        let slots = if slots < 16 { 0 } else { 1 << slots.ilog2() };
        let counts = DashMap::with_capacity_and_shard_amount(shards * (slots / 8 * 7), shards);
        let capacity = shards * (slots / 4 * 3);
        PerftTable { counts, entries: AtomicUsize::new(0), capacity }
    }

    /// Returns the number of entries and the capacity.
    pub(crate) fn usage(&self) -> (usize, usize) {
        (self.entries.load(Ordering::Relaxed), self.capacity)
    }

    fn get(&self, key: Key, depth: u32) -> Option<u64> {
        self.counts.get(&(key, depth)).map(|count| *count)
    }

    fn insert(&self, key: Key, depth: u32, count: u64) {
        // Another thread may insert between this check and the insertion: a few entries more than
        // the capacity do no harm.
        let has_room = self.entries.load(Ordering::Relaxed) < self.capacity;
        if has_room && self.counts.insert((key, depth), count).is_none() {
            self.entries.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Returns the number of leaves below each legal move; an empty list at depth 0.
pub(crate) fn divide(
    position: &Position,
    depth: u32,
    threads: usize,
    table: &PerftTable,
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
                    let count = count(&job.position, job.depth, table);
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

/// The subtrees two plies below the root, which are many more than threads; one ply below the root
/// if the depth is 1.
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

fn count(position: &Position, depth: u32, table: &PerftTable) -> u64 {
    if depth < MIN_STORED_DEPTH {
        return perft::perft(position, depth);
    }
    let key = position.key();
    if let Some(count) = table.get(key, depth) {
        return count;
    }
    let moves = position.legal_moves();
    let leaves = moves.iter().map(|&m| count(&position.after(m), depth - 1, table)).sum();
    table.insert(key, depth, leaves);
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
    fn hashed_perft_equals_plain_perft_with_any_table_size_and_number_of_threads() {
        for fen in POSITIONS {
            let position = Position::from_fen(fen).unwrap();
            for depth in 0..=4 {
                let expected = perft::divide(&position, depth);
                for (mebibytes, threads) in [(0, 1), (1, 1), (1, 3)] {
                    let table = PerftTable::with_size(mebibytes, threads);
                    assert_eq!(divide(&position, depth, threads, &table), expected, "{fen}");
                }
            }
        }
    }

    #[test]
    fn a_full_table_stays_within_its_size() {
        let table = PerftTable::with_size(1, 1);
        let (_, capacity) = table.usage();
        let slots = table.counts.capacity();
        assert!(capacity > 10_000 && slots * (size_of::<((Key, u32), u64)>() + 1) <= 1 << 20);
        for number in 0..100_000_u64 {
            table.insert(Key(number.wrapping_mul(0xbf58_476d_1ce4_e5b9)), 3, number);
        }
        assert_eq!(table.usage(), (capacity, capacity));
        assert_eq!(table.counts.capacity(), slots, "a shard has grown");
        assert_eq!(table.get(Key(0), 3), Some(0));
        assert_eq!(table.get(Key(0), 4), None);
    }
}
