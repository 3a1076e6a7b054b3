//! By how much static evaluation is wrong in positions like this one.

use koel_board::{Color, Key, Position};

use super::gauge::{Gauge, gauges};
use super::piece_to::PieceTo;
use crate::params::correction;

const LIMIT: i32 = 1024;

/// A power of two.
const SLOTS: usize = 16384;

/// The difference between static evaluation and search, by what two positions may have in common:
/// the pawns, the minor pieces, all pieces of a side, and the last moves. (Correction history,
/// Caissa and Stockfish 2023-24.)
#[derive(Clone, Debug)]
pub(crate) struct CorrectionHistory {
    pawn: Keyed,
    minor: Keyed,
    non_pawn: [Keyed; 2],
    continuation: Box<[Gauge<LIMIT>]>,
}

/// The moves before a position, one and two plies back from its own last.
pub(crate) type LastMoves = [PieceTo; 2];

impl CorrectionHistory {
    pub(crate) fn new() -> CorrectionHistory {
        CorrectionHistory {
            pawn: Keyed::new(),
            minor: Keyed::new(),
            non_pawn: [Keyed::new(), Keyed::new()],
            continuation: gauges(PieceTo::COUNT * PieceTo::COUNT),
        }
    }

    /// Centipawns to add to the static evaluation, from the view of the side to move.
    #[inline]
    pub(crate) fn score(&self, position: &Position, last: LastMoves) -> i32 {
        let (keys, turn) = (position.keys(), position.turn());
        let mut sum = correction::pawn() * self.pawn.at(keys.pawn, turn).score();
        sum += correction::minor() * self.minor.at(keys.minor, turn).score();
        for (table, key) in self.non_pawn.iter().zip(keys.non_pawn) {
            sum += correction::non_pawn() * table.at(key, turn).score();
        }
        sum += correction::continuation() * self.continuation[slot(last)].score();
        sum / LIMIT
    }

    /// The search found so many centipawns more than the corrected evaluation said, this deep.
    pub(crate) fn reward(&mut self, position: &Position, last: LastMoves, bonus: i32) {
        let (keys, turn) = (position.keys(), position.turn());
        let bonus = bonus.clamp(-correction::most(), correction::most());
        self.pawn.at_mut(keys.pawn, turn).reward(bonus);
        self.minor.at_mut(keys.minor, turn).reward(bonus);
        for (table, key) in self.non_pawn.iter_mut().zip(keys.non_pawn) {
            table.at_mut(key, turn).reward(bonus);
        }
        self.continuation[slot(last)].reward(bonus);
    }
}

/// Gauges by a key and the side to move.
#[derive(Clone, Debug)]
struct Keyed(Box<[Gauge<LIMIT>]>);

impl Keyed {
    fn new() -> Keyed {
        Keyed(gauges(2 * SLOTS))
    }

    #[inline]
    fn at(&self, key: Key, turn: Color) -> Gauge<LIMIT> {
        self.0[keyed_slot(key, turn)]
    }

    #[inline]
    fn at_mut(&mut self, key: Key, turn: Color) -> &mut Gauge<LIMIT> {
        &mut self.0[keyed_slot(key, turn)]
    }
}

#[inline]
fn keyed_slot(key: Key, turn: Color) -> usize {
    2 * (key.0 as usize & (SLOTS - 1)) + turn as usize
}

#[inline]
fn slot([last, before]: LastMoves) -> usize {
    before.index() * PieceTo::COUNT + last.index()
}
