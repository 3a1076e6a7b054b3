//! The two detectors: what the difference of two keys says about the play between them.

use crate::key::ZobristKey;
use crate::square::Square;
use crate::table::CycleTable;

/// The three questions that a detector asks of a game.
///
/// [`KeyHistory`](crate::KeyHistory) answers the first two; a search joins it with its board.
/// All methods are called often and should be inlined; [`occupied`](Self::occupied) is called only
/// when a cycle is all but certain.
pub trait Timeline {
    /// The key of the position so many plies ago; 0 is the present position.
    ///
    /// It is asked only up to [`reach`](Self::reach).
    fn key(&self, plies_ago: usize) -> ZobristKey;

    /// How far back a repetition can lie, in plies: the number of reversible moves in a row that
    /// led here. A null move, a pawn move and a capture each start anew from 0.
    ///
    /// Castling and the loss of a castling right may start anew or not; the keys tell them.
    fn reach(&self) -> usize;

    /// The occupied squares of the present position, by either side: bit 0 is a1, bit 63 is h8.
    fn occupied(&self) -> u64;
}

impl<T: Timeline + ?Sized> Timeline for &T {
    #[inline]
    fn key(&self, plies_ago: usize) -> ZobristKey {
        (**self).key(plies_ago)
    }

    #[inline]
    fn reach(&self) -> usize {
        (**self).reach()
    }

    #[inline]
    fn occupied(&self) -> u64 {
        (**self).occupied()
    }
}

/// One move that joins the present position with an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cycle {
    /// How many plies before the present position the earlier one lies; always odd.
    ///
    /// From 3 for an upcoming repetition, from 5 for no progress. With the joining move the cycle
    /// is one ply longer.
    pub plies: usize,
    /// Where the move starts: occupied now (upcoming repetition), occupied then (no progress).
    pub from: Square,
    /// Where the move ends: empty now (upcoming repetition), occupied now (no progress).
    pub to: Square,
}

impl CycleTable {
    /// Finds a move of the side to move into an earlier position: the nearest that is accepted.
    ///
    /// `accept` gets the distance of the earlier position in plies and says whether a return
    /// there counts; when it refuses, the search goes on further back. The usual rule is that a
    /// position strictly after the root counts at once, and one at or before the root only if it
    /// was itself a repetition: [`KeyHistory::return_is_draw`](crate::KeyHistory::return_is_draw).
    ///
    /// The answer equals trying every legal move (up to collisions of 64-bit keys). Pins and
    /// checks need no test: the position that the move reaches has been on the board.
    ///
    /// The cost is two keys and four XORs for every second ply of the reach. Source: van Kervinck
    /// 2013, in the form that takes the side key out of every term. Without this, only cycles of
    /// 4, 8, 12 plies are seen and those of 6, 10, 14 are not.
    #[inline]
    pub fn upcoming_repetition(
        &self,
        timeline: &impl Timeline,
        accept: impl Fn(usize) -> bool,
    ) -> Option<Cycle> {
        let reach = timeline.reach();
        if reach < 3 {
            return None;
        }
        let side = ZobristKey(self.side());
        let now = timeline.key(0);
        // The sum of their moves since the earlier position: 0 when their army is back.
        let mut theirs = now ^ timeline.key(1) ^ side;
        let mut plies = 3;
        while plies <= reach {
            let then = timeline.key(plies);
            theirs ^= timeline.key(plies - 1) ^ then ^ side;
            if theirs == ZobristKey(0)
                && accept(plies)
                && let Some([to, from]) = self.join(now ^ then, timeline)
            {
                return Some(Cycle { plies, from, to });
            }
            plies += 2;
        }
        None
    }

    /// Finds an earlier position, nearer than `within` plies, from which one reversible move of
    /// the side that was to move there leads directly here: the nearest.
    ///
    /// The side to move now has gained and lost nothing since then, and the other side has spent
    /// several moves on what one could do: the present position is the same cycle as an upcoming
    /// repetition, offset by one ply. Castling rights are equal in both positions, and en passant
    /// is legal in neither. The answer equals trying every reversible move of every earlier
    /// position (no pawn move, no capture, no castling).
    ///
    /// A search passes its `ply`, so that only positions strictly after the root count;
    /// `usize::MAX` asks the whole reach.
    ///
    /// Sources: Truscott; van Kervinck 2013. What the answer is worth is disputed, because the
    /// side to move may be in zugzwang: to pass is not always as good as to move.
    #[inline]
    pub fn no_progress(&self, timeline: &impl Timeline, within: usize) -> Option<Cycle> {
        let reach = timeline.reach().min(within.saturating_sub(1));
        // We must have gone and come back, so three plies are too few.
        if reach < 5 {
            return None;
        }
        let side = ZobristKey(self.side());
        let now = timeline.key(0);
        // The sum of our moves since the earlier position: 0 when our army is back.
        let mut ours = timeline.key(1) ^ timeline.key(2) ^ side;
        let mut plies = 5;
        while plies <= reach {
            ours ^= timeline.key(plies - 2) ^ timeline.key(plies - 1) ^ side;
            if ours == ZobristKey(0)
                && let Some([from, to]) = self.join(now ^ timeline.key(plies), timeline)
            {
                return Some(Cycle { plies, from, to });
            }
            plies += 2;
        }
        None
    }

    /// The squares of the move that makes this difference, the empty one first.
    ///
    /// The present occupancy serves for both positions: they differ in these two squares only.
    // Rare, and kept out of the loops so that they need few registers.
    #[inline(never)]
    fn join(&self, difference: ZobristKey, timeline: &impl Timeline) -> Option<[Square; 2]> {
        let [first, second] = self.find(difference.0)?;
        let occupied = timeline.occupied();
        if first.between(second) & occupied != 0 {
            None
        } else if first.bit() & occupied == 0 {
            Some([first, second])
        } else {
            Some([second, first])
        }
    }
}
