//! The keys of the game and of the line that is searched: the only reversible history needed.

use alloc::vec::Vec;

use crate::cycle::Timeline;
use crate::filter::RepetitionFilter;
use crate::key::ZobristKey;

/// No position can come back sooner: both sides must leave and return.
const SHORTEST_CYCLE: u32 = 4;

/// No occurrence is looked for further back, in plies.
const LONGEST_CYCLE: u32 = u16::MAX as u32;

/// One position: 16 bytes, four to a cache line.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: ZobristKey,
    /// Reversible moves in a row that led here.
    reach: u32,
    /// Plies back to the nearest earlier occurrence, 0 if there is none.
    previous: u16,
    /// How often the position has been on the board, this time included.
    occurrences: u16,
}

impl Entry {
    fn first(key: ZobristKey) -> Entry {
        Entry { key, reach: 0, previous: 0, occurrences: 1 }
    }
}

/// What release builds find before the first position.
static NOWHERE: Entry = Entry { key: ZobristKey(0), reach: 0, previous: 0, occurrences: 1 };

/// The name under which a position stands in the filter, if the entry at `index` reaches back to
/// it: another one after each irreversible move, so that what cannot come back does not pass.
#[inline]
fn name_in_window(key: ZobristKey, index: usize, reach: u32) -> ZobristKey {
    let start = index as u64 - u64::from(reach);
    ZobristKey(key.0 ^ start.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// The keys of a game and of the line searched from it, with what repeats in them.
///
/// Each make is a [`push`](Self::push) (or [`push_null`](Self::push_null)), each unmake a
/// [`pop`](Self::pop). Whether the new position repeats an earlier one is found once, when it is
/// pushed; every question is then answered at once. Neither irreversible moves nor null moves
/// forget anything that a `pop` could need: they only end the reach.
///
/// A position enters the [`RepetitionFilter`] when it is four plies old, for it cannot come back
/// sooner, if all moves since were reversible and it is the first of its kind. So a line of
/// captures or a null move never touches the filter, and unmaking leaves it exactly as it was.
///
/// An occurrence more than 65,535 plies back is not found.
#[derive(Clone, Debug)]
pub struct KeyHistory {
    /// Never empty. The last one is the present position.
    entries: Vec<Entry>,
    filter: RepetitionFilter,
}

impl KeyHistory {
    /// The history that begins with this position, with room for so many plies.
    ///
    /// Reserve what the game before the root and the deepest line need together: up to this many
    /// pushes allocate nothing.
    #[must_use]
    pub fn new(start: ZobristKey, plies: usize) -> Self {
        let mut entries = Vec::with_capacity(plies + 1);
        entries.push(Entry::first(start));
        Self { entries, filter: RepetitionFilter::new() }
    }

    /// Forgets everything and begins anew with this position; it cannot be undone.
    ///
    /// Right for a new game, and for every irreversible move of the game itself: what lies before
    /// can never come back, and would only fill the filter.
    pub fn restart(&mut self, start: ZobristKey) {
        self.entries.clear();
        self.entries.push(Entry::first(start));
        self.filter.clear();
    }

    /// Makes room for this many further plies without allocation.
    ///
    /// A clone has no room to spare.
    pub fn reserve(&mut self, plies: usize) {
        self.entries.reserve(plies);
    }

    /// Enters the position after a move. `reversible` is false for pawn moves and captures.
    ///
    /// Castling and the loss of a castling right may be called either; no answer depends on it.
    #[inline]
    pub fn push(&mut self, key: ZobristKey, reversible: bool) {
        self.entries.reserve(1);
        self.push_in_room(key, reversible);
    }

    /// The same in room that was [reserved](Self::reserve): a search that does so carries neither
    /// an allocation nor a panic along.
    ///
    /// # Panics
    ///
    /// Debug builds, if there is no room; release builds leave the position out.
    #[inline]
    pub fn push_in_room(&mut self, key: ZobristKey, reversible: bool) {
        let reach = if reversible { self.present().reach + 1 } else { 0 };
        let (previous, occurrences) =
            if reach >= SHORTEST_CYCLE { self.find_previous(key, reach) } else { (0, 1) };
        debug_assert!(self.entries.len() < self.entries.capacity(), "no room was reserved");
        if self.entries.len() < self.entries.capacity() {
            self.entries.push(Entry { key, reach, previous, occurrences });
        }
    }

    /// Enters the position that is now old enough into the filter, and says of a new one how far
    /// back it last occurred and how often it has.
    // Out of line, or every push would save the registers that only this needs. And by value: an
    // entry that is completed in memory is read back before its parts have arrived there.
    #[inline(never)]
    fn find_previous(&mut self, key: ZobristKey, reach: u32) -> (u16, u16) {
        let entries = &self.entries;
        let index = entries.len();
        let ageing = entries.get(index - SHORTEST_CYCLE as usize);
        if let Some(Entry { key, previous: 0, .. }) = ageing {
            self.filter.insert(name_in_window(*key, index, reach));
        }
        let name = name_in_window(key, index, reach);
        let found = self.filter.consult(name, || scan(entries, key, reach));
        found.map_or((0, 1), |(plies, earlier)| (plies, earlier.occurrences.saturating_add(1)))
    }

    /// Enters the position after a null move. Nothing before it can be repeated after it.
    #[inline]
    pub fn push_null(&mut self, key: ZobristKey) {
        self.push(key, false);
    }

    /// Takes back the last push of either sort.
    ///
    /// # Panics
    ///
    /// Debug builds, if there is none to take back; release builds keep the first position.
    #[inline]
    pub fn pop(&mut self) {
        let last = self.plies();
        debug_assert!(last > 0, "the first position of a history cannot be taken back");
        if last == 0 {
            return;
        }
        let reach = self.present().reach;
        if reach >= SHORTEST_CYCLE {
            let ageing = self.entry(SHORTEST_CYCLE as usize);
            if ageing.previous == 0 {
                self.filter.remove(name_in_window(ageing.key, last, reach));
            }
        }
        self.entries.truncate(last);
    }

    /// How many pushes could be taken back.
    #[inline]
    #[must_use]
    pub fn plies(&self) -> usize {
        self.entries.len() - 1
    }

    /// The key of the position so many plies ago; 0 is the present one.
    ///
    /// # Panics
    ///
    /// Debug builds, if that lies before the first position.
    #[inline]
    #[must_use]
    pub fn key(&self, plies_ago: usize) -> ZobristKey {
        self.entry(plies_ago).key
    }

    /// How far back a repetition of the present position can lie, in plies.
    #[inline]
    #[must_use]
    pub fn reach(&self) -> usize {
        self.present().reach as usize
    }

    /// How often the present position has been on the board within reach, this time included.
    ///
    /// At least 1; no more than 65,535 are told apart.
    #[inline]
    #[must_use]
    pub fn occurrences(&self) -> usize {
        usize::from(self.present().occurrences)
    }

    /// How many plies ago the present position was last on the board, if it was.
    #[inline]
    #[must_use]
    pub fn previous_occurrence(&self) -> Option<usize> {
        let previous = usize::from(self.present().previous);
        if previous == 0 { None } else { Some(previous) }
    }

    /// Whether the position so many plies ago was itself a repetition when it arose.
    ///
    /// # Panics
    ///
    /// Debug builds, if that lies before the first position.
    #[inline]
    #[must_use]
    pub fn is_repeated(&self, plies_ago: usize) -> bool {
        self.entry(plies_ago).previous != 0
    }

    /// Whether the present position, `ply` plies after the root of a search, is a draw.
    ///
    /// One earlier occurrence strictly after the root is enough, for what could be done once more
    /// will be; otherwise this must be the third occurrence at least. At the root itself (`ply` 0)
    /// only a third occurrence is a draw.
    #[inline]
    #[must_use]
    pub fn is_draw_by_repetition(&self, ply: usize) -> bool {
        let present = self.present();
        let previous = usize::from(present.previous);
        previous != 0 && (previous < ply || present.occurrences >= 3)
    }

    /// Whether a move from here into the position `plies_ago` would be a draw by that same rule.
    ///
    /// `ply` is that of the present position. It is what
    /// [`upcoming_repetition`](crate::CycleTable::upcoming_repetition) wants to be told: then it
    /// finds a move exactly when the position after some legal move satisfies
    /// [`is_draw_by_repetition`](Self::is_draw_by_repetition) of `ply + 1`.
    #[inline]
    #[must_use]
    pub fn return_is_draw(&self, plies_ago: usize, ply: usize) -> bool {
        plies_ago < ply || self.is_repeated(plies_ago)
    }

    /// Joins the history with the occupied squares of the present position (bit 0 is a1), as the
    /// detectors want it.
    #[inline]
    #[must_use]
    pub fn with_occupied(&self, occupied: u64) -> KeyTimeline<'_> {
        KeyTimeline { history: self, occupied }
    }

    /// The filter in front of the scan: its counts, and whether it is empty.
    #[inline]
    #[must_use]
    pub fn filter(&self) -> &RepetitionFilter {
        &self.filter
    }

    /// Whether the filter holds what the line says it should: for assertions after a search.
    ///
    /// It enters the whole line anew.
    #[must_use]
    pub fn is_in_balance(&self) -> bool {
        let mut fresh = RepetitionFilter::new();
        for (index, entry) in self.entries.iter().enumerate() {
            if entry.reach >= SHORTEST_CYCLE {
                let ageing = self.entries[index - SHORTEST_CYCLE as usize];
                if ageing.previous == 0 {
                    fresh.insert(name_in_window(ageing.key, index, entry.reach));
                }
            }
        }
        fresh.holds_the_same(&self.filter)
    }

    /// Sets the counts of the filter to zero.
    pub fn reset_filter_counts(&mut self) {
        self.filter.reset_counts();
    }

    #[inline]
    fn present(&self) -> &Entry {
        self.entry(0)
    }

    // A search asks this at every node, so release builds carry no panic along.
    #[inline]
    fn entry(&self, plies_ago: usize) -> &Entry {
        debug_assert!(plies_ago < self.entries.len(), "there is nothing before the first position");
        self.entries.get(self.entries.len().wrapping_sub(1 + plies_ago)).unwrap_or(&NOWHERE)
    }
}

/// Looks for the nearest earlier occurrence of a key that is about to be pushed: how many plies
/// before it, and what stands there.
// Rare, thanks to the filter, and kept out of `push`.
#[inline(never)]
fn scan(entries: &[Entry], key: ZobristKey, reach: u32) -> Option<(u16, Entry)> {
    let oldest = entries.len() - reach.min(LONGEST_CYCLE) as usize;
    let newest = entries.len() - SHORTEST_CYCLE as usize;
    let same_side_to_move = entries.get(oldest..=newest)?.iter().rev().step_by(2);
    let (index, earlier) = same_side_to_move.enumerate().find(|(_, earlier)| earlier.key == key)?;
    #[expect(clippy::cast_possible_truncation, reason = "twice the index is less than the reach")]
    Some((SHORTEST_CYCLE as u16 + 2 * index as u16, *earlier))
}

/// A [`KeyHistory`] and the occupied squares of its present position.
#[derive(Clone, Copy, Debug)]
pub struct KeyTimeline<'history> {
    history: &'history KeyHistory,
    occupied: u64,
}

impl Timeline for KeyTimeline<'_> {
    #[inline]
    fn key(&self, plies_ago: usize) -> ZobristKey {
        self.history.key(plies_ago)
    }

    #[inline]
    fn reach(&self) -> usize {
        self.history.reach()
    }

    #[inline]
    fn occupied(&self) -> u64 {
        self.occupied
    }
}
