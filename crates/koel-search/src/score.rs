//! The types of scores and depths.

use std::fmt;
use std::ops::{Add, Neg, Sub};

use koel_board::FIFTY_MOVE_PLIES;

/// The greatest ply of a search. Nodes there return the static evaluation.
pub const MAX_PLY: usize = 240;

/// A score from the view of the side to move: centipawns, or plies to a mate, or plies to a
/// position that the endgame tables know to be won or lost.
/// Mates and tablebase results are counted from the root: the sooner, the further from zero.
/// Every mate is further from zero than every tablebase result, and every tablebase result further
/// than every evaluation. All values fit into 16 bits.
///
/// ```
/// use koel_search::Score;
///
/// let better = Score::from_centipawns(35);
/// let mate = Score::mate_in(5); // plies from the root
/// assert!(mate > better && -mate < -better);
/// assert_eq!((better.centipawns(), mate.moves_to_mate()), (35, Some(3)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

impl Score {
    /// The score of a draw.
    pub const DRAW: Score = Score(0);

    /// A bound beyond every score.
    pub const INFINITE: Score = Score(32_001);

    /// A mate at the root; a mate after n plies is n less.
    const MATE: i32 = 32_000;

    /// A tablebase win at the root; one after n plies is n less.
    const TABLEBASE_WIN: i32 = Score::MATE - MAX_PLY as i32 - 1;

    /// The largest score of an evaluation.
    pub const MAX_EVAL: Score = Score(Score::TABLEBASE_WIN - MAX_PLY as i32 - 1);

    /// The score of an evaluation in centipawns, limited to [`Score::MAX_EVAL`] on either side.
    #[inline]
    #[must_use]
    pub fn from_centipawns(centipawns: i32) -> Score {
        Score(centipawns.clamp(-Score::MAX_EVAL.0, Score::MAX_EVAL.0))
    }

    /// The score if the opponent is mated at this ply.
    #[inline]
    #[must_use]
    pub const fn mate_in(ply: usize) -> Score {
        Score(Score::MATE - ply as i32)
    }

    /// The score if the side to move is mated at this ply.
    #[inline]
    #[must_use]
    pub const fn mated_in(ply: usize) -> Score {
        Score(ply as i32 - Score::MATE)
    }

    /// The score of a win by the endgame tables, which contain the position at this ply.
    #[inline]
    #[must_use]
    pub const fn tablebase_win_at(ply: usize) -> Score {
        Score(Score::TABLEBASE_WIN - ply as i32)
    }

    /// Returns true if this is a mate score, for either side.
    #[inline]
    #[must_use]
    pub const fn is_mate(self) -> bool {
        self.0.abs() > Score::TABLEBASE_WIN
    }

    /// Returns true if this is a mate or tablebase score, for either side, and not an
    /// evaluation.
    #[inline]
    #[must_use]
    pub const fn is_decided(self) -> bool {
        self.0.abs() > Score::MAX_EVAL.0
    }

    /// Returns true if the side to move mates or wins by the endgame tables.
    #[inline]
    #[must_use]
    pub const fn is_win(self) -> bool {
        self.0 > Score::MAX_EVAL.0
    }

    /// Returns true if the side to move is mated or loses by the endgame tables.
    #[inline]
    #[must_use]
    pub const fn is_loss(self) -> bool {
        self.0 < -Score::MAX_EVAL.0
    }

    /// Returns the full moves to the mate, as in UCI: negative if the side to move is mated, 0
    /// if it is mated already.
    #[inline]
    #[must_use]
    pub const fn moves_to_mate(self) -> Option<i32> {
        match self {
            score if !score.is_mate() => None,
            score if score.is_win() => Some((Score::MATE - score.0 + 1) / 2),
            score => Some(-(Score::MATE + score.0) / 2),
        }
    }

    /// Returns the plies to the tablebase position if this is a tablebase score; the sign of
    /// the score tells the winner.
    #[inline]
    #[must_use]
    pub const fn plies_to_tablebase(self) -> Option<usize> {
        if self.is_mate() || !self.is_decided() {
            return None;
        }
        Some((Score::TABLEBASE_WIN - self.0.abs()) as usize)
    }

    /// The value in centipawns; a decided score is beyond [`Score::MAX_EVAL`].
    #[inline]
    #[must_use]
    pub const fn centipawns(self) -> i32 {
        self.0
    }

    /// The score in the format of the transposition table: mates and tablebase results are
    /// counted from the position instead of the root.
    #[inline]
    pub(crate) fn to_tt(self, ply: usize) -> i16 {
        if !self.is_decided() {
            return self.0 as i16;
        }
        let max = if self.is_mate() { Score::MATE } else { Score::TABLEBASE_WIN };
        let from_here = self.0 + self.0.signum() * ply as i32;
        from_here.clamp(-max, max) as i16
    }

    /// The score of a table entry, for a position at this ply with this halfmove clock. A mate
    /// or tablebase result that would come too late for the fifty-move rule is lowered to an
    /// evaluation. A torn entry may hold any value; the result is always a valid score.
    #[inline]
    pub(crate) fn from_tt(stored: i16, ply: usize, clock: u16) -> Score {
        let score = Score(i32::from(stored).clamp(-Score::MATE, Score::MATE));
        if !score.is_decided() {
            return score;
        }
        let (nearest, min) = match score.is_mate() {
            true => (Score::MATE, Score::TABLEBASE_WIN + 1),
            false => (Score::TABLEBASE_WIN, Score::MAX_EVAL.0 + 1),
        };
        let is_beyond_fifty_moves =
            nearest - score.0.abs() > i32::from(FIFTY_MOVE_PLIES) - i32::from(clock);
        let (sign, ply) = (score.0.signum(), ply as i32);
        if is_beyond_fifty_moves {
            return Score(sign * Score::MAX_EVAL.0);
        }
        Score(sign * (score.0.abs() - ply).max(min))
    }

    /// The mean of two scores.
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
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Score {
    /// Writes `cp 35`, `mate -2` (in moves) or, for a win by the endgame tables, `table 1 in 7` (in
    /// plies).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.moves_to_mate(), self.plies_to_tablebase()) {
            (Some(moves), _) => write!(f, "mate {moves}"),
            (_, Some(plies)) => write!(f, "table {} in {plies}", self.0.signum()),
            _ => write!(f, "cp {}", self.0),
        }
    }
}

/// The remaining depth in plies; at 0 and below the quiescence search begins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Depth(pub i32);

impl Depth {
    /// The last possible iteration.
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
        // No mate lies beyond the greatest ply.
        for ply in [0, 1, 7, MAX_PLY - 3] {
            for score in [Score::DRAW, Score(123), Score::mate_in(ply + 3), Score::mated_in(ply)] {
                if score.0.abs() <= Score::MATE - ply as i32 {
                    assert_eq!(Score::from_tt(score.to_tt(ply), ply, 0), score);
                }
            }
        }
        assert_eq!(Score::from_tt(Score::mate_in(5).to_tt(5), 8, 0), Score::mate_in(8));
        let (won, later) = (Score::tablebase_win_at(5), Score::tablebase_win_at(8));
        assert_eq!(Score::from_tt(won.to_tt(5), 8, 0), later);
        assert_eq!(Score::from_tt((-won).to_tt(5), 8, 0), -later);
    }

    #[test]
    fn mates_tablebase_scores_and_evaluations_do_not_overlap() {
        let (mate, table) = (Score::mate_in(MAX_PLY), Score::tablebase_win_at(0));
        assert!(mate > table && mate.is_mate() && !table.is_mate() && table.is_decided());
        let last = Score::tablebase_win_at(MAX_PLY);
        assert!(last > Score::MAX_EVAL && !Score::MAX_EVAL.is_decided());
        assert_eq!(last.plies_to_tablebase(), Some(MAX_PLY));
        assert_eq!((-last).plies_to_tablebase(), Some(MAX_PLY));
        assert_eq!(Score::MAX_EVAL.plies_to_tablebase(), None);
        assert_eq!((mate.plies_to_tablebase(), last.moves_to_mate()), (None, None));
        assert!(last.is_win() && (-last).is_loss());
    }

    #[test]
    fn a_mate_after_the_fifty_move_rule_is_lowered() {
        let stored = Score::mate_in(11).to_tt(0);
        assert_eq!(Score::from_tt(stored, 0, 89), Score::mate_in(11));
        assert_eq!(Score::from_tt(stored, 0, 90), Score::MAX_EVAL);
        let stored = Score::mated_in(12).to_tt(0);
        assert_eq!(Score::from_tt(stored, 4, 89), -Score::MAX_EVAL);
        let stored = Score::tablebase_win_at(11).to_tt(0);
        assert_eq!(Score::from_tt(stored, 0, 89), Score::tablebase_win_at(11));
        assert_eq!(Score::from_tt(stored, 0, 90), Score::MAX_EVAL);
    }

    #[test]
    fn any_sixteen_bits_give_a_valid_score() {
        for stored in [i16::MIN, -32_001, 32_001, i16::MAX] {
            let score = Score::from_tt(stored, MAX_PLY, 50);
            assert!(score.0.abs() <= Score::MATE);
        }
    }
}
