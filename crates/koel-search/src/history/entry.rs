//! The entry of all history tables, and the two shapes of a table.

use koel_board::Color;

use super::piece_to::PieceTo;

/// A history entry with gravity: a bonus or malus moves it towards ±`LIMIT`, by less the nearer
/// it already is. So it never exceeds the limit, and old updates fade. (History heuristic: history
/// gravity.)
#[derive(Clone, Copy, Debug, Default)]
#[repr(transparent)]
pub(crate) struct HistoryEntry<const LIMIT: i32>(i16);

impl<const LIMIT: i32> HistoryEntry<LIMIT> {
    /// The value, -`LIMIT` to `LIMIT`.
    #[inline(always)]
    pub(crate) fn score(self) -> i32 {
        i32::from(self.0)
    }

    /// Applies a bonus, or a malus if negative.
    #[inline(always)]
    pub(crate) fn update(&mut self, bonus: i32) {
        const { assert!(0 < LIMIT && LIMIT <= i16::MAX as i32) };
        let bonus = bonus.clamp(-LIMIT, LIMIT);
        let score = self.score();
        self.0 = (score + bonus - score * bonus.abs() / LIMIT) as i16;
    }
}

/// The entries in a cache line of 64 bytes.
const ENTRIES_PER_LINE: usize = 64 / size_of::<HistoryEntry<1>>();

/// A table of `COUNT` history entries, a power of two: an index beyond wraps around, so that no
/// access needs a bounds check.
#[derive(Clone, Debug)]
pub(crate) struct HistoryTable<const LIMIT: i32, const COUNT: usize>(
    Box<[HistoryEntry<LIMIT>; COUNT]>,
);

impl<const LIMIT: i32, const COUNT: usize> HistoryTable<LIMIT, COUNT> {
    /// A table of zeros.
    pub(crate) fn new() -> HistoryTable<LIMIT, COUNT> {
        const { assert!(COUNT.is_power_of_two()) };
        // Made from a vector, as an array would be built on the thread's stack.
        let entries = vec![HistoryEntry::default(); COUNT].into_boxed_slice();
        HistoryTable(entries.try_into().expect("it has this length"))
    }

    /// Resets all entries to zero, in place: allocating the megabytes anew would cost more.
    pub(crate) fn clear(&mut self) {
        self.0.fill(HistoryEntry::default());
    }

    #[inline(always)]
    pub(crate) fn score(&self, index: usize) -> i32 {
        self.0[index & (COUNT - 1)].score()
    }

    /// Prefetches an entry.
    #[inline(always)]
    pub(crate) fn prefetch(&self, index: usize) {
        koel_tt::prefetch(&self.0[index & (COUNT - 1)]);
    }

    #[inline(always)]
    pub(crate) fn update(&mut self, index: usize, bonus: i32) {
        self.0[index & (COUNT - 1)].update(bonus);
    }
}

/// The rows of a table of moves, a power of two.
const ROWS: usize = 1024;

/// A table of history entries with a row for each context and an entry for each piece and
/// destination.
#[derive(Clone, Debug)]
pub(crate) struct PieceToTable<const LIMIT: i32>(
    Box<[[HistoryEntry<LIMIT>; PieceTo::COUNT]; ROWS]>,
);

impl<const LIMIT: i32> PieceToTable<LIMIT> {
    /// A table of zeros.
    pub(crate) fn new() -> PieceToTable<LIMIT> {
        let rows = vec![[HistoryEntry::default(); PieceTo::COUNT]; ROWS].into_boxed_slice();
        PieceToTable(rows.try_into().expect("it has this length"))
    }

    /// Resets all entries to zero, in place.
    pub(crate) fn clear(&mut self) {
        self.0.as_flattened_mut().fill(HistoryEntry::default());
    }

    #[inline(always)]
    pub(crate) fn score(&self, row: usize, m: PieceTo) -> i32 {
        self.0[row & (ROWS - 1)][m.index()].score()
    }

    /// Prefetches an entry.
    #[inline(always)]
    pub(crate) fn prefetch(&self, row: usize, m: PieceTo) {
        koel_tt::prefetch(&self.0[row & (ROWS - 1)][m.index()]);
    }

    /// Prefetches the entries of a side in a row.
    #[inline(always)]
    pub(crate) fn prefetch_row(&self, row: usize, color: Color) {
        for index in PieceTo::range_of(color).step_by(ENTRIES_PER_LINE) {
            koel_tt::prefetch(&self.0[row & (ROWS - 1)][index]);
        }
    }

    #[inline(always)]
    pub(crate) fn update(&mut self, row: usize, m: PieceTo, bonus: i32) {
        self.0[row & (ROWS - 1)][m.index()].update(bonus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_stays_within_its_limit() {
        let mut entry = HistoryEntry::<100>::default();
        for _ in 0..1000 {
            entry.update(60);
        }
        assert!((90..=100).contains(&entry.score()));
        entry.update(-60);
        assert!(entry.score() < 0, "the least expected result moves it most");
        for _ in 0..1000 {
            entry.update(-1_000_000);
        }
        assert_eq!(entry.score(), -100);
    }
}
