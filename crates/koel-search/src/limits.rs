//! How far a search may go, as far as the position itself can tell.

use koel_board::Move;

use crate::root_ranking::RootRanking;
use crate::score::Depth;

/// What bounds a search besides its supervisor.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The last iteration; `None` is [`Depth::MAX`].
    pub depth: Option<Depth>,
    /// The only moves to consider at the root. Illegal ones are passed over; if none is left,
    /// all moves are considered.
    pub root_moves: Vec<Move>,
    /// How many principal variations to report, each with another first move; 0 is taken for 1.
    pub multi_pv: usize,
    /// What the endgame tables say of the root moves.
    pub ranking: Option<RootRanking>,
    /// By so many centipawns a draw is worth less to the side to move at the root. The table that
    /// is shared with searches of other contempt, or for the other side, may hold theirs.
    pub contempt: i32,
}

impl Limits {
    /// All moves, to this depth.
    #[must_use]
    pub fn to_depth(depth: i32) -> Limits {
        Limits { depth: Some(Depth(depth)), ..Limits::default() }
    }
}
