//! Moves to choose from, each time the best of those left.

use arrayvec::ArrayVec;
use koel_board::{MAX_MOVES, Move};

/// How promising a move is, and in the low bits where it stands in the list: of equals, the first is
/// the greatest. So the best of a list is a maximum of numbers, which takes no branch:
/// which move is the best nobody can foresee, the processor no more than we. (The bench takes 0.90
/// times as long as with a comparison of scores.)
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct SortKey(i32);

impl SortKey {
    /// Bits for the place.
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

/// Moves, each with a score.
pub(crate) struct ScoredMoveList {
    moves: ArrayVec<Move, MAX_MOVES>,
    /// One for each of them.
    keys: ArrayVec<SortKey, MAX_MOVES>,
    /// So many have been taken: they stand first, in the order in which they were.
    taken: usize,
    /// The best of those left, if known.
    peeked: Option<SortKey>,
}

impl ScoredMoveList {
    #[inline]
    pub(crate) fn new() -> ScoredMoveList {
        ScoredMoveList { moves: ArrayVec::new(), keys: ArrayVec::new(), taken: 0, peeked: None }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.moves.len()
    }

    /// The move at this place, whether it has been taken or not.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<Move> {
        self.moves.get(index).copied()
    }

    /// Adds a move. There is room for all legal ones; scores are below 2^23, of either sign.
    #[inline]
    pub(crate) fn push(&mut self, m: Move, score: i32) {
        self.peeked = None;
        let _ = self.keys.try_push(SortKey::new(score, self.moves.len()));
        let _ = self.moves.try_push(m);
    }

    /// Puts a move into the place of one that has been taken, for whoever wants it later.
    #[inline]
    pub(crate) fn replace_popped(&mut self, index: usize, m: Move) {
        debug_assert!(index < self.taken);
        if let Some(taken) = self.moves.get_mut(index) {
            *taken = m;
        }
    }

    /// Takes the best of the moves left, with its score. Sorting would order moves that are never
    /// tried.
    #[inline]
    pub(crate) fn pop_best(&mut self) -> Option<(Move, i32)> {
        let left = self.keys.get(self.taken..)?;
        let first = *left.first()?;
        let best = match self.peeked {
            Some(best) => best,
            None => left.iter().copied().fold(first, SortKey::max),
        };
        let index = best.index();
        // The first of those left gives way to the best.
        if let Some(key) = self.keys.get_mut(index) {
            *key = SortKey::new(first.score(), index);
        }
        let given_way = *self.moves.get(self.taken)?;
        let m = std::mem::replace(self.moves.get_mut(index)?, given_way);
        if let Some(taken) = self.moves.get_mut(self.taken) {
            *taken = m;
        }
        self.taken += 1;
        let mut left = self.keys.get(self.taken..)?.iter().copied();
        self.peeked = left.next().map(|first| left.fold(first, SortKey::max));
        Some((m, best.score()))
    }

    /// What will be taken next, once something has been taken since moves were added.
    #[inline]
    pub(crate) fn peek(&self) -> Option<Move> {
        self.peeked.and_then(|key| self.get(key.index()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_is_taken_and_of_equals_the_first() {
        let mut seed = 3_u64;
        for count in (1..MAX_MOVES).step_by(5) {
            let mut moves = ScoredMoveList::new();
            let mut plain = Vec::new();
            for bits in 0..count as u16 {
                seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                let score = ((seed >> 60) as i32 - 8) * 1_000_000;
                moves.push(Move::from_bits(bits), score);
                plain.push((Move::from_bits(bits), score));
            }
            for next in 0..count {
                let best = plain[next..].iter().map(|&(_, score)| score).max().unwrap();
                let index = (next..count).find(|&index| plain[index].1 == best).unwrap();
                plain.swap(next, index);
                assert!(next == 0 || moves.peek() == Some(plain[next].0));
                assert_eq!(moves.pop_best(), Some(plain[next]));
            }
            assert_eq!((moves.pop_best(), moves.peek()), (None, None));
            assert!((0..count).all(|index| moves.get(index) == Some(plain[index].0)));
        }
    }
}
