//! The key stack: the keys of the game and of the current search line, with their repetitions.

use alloc::vec::Vec;

use crate::cycle::{Cycle, Timeline};
use crate::filter::RepetitionFilter;
use crate::key::ZobristKey;
use crate::table::CycleTable;

/// The smallest distance of a repetition in plies: both sides have to leave and return.
const MIN_CYCLE: u32 = 4;

/// The largest distance of a repetition that is found, in plies.
const MAX_CYCLE: u32 = u16::MAX as u32;

/// One position: 16 bytes, so that a cache line holds four.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: ZobristKey,
    /// The number of consecutive reversible plies before this position.
    reversible_plies: u32,
    /// The distance of the nearest earlier occurrence in plies, 0 if there is none.
    previous: u16,
    /// The number of occurrences of the position, including this one.
    occurrences: u16,
}

impl Entry {
    const fn first(key: ZobristKey) -> Entry {
        Entry { key, reversible_plies: 0, previous: 0, occurrences: 1 }
    }
}

/// An earlier occurrence of the current position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Repetition {
    /// The distance of the earlier occurrence in plies, at least 4.
    pub plies: usize,
    /// The number of occurrences up to that one, including it: 1 if it was the first.
    pub occurrences: usize,
}

impl Repetition {
    /// Returns the verdict of chess for a search: true if the repetition is scored as a draw, `ply`
    /// plies after the root.
    ///
    /// One earlier occurrence strictly after the root is enough, because both sides can repeat
    /// again; otherwise there have to be two.
    #[inline]
    #[must_use]
    pub fn is_draw(&self, ply: usize) -> bool {
        self.plies < ply || self.occurrences >= 2
    }
}

/// The entry that release builds return before the first position.
static SENTINEL: Entry = Entry::first(ZobristKey(0));

/// Returns the key under which a position is stored in the filter, for the window of reversible
/// plies that ends at `index`. The key changes with each irreversible move, so that positions that
/// cannot be repeated any more cause no false positives.
#[inline]
fn filter_key(key: ZobristKey, index: usize, reversible_plies: u32) -> ZobristKey {
    let start = index as u64 - u64::from(reversible_plies);
    ZobristKey(key.0 ^ start.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// The keys of a game and of the line searched from it, with their repetitions.
///
/// Each made move is a [`push`](Self::push) (or [`push_null`](Self::push_null)), each unmade one a
/// [`pop`](Self::pop). The repetition is detected once, when a position is pushed; all queries are
/// then O(1). Irreversible moves and null moves discard nothing that a `pop` needs: they only reset
/// the number of reversible plies.
///
/// A position is inserted into the [`RepetitionFilter`] when it is four plies old, because it
/// cannot be repeated sooner, if all moves since were reversible and it is its first occurrence.
/// Captures and null moves therefore never touch the filter, and a `pop` restores it exactly.
///
/// Occurrences more than 65,535 plies back are not found.
#[derive(Clone, Debug)]
pub struct KeyStack {
    /// The positions, never empty. The last one is the current position.
    entries: Vec<Entry>,
    filter: RepetitionFilter,
}

impl KeyStack {
    /// Creates a history that starts with this position, with capacity for this many plies.
    ///
    /// Reserve the plies of the game and of the deepest line together: up to this many pushes do
    /// not allocate.
    #[must_use]
    pub fn new(start: ZobristKey, plies: usize) -> Self {
        let mut entries = Vec::with_capacity(plies + 1);
        entries.push(Entry::first(start));
        Self { entries, filter: RepetitionFilter::new() }
    }

    /// Clears the history and starts it with this position.
    ///
    /// For a new game, and for every irreversible move of the game itself: positions before it
    /// cannot be repeated and would only fill the filter.
    pub fn restart(&mut self, start: ZobristKey) {
        self.entries.clear();
        self.entries.push(Entry::first(start));
        self.filter.clear();
    }

    /// Reserves capacity for this many further plies.
    ///
    /// A clone has no spare capacity.
    pub fn reserve(&mut self, plies: usize) {
        self.entries.reserve(plies);
    }

    /// Adds the position after a move. `reversible` is false for pawn moves and captures.
    ///
    /// Castling and the loss of a castling right may be passed as either; no result depends on it.
    #[inline]
    pub fn push(&mut self, key: ZobristKey, reversible: bool) {
        self.entries.reserve(1);
        self.push_within_capacity(key, reversible);
    }

    /// Adds the position after a move, within the [reserved](Self::reserve) capacity: no allocation
    /// and no panicking branch in the search.
    ///
    /// # Panics
    ///
    /// Debug builds panic if there is no capacity left; release builds do not add the position.
    #[inline]
    pub fn push_within_capacity(&mut self, key: ZobristKey, reversible: bool) {
        let reversible_plies = if reversible { self.current().reversible_plies + 1 } else { 0 };
        let (previous, occurrences) = if reversible_plies >= MIN_CYCLE {
            self.find_previous(key, reversible_plies)
        } else {
            (0, 1)
        };
        debug_assert!(self.entries.len() < self.entries.capacity(), "no capacity was reserved");
        if self.entries.len() < self.entries.capacity() {
            self.entries.push(Entry { key, reversible_plies, previous, occurrences });
        }
    }

    /// Inserts the position that is now old enough into the filter. Returns the distance of the
    /// previous occurrence of a new position and the number of its occurrences.
    // Out of line, because every push would otherwise save the registers that only this function
    // needs. The result is returned by value: an entry written field by field and read back at once
    // stalls on store forwarding.
    #[inline(never)]
    fn find_previous(&mut self, key: ZobristKey, reversible_plies: u32) -> (u16, u16) {
        let entries = &self.entries;
        let index = entries.len();
        let ageing = entries.get(index - MIN_CYCLE as usize);
        if let Some(Entry { key, previous: 0, .. }) = ageing {
            self.filter.insert(filter_key(*key, index, reversible_plies));
        }
        let filter_key = filter_key(key, index, reversible_plies);
        let found = self.filter.find_with(filter_key, || scan(entries, key, reversible_plies));
        found.map_or((0, 1), |(plies, earlier)| (plies, earlier.occurrences.saturating_add(1)))
    }

    /// Adds the position after a null move. No earlier position can be repeated after it.
    #[inline]
    pub fn push_null(&mut self, key: ZobristKey) {
        self.push(key, false);
    }

    /// Removes the last position pushed.
    ///
    /// # Panics
    ///
    /// Debug builds panic at the first position; release builds keep it.
    #[inline]
    pub fn pop(&mut self) {
        let last = self.plies();
        debug_assert!(last > 0, "the first position of a history cannot be removed");
        if last == 0 {
            return;
        }
        let reversible_plies = self.current().reversible_plies;
        if reversible_plies >= MIN_CYCLE {
            let ageing = self.entry(MIN_CYCLE as usize);
            if ageing.previous == 0 {
                self.filter.remove(filter_key(ageing.key, last, reversible_plies));
            }
        }
        self.entries.truncate(last);
    }

    /// Returns the number of positions that can be popped.
    #[inline]
    #[must_use]
    pub fn plies(&self) -> usize {
        self.entries.len() - 1
    }

    /// Returns the key of the position this many plies ago; 0 is the current one.
    ///
    /// # Panics
    ///
    /// Debug builds panic before the first position.
    #[inline]
    #[must_use]
    pub fn key(&self, plies_ago: usize) -> ZobristKey {
        self.entry(plies_ago).key
    }

    /// Returns the number of consecutive reversible plies before the current position: the range in
    /// which a repetition is possible.
    #[inline]
    #[must_use]
    pub fn reversible_plies(&self) -> usize {
        self.current().reversible_plies as usize
    }

    /// Returns the number of occurrences of the current position within the reversible plies,
    /// including the current one: at least 1, at most 65,535.
    #[inline]
    #[must_use]
    pub fn occurrences(&self) -> usize {
        usize::from(self.current().occurrences)
    }

    /// Returns the distance of the previous occurrence of the current position in plies.
    #[inline]
    #[must_use]
    pub fn previous_occurrence(&self) -> Option<usize> {
        let previous = usize::from(self.current().previous);
        if previous == 0 { None } else { Some(previous) }
    }

    /// Returns true if the position this many plies ago was itself a repetition when it was pushed.
    ///
    /// # Panics
    ///
    /// Debug builds panic before the first position.
    #[inline]
    #[must_use]
    pub fn is_repeated(&self, plies_ago: usize) -> bool {
        self.entry(plies_ago).previous != 0
    }

    /// Returns the verdict of a rule on the current position: that on the nearest earlier
    /// occurrence on which the rule gives one.
    ///
    /// `judge` is called for each earlier occurrence, the nearest first, until it returns a
    /// verdict, which is of any type: a draw in chess, a win or a loss by perpetual check in shogi.
    /// Where positions of equal key may still differ, as shogi positions by the pieces in hand, it
    /// compares them itself. The cost is that of the calls; nothing is scanned.
    ///
    /// ```
    /// use koel_cuckoo::{KeyStack, ZobristKey};
    /// #[derive(PartialEq, Debug)]
    /// enum Verdict { Loses }
    ///
    /// let mut history = KeyStack::new(ZobristKey(1), 8);
    /// for key in [2, 3, 4, 1] {
    ///     history.push(ZobristKey(key), true);
    /// }
    /// // A rule under which the side that lets a position occur again loses.
    /// assert_eq!(history.verdict(|_| Some(Verdict::Loses)), Some(Verdict::Loses));
    /// // The rule of chess, which `is_draw_by_repetition` applies.
    /// assert_eq!(history.verdict(|earlier| earlier.is_draw(5).then_some(())), Some(()));
    /// assert_eq!(history.verdict(|earlier| earlier.is_draw(4).then_some(())), None);
    /// ```
    #[inline]
    pub fn verdict<V>(&self, mut judge: impl FnMut(Repetition) -> Option<V>) -> Option<V> {
        let mut plies = usize::from(self.current().previous);
        // The first occurrence has none before it.
        let mut previous = plies;
        while previous != 0 {
            let earlier = self.entry(plies);
            let occurrences = usize::from(earlier.occurrences);
            let verdict = judge(Repetition { plies, occurrences });
            if verdict.is_some() {
                return verdict;
            }
            previous = usize::from(earlier.previous);
            plies += previous;
        }
        None
    }

    /// Returns true if the current position, `ply` plies after the root of a search, is scored as a
    /// draw by repetition under the rules of chess: the verdict of [`Repetition::is_draw`].
    ///
    /// At the root itself (`ply` 0) only a third occurrence is a draw.
    #[inline]
    #[must_use]
    pub fn is_draw_by_repetition(&self, ply: usize) -> bool {
        // The nearest occurrence is also the one with most others before it, so it alone decides.
        let current = self.current();
        let previous = usize::from(current.previous);
        previous != 0 && (previous < ply || current.occurrences >= 3)
    }

    /// Returns true if a move into the position `plies_ago` would be a draw by the rule of
    /// [`is_draw_by_repetition`](Self::is_draw_by_repetition). `ply` is that of the current
    /// position.
    ///
    /// With this rule [`upcoming_repetition`](crate::CycleTable::upcoming_repetition) finds a move
    /// exactly if the position after some legal move is a draw by repetition at `ply + 1`.
    #[inline]
    #[must_use]
    pub fn return_is_draw(&self, plies_ago: usize, ply: usize) -> bool {
        plies_ago < ply || self.is_repeated(plies_ago)
    }

    /// Finds a move of the side to move that would be a draw by the rule of
    /// [`is_draw_by_repetition`](Self::is_draw_by_repetition), `ply` plies after the root:
    /// [`CycleTable::upcoming_repetition`] with that rule. `occupied` are the occupied squares of
    /// the current position (bit 0 is a1).
    #[inline]
    #[must_use]
    pub fn upcoming_repetition(
        &self,
        table: &CycleTable,
        occupied: u64,
        ply: usize,
    ) -> Option<Cycle> {
        let accept = |plies_ago| self.return_is_draw(plies_ago, ply);
        table.upcoming_repetition(&self.with_occupied(occupied), accept)
    }

    /// Finds the nearest position strictly after the root, `ply` plies ago, from which one
    /// reversible move leads to the current one: [`CycleTable::no_progress`].
    #[inline]
    #[must_use]
    pub fn no_progress(&self, table: &CycleTable, occupied: u64, ply: usize) -> Option<Cycle> {
        table.no_progress(&self.with_occupied(occupied), ply)
    }

    /// Combines the history with the occupied squares of the current position (bit 0 is a1) into
    /// the [`Timeline`] of the detectors.
    #[inline]
    #[must_use]
    pub fn with_occupied(&self, occupied: u64) -> KeyTimeline<'_> {
        KeyTimeline { history: self, occupied }
    }

    /// Returns the filter in front of the scan.
    #[inline]
    #[must_use]
    pub fn filter(&self) -> &RepetitionFilter {
        &self.filter
    }

    /// Returns true if the filter contains exactly the positions of the line. For assertions after
    /// a search: it rebuilds the filter.
    #[must_use]
    pub fn is_filter_consistent(&self) -> bool {
        let mut fresh = RepetitionFilter::new();
        for (index, entry) in self.entries.iter().enumerate() {
            if entry.reversible_plies >= MIN_CYCLE {
                let ageing = self.entries[index - MIN_CYCLE as usize];
                if ageing.previous == 0 {
                    fresh.insert(filter_key(ageing.key, index, entry.reversible_plies));
                }
            }
        }
        fresh.has_equal_counters(&self.filter)
    }

    /// Resets the statistics of the filter.
    pub fn reset_filter_counts(&mut self) {
        self.filter.reset_counts();
    }

    #[inline]
    fn current(&self) -> &Entry {
        self.entry(0)
    }

    // Called at every node, so release builds have no panicking branch.
    #[inline]
    fn entry(&self, plies_ago: usize) -> &Entry {
        debug_assert!(
            plies_ago < self.entries.len(),
            "there is no entry before the first position"
        );
        self.entries.get(self.entries.len().wrapping_sub(1 + plies_ago)).unwrap_or(&SENTINEL)
    }
}

/// Finds the nearest earlier occurrence of a key that is about to be pushed: its distance in plies
/// and its entry.
// Called rarely because of the filter, and out of line to keep `push` small.
#[inline(never)]
fn scan(entries: &[Entry], key: ZobristKey, reversible_plies: u32) -> Option<(u16, Entry)> {
    let oldest = entries.len() - reversible_plies.min(MAX_CYCLE) as usize;
    let newest = entries.len() - MIN_CYCLE as usize;
    let same_side_to_move = entries.get(oldest..=newest)?.iter().rev().step_by(2);
    let (index, earlier) = same_side_to_move.enumerate().find(|(_, earlier)| earlier.key == key)?;
    #[expect(clippy::cast_possible_truncation, reason = "twice the index is less than `MAX_CYCLE`")]
    Some((MIN_CYCLE as u16 + 2 * index as u16, *earlier))
}

/// A [`KeyStack`] with the occupied squares of its current position.
#[derive(Clone, Copy, Debug)]
pub struct KeyTimeline<'history> {
    history: &'history KeyStack,
    occupied: u64,
}

impl Timeline for KeyTimeline<'_> {
    #[inline]
    fn key(&self, plies_ago: usize) -> ZobristKey {
        self.history.key(plies_ago)
    }

    #[inline]
    fn reversible_plies(&self) -> usize {
        self.history.reversible_plies()
    }

    #[inline]
    fn occupied(&self) -> u64 {
        self.occupied
    }
}
