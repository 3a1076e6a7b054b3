//! A list of scored moves, from which the best is picked each time (selection sort).

use arrayvec::ArrayVec;
use koel_board::{MAX_MOVES, Move};

/// The score of a move, with the complement of its index in the low bits: of equal scores, the
/// first is the greatest. The best move is a maximum of integers, which takes no branches; a branch
/// on scores would be mispredicted often. (The bench takes 0.90 times as long as with a comparison
/// of scores.)
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct SortKey(i32);

impl SortKey {
    /// The number of bits for the index.
    const BITS: u32 = 8;
    const LAST: i32 = (1 << SortKey::BITS) - 1;

    #[inline]
    fn new(score: i32, index: usize) -> SortKey {
        const { assert!(MAX_MOVES <= 1 << SortKey::BITS) };
        debug_assert!(score.abs() < 1 << (31 - SortKey::BITS));
        SortKey(score << SortKey::BITS | (SortKey::LAST - index as i32))
    }

    #[inline]
    fn score(self) -> i32 {
        self.0 >> SortKey::BITS
    }

    #[inline]
    fn index(self) -> usize {
        (SortKey::LAST - (self.0 & SortKey::LAST)) as usize
    }
}

/// The keys compared at once: the best key is found in whole blocks.
const LANES: usize = 8;

/// The key behind the last move, less than all others.
const PADDING: SortKey = SortKey(i32::MIN);

/// A list of moves with scores, sorted as far as moves have been popped.
pub(crate) struct ScoredMoveList {
    moves: ArrayVec<Move, MAX_MOVES>,
    /// One key for each move, then padding, so that the last keys fill a block wherever it begins.
    keys: ArrayVec<SortKey, { MAX_MOVES + LANES - 1 }>,
    /// The number of moves popped: they are at the front, in the order in which they were
    /// popped.
    popped: usize,
    /// The key of the best move left, or [`PADDING`].
    best_left: SortKey,
}

impl ScoredMoveList {
    #[inline]
    pub(crate) fn new() -> ScoredMoveList {
        ScoredMoveList {
            moves: ArrayVec::new(),
            keys: ArrayVec::new(),
            popped: 0,
            best_left: PADDING,
        }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.moves.len()
    }

    /// The move at an index, popped or not.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<Move> {
        self.moves.get(index).copied()
    }

    /// Adds moves with their scores. There is room for all legal moves; the absolute value of a
    /// score is below 2^23.
    #[inline(always)]
    pub(crate) fn extend(&mut self, moves: impl Iterator<Item = (Move, i32)>) {
        self.keys.truncate(self.moves.len());
        for (m, score) in moves {
            let _ = self.keys.try_push(SortKey::new(score, self.moves.len()));
            let _ = self.moves.try_push(m);
        }
        let _ = self.keys.try_extend_from_slice(&[PADDING; LANES - 1]);
        self.find_best();
    }

    /// Replaces a popped move, to be read later by its index.
    #[inline]
    pub(crate) fn replace_popped(&mut self, index: usize, m: Move) {
        debug_assert!(index < self.popped);
        if let Some(popped) = self.moves.get_mut(index) {
            *popped = m;
        }
    }

    /// Pops the best of the moves left, with its score. Sorting the list would order moves that
    /// are never searched.
    #[inline]
    pub(crate) fn pop_best(&mut self) -> Option<(Move, i32)> {
        let displaced = *self.moves.get(self.popped)?;
        let best = self.best_left;
        let index = best.index();
        // The first of the moves left trades places with the best.
        let first = *self.keys.get(self.popped)?;
        *self.keys.get_mut(index)? = SortKey::new(first.score(), index);
        let m = std::mem::replace(self.moves.get_mut(index)?, displaced);
        *self.moves.get_mut(self.popped)? = m;
        self.popped += 1;
        self.find_best();
        Some((m, best.score()))
    }

    /// Finds the best of the moves left.
    #[inline(always)]
    fn find_best(&mut self) {
        let mut best = [PADDING; LANES];
        // An index would be a branch to a panic in the node loop.
        let left = self.keys.get(self.popped..).unwrap_or_default();
        let (blocks, _) = left.as_chunks::<LANES>();
        for block in blocks {
            best = std::array::from_fn(|lane| best[lane].max(block[lane]));
        }
        self.best_left = best.into_iter().fold(PADDING, SortKey::max);
    }

    /// The move that will be popped next.
    #[inline]
    pub(crate) fn peek(&self) -> Option<Move> {
        if self.best_left == PADDING { None } else { self.get(self.best_left.index()) }
    }
}

#[cfg(test)]
mod tests {
    use koel_random::Rng;

    use super::*;

    #[test]
    fn the_best_is_popped_and_of_equals_the_first() {
        let mut rng = Rng::new(3);
        for count in (1..MAX_MOVES).step_by(5) {
            let mut moves = ScoredMoveList::new();
            let mut plain: Vec<(Move, i32)> = (0..count as u16)
                .map(|bits| (Move::from_bits(bits), (rng.below(16) as i32 - 8) * 1_000_000))
                .collect();
            moves.extend(plain.iter().copied());
            for next in 0..count {
                let best = plain[next..].iter().map(|&(_, score)| score).max().unwrap();
                let index = (next..count).find(|&index| plain[index].1 == best).unwrap();
                plain.swap(next, index);
                assert_eq!(moves.peek(), Some(plain[next].0));
                assert_eq!(moves.pop_best(), Some(plain[next]));
            }
            assert_eq!((moves.pop_best(), moves.peek()), (None, None));
            assert!((0..count).all(|index| moves.get(index) == Some(plain[index].0)));
        }
    }
}
