//! The repetition detector of a search: `koel-cuckoo` applied to positions of `koel-board`.

use koel_board::{Game, Position, Zobrist};
use koel_cuckoo::{Cycle, CycleTable, FilterCounts, KeyStack, ZobristKey};

/// The cuckoo table of the reversible moves of chess with Koel's Zobrist keys, built at compile
/// time.
pub static CYCLES: CycleTable =
    CycleTable::new(&reversible_piece_keys(), Zobrist::KOEL.black_to_move.0);

const fn reversible_piece_keys() -> [[u64; 64]; 10] {
    let mut keys = [[0; 64]; 10];
    let mut index = 0;
    while index < 10 * 64 {
        let (kind, square) = (index / 64, index % 64);
        // Pawns come first in each colour, and are left out.
        keys[kind][square] = Zobrist::KOEL.pieces[kind / 5][1 + kind % 5][square].0;
        index += 1;
    }
    keys
}

/// The keys of the positions of the game and of the line being searched, with their
/// repetitions.
#[derive(Clone, Debug)]
pub struct RepetitionDetector {
    keys: KeyStack,
    counts: CycleCounts,
}

/// Counts of repetition detection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CycleCounts {
    /// Nodes at which an upcoming repetition was probed for.
    pub upcoming_probes: u64,
    /// Nodes at which one was found.
    pub upcoming_hits: u64,
    /// The counts of the filter in front of the repetition scan.
    pub filter: FilterCounts,
}

impl std::ops::AddAssign for CycleCounts {
    fn add_assign(&mut self, other: CycleCounts) {
        self.upcoming_probes += other.upcoming_probes;
        self.upcoming_hits += other.upcoming_hits;
        self.filter += other.filter;
    }
}

impl RepetitionDetector {
    /// The positions of a game up to the current one, with room for `room` more plies.
    #[must_use]
    pub fn new(game: &Game, room: usize) -> RepetitionDetector {
        let keys = KeyStack::new(key_of(game.start()), room);
        let mut repetitions = RepetitionDetector { keys, counts: CycleCounts::default() };
        repetitions.set_game(game, room);
        repetitions
    }

    /// Replaces the positions by those of another game. The counts are kept.
    pub fn set_game(&mut self, game: &Game, room: usize) {
        let plies = game.moves().len();
        // No position before the last irreversible move can recur.
        let reversible = usize::from(game.position().halfmove_clock()).min(plies);
        let mut positions = game.positions().skip(plies - reversible);
        let first = positions.next().map_or_else(|| key_of(game.position()), |p| key_of(&p));
        self.keys.restart(first);
        for position in positions {
            self.keys.push(key_of(&position), true);
        }
        self.keys.reserve(room);
    }

    /// Adds the position after a move.
    ///
    /// # Panics
    /// Debug builds panic if no room was reserved for it.
    #[inline]
    pub fn push(&mut self, position: &Position) {
        self.keys.push_within_capacity(key_of(position), position.halfmove_clock() != 0);
    }

    /// Adds the position after a null move.
    ///
    /// # Panics
    /// As [`push`](Self::push).
    #[inline]
    pub fn push_null(&mut self, position: &Position) {
        self.keys.push_within_capacity(key_of(position), false);
    }

    /// Removes the position added last.
    ///
    /// # Panics
    /// Debug builds panic if it is the first of the history.
    #[inline]
    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// Returns true if the current position, `ply` plies after the root, is a draw by
    /// repetition.
    #[inline]
    #[must_use]
    pub fn is_draw_by_repetition(&self, ply: usize) -> bool {
        self.keys.is_draw_by_repetition(ply)
    }

    /// Returns true if the last three moves were reversible: otherwise no move can return to an
    /// earlier position, and [`upcoming_repetition`](Self::upcoming_repetition) finds nothing.
    #[inline(always)]
    #[must_use]
    pub fn can_repeat(&self) -> bool {
        self.keys.reversible_plies() >= 3
    }

    /// Returns a move from the current position, `ply` plies after the root, that would draw by
    /// repetition.
    #[inline]
    pub fn upcoming_repetition(&mut self, position: &Position, ply: usize) -> Option<Cycle> {
        self.counts.upcoming_probes += 1;
        let cycle = self.keys.upcoming_repetition(&CYCLES, position.occupied().0, ply)?;
        self.counts.upcoming_hits += 1;
        Some(cycle)
    }

    /// Returns an earlier position after the root from which the opponent could have reached
    /// the current one in a single move.
    #[must_use]
    pub fn no_progress(&self, position: &Position, ply: usize) -> Option<Cycle> {
        self.keys.no_progress(&CYCLES, position.occupied().0, ply)
    }

    /// The underlying keys.
    #[must_use]
    pub fn keys(&self) -> &KeyStack {
        &self.keys
    }

    /// Returns true if the filter is empty once all positions are removed. It copies the
    /// keys and is meant for assertions.
    #[must_use]
    pub fn is_balanced(&self) -> bool {
        let mut keys = self.keys.clone();
        while keys.plies() > 0 {
            keys.pop();
        }
        keys.filter().is_empty()
    }

    /// The counts so far.
    #[must_use]
    pub fn counts(&self) -> CycleCounts {
        CycleCounts { filter: self.keys.filter().counts(), ..self.counts }
    }

    /// Resets the counts to zero.
    pub fn reset_counts(&mut self) {
        self.keys.reset_filter_counts();
        self.counts = CycleCounts::default();
    }
}

fn key_of(position: &Position) -> ZobristKey {
    ZobristKey(position.key().0)
}
