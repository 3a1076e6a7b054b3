//! Endgame tables: what the search asks of them, whatever their format.

use std::fmt::Debug;
use std::sync::Arc;

use koel_board::Position;

use crate::score::Depth;

/// How a position ends when nobody errs, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
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
/// at most [`most_pieces`](Self::most_pieces), and answer `None` where a table is missing or
/// cannot be read.
pub trait Tablebase: Debug + Send + Sync {
    /// The most pieces, kings included, of a position for which there is a table.
    fn most_pieces(&self) -> usize;

    /// How the position ends if a capture or a pawn move has just led to it. (WDL.)
    fn verdict(&self, position: &Position) -> Option<Verdict>;

    /// Plies to the next capture or pawn move on the way to the end that is due, perhaps one less;
    /// negative if the side to move loses, 0 if nobody wins, beyond 100 where the fifty-move rule
    /// draws. (DTZ.)
    fn distance(&self, position: &Position) -> Option<i32>;
}

/// Endgame tables, and when to ask them.
#[derive(Clone, Debug)]
pub struct Tablebases {
    /// The tables themselves.
    pub source: Arc<dyn Tablebase>,
    /// Positions of as many pieces as there may be are asked about from this depth on; with fewer
    /// pieces at any.
    pub shallowest: Depth,
    /// The most pieces, kings included, to ask about, whatever the tables have.
    pub most_pieces: usize,
    /// Whether what the fifty-move rule draws is drawn.
    pub fifty_moves: bool,
}

impl Tablebases {
    /// Whether such a position may be in the tables.
    pub(crate) fn may_know(&self, position: &Position) -> bool {
        let most = self.most_pieces.min(self.source.most_pieces());
        position.occupied().count() <= most && position.castling_rooks().is_empty()
    }

    /// How many pieces a position needs to be asked about at any depth: fewer than these.
    pub(crate) fn costly_pieces(&self) -> usize {
        self.most_pieces.min(self.source.most_pieces())
    }

    /// The verdict that counts.
    pub(crate) fn by_the_rules(&self, verdict: Verdict) -> Verdict {
        match verdict {
            Verdict::CursedWin if !self.fifty_moves => Verdict::Win,
            Verdict::BlessedLoss if !self.fifty_moves => Verdict::Loss,
            verdict => verdict,
        }
    }
}
