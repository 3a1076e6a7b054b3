//! The detectors of upcoming repetitions and of lines without progress.

use crate::key::ZobristKey;
use crate::square::Square;
use crate::table::CycleTable;

/// The access of the detectors to the current line of play.
///
/// [`KeyStack`](crate::KeyStack) provides the first two methods; the third needs a board. All
/// methods are called often and should be inlined; [`occupied`](Self::occupied) is called only
/// when the keys have already found a cycle.
pub trait Timeline {
    /// Returns the key of the position this many plies ago; 0 is the current position.
    ///
    /// The argument is never larger than [`reversible_plies`](Self::reversible_plies).
    fn key(&self, plies_ago: usize) -> ZobristKey;

    /// Returns the number of consecutive reversible plies before the current position: the range in
    /// which a repetition is possible. A null move, a pawn move and a capture each reset it to 0.
    ///
    /// Castling and the loss of a castling right may reset it or not; the keys distinguish them.
    fn reversible_plies(&self) -> usize;

    /// Returns the occupied squares of the current position: bit 0 is a1, bit 63 is h8.
    fn occupied(&self) -> u64;
}

/// A cycle: one move that connects the current position with an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cycle {
    /// The number of plies between the earlier position and the current one; always odd, at least 3
    /// for an upcoming repetition and at least 5 for no progress. With the connecting move the
    /// cycle is one ply longer.
    pub plies: usize,
    /// The origin of the move: occupied in the current position (upcoming repetition) or in the
    /// earlier one (no progress).
    pub from: Square,
    /// The destination of the move: empty in the current position (upcoming repetition), occupied
    /// in it (no progress).
    pub to: Square,
}

impl CycleTable {
    /// Finds a move of the side to move into an earlier position (upcoming repetition): the nearest
    /// that `accept` allows.
    ///
    /// `accept` receives the distance of the earlier position in plies and returns whether a return
    /// to it counts; if it does not, the scan continues further back. The usual rule is that a
    /// position strictly after the root counts at once, and one at or before the root only if it
    /// was itself a repetition: [`KeyStack::return_is_draw`](crate::KeyStack::return_is_draw). A
    /// game with other rules passes its own rule, and derives its verdict from the distance of the
    /// cycle that is returned.
    ///
    /// The result equals trying every legal move (up to collisions of 64-bit keys). Pins and checks
    /// need no test, because the position after the move has been on the board before.
    ///
    /// The cost is two keys and four XORs for every second reversible ply. Source: van Kervinck,
    /// 2013, in the form that removes the side key from every term. Without that, cycles of 4, 8,
    /// 12 plies are found, but those of 6, 10, 14 are not.
    #[inline]
    pub fn upcoming_repetition(
        &self,
        timeline: &impl Timeline,
        accept: impl Fn(usize) -> bool,
    ) -> Option<Cycle> {
        let limit = timeline.reversible_plies();
        if limit < 3 {
            return None;
        }
        let side = ZobristKey(self.side());
        let now = timeline.key(0);
        // The XOR of the opponent's moves since the earlier position: 0 if its pieces are back.
        let mut theirs = now ^ timeline.key(1) ^ side;
        let mut plies = 3;
        while plies <= limit {
            let then = timeline.key(plies);
            theirs ^= timeline.key(plies - 1) ^ then ^ side;
            if theirs == ZobristKey(0)
                && accept(plies)
                && let Some([to, from]) = self.connecting_squares(now ^ then, timeline)
            {
                return Some(Cycle { plies, from, to });
            }
            plies += 2;
        }
        None
    }

    /// Finds the nearest earlier position, less than `within` plies ago, from which one reversible
    /// move leads directly to the current position.
    ///
    /// The pieces of the side to move are where they were then, and the opponent has used several
    /// moves for what one move could do: an upcoming repetition, shifted by one ply. Castling
    /// rights are equal in both positions, and en passant is legal in neither. The result equals
    /// trying every reversible move of every earlier position (no pawn move, no capture, no
    /// castling).
    ///
    /// A search passes its `ply`, so that only positions strictly after the root count;
    /// `usize::MAX` includes all reversible plies.
    ///
    /// Sources: Truscott; van Kervinck, 2013. Using it as a draw bound is not sound in zugzwang,
    /// where passing would be better than moving.
    #[inline]
    pub fn no_progress(&self, timeline: &impl Timeline, within: usize) -> Option<Cycle> {
        let limit = timeline.reversible_plies().min(within.saturating_sub(1));
        // The side to move has left and returned, so three plies are too few.
        if limit < 5 {
            return None;
        }
        let side = ZobristKey(self.side());
        let now = timeline.key(0);
        // The XOR of our moves since the earlier position: 0 if our pieces are back.
        let mut ours = timeline.key(1) ^ timeline.key(2) ^ side;
        let mut plies = 5;
        while plies <= limit {
            ours ^= timeline.key(plies - 2) ^ timeline.key(plies - 1) ^ side;
            if ours == ZobristKey(0)
                && let Some([from, to]) =
                    self.connecting_squares(now ^ timeline.key(plies), timeline)
            {
                return Some(Cycle { plies, from, to });
            }
            plies += 2;
        }
        None
    }

    /// Returns the two squares of the move with this key difference, the empty one first, unless
    /// the path between them is blocked.
    ///
    /// The current occupancy is valid for both positions: they differ in these two squares only.
    // Called rarely, and out of line to save registers in the loops.
    #[inline(never)]
    fn connecting_squares(
        &self,
        difference: ZobristKey,
        timeline: &impl Timeline,
    ) -> Option<[Square; 2]> {
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
