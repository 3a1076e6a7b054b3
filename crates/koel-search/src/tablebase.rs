//! Endgame tables: what the search asks of them, whatever their format.

use std::fmt::Debug;
use std::sync::Arc;

use koel_board::Position;

use crate::score::Depth;

/// How a position ends when nobody errs, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wdl {
    /// Lost.
    Loss,
    /// Lost, but for the fifty-move rule.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won, but for the fifty-move rule.
    CursedWin,
    /// Won.
    Win,
}

/// Endgame tables with two questions. They are asked about positions without castling rights, of
/// at most [`max_pieces`](Self::max_pieces), and answer `None` where a table is missing or
/// cannot be read.
pub trait Tablebase: Debug + Send + Sync {
    /// The most pieces, kings included, of a position for which there is a table.
    fn max_pieces(&self) -> usize;

    /// How the position ends if a capture or a pawn move has just led to it. (WDL.)
    fn probe_wdl(&self, position: &Position) -> Option<Wdl>;

    /// Plies to the next capture or pawn move on the way to the end that is due, perhaps one less;
    /// negative if the side to move loses, 0 if nobody wins, beyond 100 where the fifty-move rule
    /// draws. (DTZ.)
    fn probe_dtz(&self, position: &Position) -> Option<i32>;
}

/// Endgame tables, and when to ask them.
#[derive(Clone, Debug)]
pub struct Tablebases {
    /// The tables themselves.
    pub source: Arc<dyn Tablebase>,
    /// Positions of as many pieces as there may be are asked about from this depth on; with fewer
    /// pieces at any.
    pub probe_depth: Depth,
    /// The most pieces, kings included, to ask about, whatever the tables have.
    pub probe_limit: usize,
    /// Whether what the fifty-move rule draws is drawn.
    pub fifty_move_rule: bool,
}

impl Tablebases {
    /// Whether such a position may be in the tables.
    pub(crate) fn may_contain(&self, position: &Position) -> bool {
        let most = self.probe_limit.min(self.source.max_pieces());
        position.occupied().count() <= most && position.castling_rooks().is_empty()
    }

    /// How many pieces a position needs to be asked about at any depth: fewer than these.
    pub(crate) fn max_pieces(&self) -> usize {
        self.probe_limit.min(self.source.max_pieces())
    }

    /// The wdl that counts.
    pub(crate) fn effective_wdl(&self, wdl: Wdl) -> Wdl {
        match wdl {
            Wdl::CursedWin if !self.fifty_move_rule => Wdl::Win,
            Wdl::BlessedLoss if !self.fifty_move_rule => Wdl::Loss,
            wdl => wdl,
        }
    }
}
