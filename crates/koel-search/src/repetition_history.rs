//! Where the board and the reasoning about cycles meet: they do not know each other.

use koel_board::{Game, Position, Zobrist};
use koel_cuckoo::{Cycle, CycleTable, FilterCounts, KeyHistory, ZobristKey};

/// The reversible moves of chess under Koel's keys, arranged at compile time.
pub static CYCLES: CycleTable =
    CycleTable::new(&reversible_piece_keys(), Zobrist::KOEL.black_to_move.0);

const fn reversible_piece_keys() -> [[u64; 64]; 10] {
    let mut keys = [[0; 64]; 10];
    let mut index = 0;
    while index < 10 * 64 {
        let (kind, square) = (index / 64, index % 64);
        // Without the pawns, which come first in each colour.
        keys[kind][square] = Zobrist::KOEL.pieces[kind / 5][1 + kind % 5][square].0;
        index += 1;
    }
    keys
}

/// The keys of the game and of the line that is searched, and what repeats in them.
#[derive(Clone, Debug)]
pub struct RepetitionHistory {
    history: KeyHistory,
    counts: CycleCounts,
}

/// How often a search asked about cycles, and what it learnt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CycleCounts {
    /// Nodes at which an upcoming repetition was looked for.
    pub upcoming_probes: u64,
    /// Nodes at which there was one.
    pub upcoming_hits: u64,
    /// What the filter in front of the scan for repetitions did.
    pub filter: FilterCounts,
}

impl std::ops::AddAssign for CycleCounts {
    fn add_assign(&mut self, other: CycleCounts) {
        self.upcoming_probes += other.upcoming_probes;
        self.upcoming_hits += other.upcoming_hits;
        self.filter += other.filter;
    }
}

impl RepetitionHistory {
    /// The past of a game's present position, with room for so many plies more.
    #[must_use]
    pub fn new(game: &Game, room: usize) -> RepetitionHistory {
        let history = KeyHistory::new(key_of(game.start()), room);
        let mut repetitions = RepetitionHistory { history, counts: CycleCounts::default() };
        repetitions.set_game(game, room);
        repetitions
    }

    /// Begins anew with the past of another game's present position. The counts go on.
    pub fn set_game(&mut self, game: &Game, room: usize) {
        let plies = game.moves().len();
        // What was there before the last irreversible move never comes back.
        let reversible = usize::from(game.position().halfmove_clock()).min(plies);
        let mut positions = game.positions().skip(plies - reversible);
        let first = positions.next().map_or_else(|| key_of(game.position()), |p| key_of(&p));
        self.history.restart(first);
        for position in positions {
            self.history.push(key_of(&position), true);
        }
        self.history.reserve(room);
    }

    /// Enters the position after a move, in the room that was asked for.
    #[inline]
    pub fn push(&mut self, position: &Position) {
        self.history.push_within_capacity(key_of(position), position.halfmove_clock() != 0);
    }

    /// Enters the position after a null move.
    #[inline]
    pub fn push_null(&mut self, position: &Position) {
        self.history.push_within_capacity(key_of(position), false);
    }

    /// Takes back the last push of either sort.
    #[inline]
    pub fn pop(&mut self) {
        self.history.pop();
    }

    /// Whether the present position, `ply` plies after the root, is a draw by repetition.
    #[inline]
    #[must_use]
    pub fn is_draw_by_repetition(&self, ply: usize) -> bool {
        self.history.is_draw_by_repetition(ply)
    }

    /// Whether enough reversible moves lie behind that another could return to one of their
    /// positions. If not, [`upcoming_repetition`](Self::upcoming_repetition) finds nothing.
    #[inline(always)]
    #[must_use]
    pub fn can_repeat(&self) -> bool {
        self.history.reversible_plies() >= 3
    }

    /// The same one ply sooner: whether a position after the next move could be followed by such a
    /// return.
    #[inline(always)]
    #[must_use]
    pub fn can_repeat_after_move(&self) -> bool {
        self.history.reversible_plies() >= 2
    }

    /// Whether there is a move from the present position, `ply` plies after the root, that would
    /// draw by repetition. It is not counted.
    #[must_use]
    pub fn has_upcoming_repetition(&self, position: &Position, ply: usize) -> bool {
        let now = self.history.with_occupied(position.occupied().0);
        let is_draw = |plies| self.history.return_is_draw(plies, ply);
        CYCLES.upcoming_repetition(&now, is_draw).is_some()
    }

    /// A move from the present position, `ply` plies after the root, that would draw by repetition.
    #[inline]
    pub fn upcoming_repetition(&mut self, position: &Position, ply: usize) -> Option<Cycle> {
        self.counts.upcoming_probes += 1;
        let now = self.history.with_occupied(position.occupied().0);
        let is_draw = |plies| self.history.return_is_draw(plies, ply);
        let cycle = CYCLES.upcoming_repetition(&now, is_draw)?;
        self.counts.upcoming_hits += 1;
        Some(cycle)
    }

    /// An earlier position after the root from which the last mover could have come here directly.
    #[must_use]
    pub fn no_progress(&self, position: &Position, ply: usize) -> Option<Cycle> {
        CYCLES.no_progress(&self.history.with_occupied(position.occupied().0), ply)
    }

    /// The keys behind it, for questions that a search does not ask.
    #[must_use]
    pub fn keys(&self) -> &KeyHistory {
        &self.history
    }

    /// Whether nothing is left in the filter once all is taken back. It copies the history: for
    /// assertions.
    #[must_use]
    pub fn is_balanced(&self) -> bool {
        let mut history = self.history.clone();
        while history.plies() > 0 {
            history.pop();
        }
        history.filter().is_empty()
    }

    /// How often it was asked, and what it learnt.
    #[must_use]
    pub fn counts(&self) -> CycleCounts {
        CycleCounts { filter: self.history.filter().counts(), ..self.counts }
    }

    /// Sets the counts to zero.
    pub fn reset_counts(&mut self) {
        self.history.reset_filter_counts();
        self.counts = CycleCounts::default();
    }
}

fn key_of(position: &Position) -> ZobristKey {
    ZobristKey(position.key().0)
}
