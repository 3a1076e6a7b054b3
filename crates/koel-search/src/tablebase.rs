//! Endgame tables, independent of their format.

use std::fmt::Debug;
use std::sync::Arc;

use koel_board::Position;

use crate::score::Depth;

/// The result of a position with perfect play, for the side to move (win, draw, loss).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wdl {
    /// A loss.
    Loss,
    /// A loss that the fifty-move rule turns into a draw.
    BlessedLoss,
    /// A draw.
    Draw,
    /// A win that the fifty-move rule turns into a draw.
    CursedWin,
    /// A win.
    Win,
}

/// Endgame tables with two probes. They are called for positions without castling rights, of at
/// most [`max_pieces`](Self::max_pieces), and return `None` if a table is missing or cannot be
/// read.
pub trait Tablebase: Debug + Send + Sync {
    /// The largest number of pieces, kings included, for which there is a table.
    fn max_pieces(&self) -> usize;

    /// Returns the result of a position right after a capture or a pawn move. (WDL.)
    fn probe_wdl(&self, position: &Position) -> Option<Wdl>;

    /// Returns the distance to zeroing: plies to the next capture or pawn move of perfect play,
    /// possibly one less; negative if the side to move loses, 0 in a draw, beyond 100 where the
    /// fifty-move rule draws. (DTZ.)
    fn probe_dtz(&self, position: &Position) -> Option<i32>;
}

/// Endgame tables with the conditions for probing them.
#[derive(Clone, Debug)]
pub struct Tablebases {
    /// The tables.
    pub source: Arc<dyn Tablebase>,
    /// The least depth for positions with the largest number of pieces; those with fewer pieces
    /// are probed at any depth.
    pub probe_depth: Depth,
    /// The largest number of pieces, kings included, to probe, even if the tables have more.
    pub probe_limit: usize,
    /// True if the fifty-move rule counts.
    pub fifty_move_rule: bool,
}

impl Tablebases {
    /// Returns true if the tables may contain the position.
    pub(crate) fn may_contain(&self, position: &Position) -> bool {
        position.occupied().count() <= self.max_pieces() && position.castling_rooks().is_empty()
    }

    /// The largest number of pieces that is probed.
    pub(crate) fn max_pieces(&self) -> usize {
        self.probe_limit.min(self.source.max_pieces())
    }

    /// The result with the fifty-move rule applied, or not, as set.
    pub(crate) fn effective_wdl(&self, wdl: Wdl) -> Wdl {
        match wdl {
            Wdl::CursedWin if !self.fifty_move_rule => Wdl::Win,
            Wdl::BlessedLoss if !self.fifty_move_rule => Wdl::Loss,
            wdl => wdl,
        }
    }
}
