//! Scores and depths as types, so that they are not taken for each other.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// The deepest ply that a line can reach. Beyond it positions are taken at their static worth.
pub const MAX_PLY: usize = 240;

/// The value of a position in centipawns from the view of the side to move, or the number of plies
/// to a mate.
///
/// Mates count from the root: the sooner, the further from zero. All values fit into 16 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

impl Score {
    /// A draw, and what no side is ahead by.
    pub const DRAW: Score = Score(0);

    /// Beyond every score.
    pub const INFINITE: Score = Score(32_001);

    /// Mate on the board; a mate some plies away is as much less.
    const MATE: i32 = 32_000;

    /// The largest score that is no mate.
    pub const MAX_EVAL: Score = Score(Score::MATE - MAX_PLY as i32 - 1);

    /// So many centipawns, at most [`Score::MAX_EVAL`] to either side.
    #[inline]
    #[must_use]
    pub fn from_centipawns(centipawns: i32) -> Score {
        Score(centipawns.clamp(-Score::MAX_EVAL.0, Score::MAX_EVAL.0))
    }

    /// The side to move at the root mates at this ply.
    #[inline]
    #[must_use]
    pub const fn mate_in(ply: usize) -> Score {
        Score(Score::MATE - ply as i32)
    }

    /// The side to move at the root is mated at this ply.
    #[inline]
    #[must_use]
    pub const fn mated_in(ply: usize) -> Score {
        Score(ply as i32 - Score::MATE)
    }

    /// Whether this announces a mate, by either side.
    #[inline]
    #[must_use]
    pub const fn is_mate(self) -> bool {
        self.0.abs() > Score::MAX_EVAL.0
    }

    /// Whether this is a mate by the side to move.
    #[inline]
    #[must_use]
    pub const fn is_win(self) -> bool {
        self.0 > Score::MAX_EVAL.0
    }

    /// Whether this is a mate of the side to move.
    #[inline]
    #[must_use]
    pub const fn is_loss(self) -> bool {
        self.0 < -Score::MAX_EVAL.0
    }

    /// Full moves to the mate that this announces, as UCI counts them: negative if the side to
    /// move is mated, 0 if it is mated already.
    #[inline]
    #[must_use]
    pub const fn moves_to_mate(self) -> Option<i32> {
        match self {
            score if score.is_win() => Some((Score::MATE - score.0 + 1) / 2),
            score if score.is_loss() => Some(-(Score::MATE + score.0) / 2),
            _ => None,
        }
    }

    /// The value in centipawns; that of a mate is beyond [`Score::MAX_EVAL`].
    #[inline]
    #[must_use]
    pub const fn centipawns(self) -> i32 {
        self.0
    }

    /// As the table remembers it: mates count from the position, not from the root.
    #[inline]
    pub(crate) fn to_table(self, ply: usize) -> i16 {
        let from_here = match self {
            score if score.is_win() => score.0 + ply as i32,
            score if score.is_loss() => score.0 - ply as i32,
            score => score.0,
        };
        from_here.clamp(-Score::MATE, Score::MATE) as i16
    }

    /// As the table remembered it, for a position at this ply with this halfmove clock: a mate that
    /// would come too late for the fifty-move rule is not believed. Torn records may hold anything;
    /// what comes out is a score.
    #[inline]
    pub(crate) fn from_table(remembered: i16, ply: usize, clock: u16) -> Score {
        let score = Score(i32::from(remembered).clamp(-Score::MATE, Score::MATE));
        if !score.is_mate() {
            return score;
        }
        let is_too_late = Score::MATE - score.0.abs() > 100 - i32::from(clock);
        let (sign, ply) = (score.0.signum(), ply as i32);
        if is_too_late {
            return Score(sign * Score::MAX_EVAL.0);
        }
        Score(sign * (score.0.abs() - ply).max(Score::MAX_EVAL.0))
    }

    /// Halfway between two scores.
    #[inline]
    pub(crate) fn midway(self, other: Score) -> Score {
        Score(i32::midpoint(self.0, other.0))
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;

    #[inline]
    fn add(self, centipawns: i32) -> Score {
        Score(self.0 + centipawns)
    }
}

impl Sub<i32> for Score {
    type Output = Score;

    #[inline]
    fn sub(self, centipawns: i32) -> Score {
        Score(self.0 - centipawns)
    }
}

impl Sub for Score {
    type Output = i32;

    #[inline]
    fn sub(self, other: Score) -> i32 {
        self.0 - other.0
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.moves_to_mate() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.0),
        }
    }
}

/// Plies left to search; at 0 and below only captures are looked at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Depth(pub i32);

impl Depth {
    /// The deepest iteration.
    pub const MAX: Depth = Depth(MAX_PLY as i32 - 1);
}

impl Add<i32> for Depth {
    type Output = Depth;

    #[inline]
    fn add(self, plies: i32) -> Depth {
        Depth(self.0 + plies)
    }
}

impl Sub<i32> for Depth {
    type Output = Depth;

    #[inline]
    fn sub(self, plies: i32) -> Depth {
        Depth(self.0 - plies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(Score::mate_in(1).moves_to_mate(), Some(1));
        assert_eq!(Score::mate_in(3).moves_to_mate(), Some(2));
        assert_eq!(Score::mated_in(0).moves_to_mate(), Some(0));
        assert_eq!(Score::mated_in(2).moves_to_mate(), Some(-1));
        assert_eq!(Score::mated_in(4).moves_to_mate(), Some(-2));
        assert_eq!(Score::MAX_EVAL.moves_to_mate(), None);
        assert_eq!((-Score::MAX_EVAL).moves_to_mate(), None);
        assert_eq!(Score::mate_in(MAX_PLY).moves_to_mate(), Some(MAX_PLY as i32 / 2));
    }

    #[test]
    fn the_table_counts_mates_from_the_position() {
        for ply in [0, 1, 7, MAX_PLY] {
            for score in [Score::DRAW, Score(123), Score::mate_in(ply + 3), Score::mated_in(ply)] {
                if score.0.abs() <= Score::MATE - ply as i32 {
                    assert_eq!(Score::from_table(score.to_table(ply), ply, 0), score);
                }
            }
        }
        assert_eq!(Score::from_table(Score::mate_in(5).to_table(5), 8, 0), Score::mate_in(8));
    }

    #[test]
    fn a_mate_after_the_fifty_move_rule_is_none() {
        let remembered = Score::mate_in(11).to_table(0);
        assert_eq!(Score::from_table(remembered, 0, 89), Score::mate_in(11));
        assert_eq!(Score::from_table(remembered, 0, 90), Score::MAX_EVAL);
        let remembered = Score::mated_in(12).to_table(0);
        assert_eq!(Score::from_table(remembered, 4, 89), -Score::MAX_EVAL);
    }

    #[test]
    fn any_sixteen_bits_are_a_score() {
        for remembered in [i16::MIN, -32_001, 32_001, i16::MAX] {
            let score = Score::from_table(remembered, MAX_PLY, 50);
            assert!(score.0.abs() <= Score::MATE);
        }
    }
}
