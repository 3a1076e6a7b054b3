//! The limits of a search that do not depend on time.

use koel_board::Move;

use crate::root_ranking::RootRanking;
use crate::score::Depth;

/// The limits of a search besides those of its supervisor.
///
/// ```
/// use koel_board::{Game, Position};
/// use koel_search::{Limits, Searcher};
///
/// // The better of two moves, to depth 4.
/// let start = Position::start();
/// let root_moves = vec![start.parse_san("f3")?, start.parse_san("e4")?];
/// let limits = Limits { root_moves, ..Limits::to_depth(4) };
/// let result = Searcher::new(1, Default::default())?.search(&Game::new(start), &limits);
/// assert_eq!(result.best_move.map(|m| m.to_string()).as_deref(), Some("e2e4"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The last iteration; `None` means [`Depth::MAX`].
    pub depth: Option<Depth>,
    /// The root moves to search. Illegal ones are ignored; if none is left, all moves are
    /// searched.
    pub root_moves: Vec<Move>,
    /// The number of principal variations to report, each with another first move; 0 counts as
    /// 1.
    pub multi_pv: usize,
    /// The ranking of the root moves by the endgame tables.
    pub ranking: Option<RootRanking>,
    /// Centipawns subtracted from the value of a draw to the side to move at the root, from
    /// −[`Limits::MAX_CONTEMPT`] to that; beyond, the nearest of the two counts. A transposition
    /// table that holds scores of searches with other contempt, or for the other side, is not
    /// corrected for it.
    pub contempt: i32,
}

impl Limits {
    /// The largest contempt of either sign, in centipawns: a draw is never scored like a mate.
    pub const MAX_CONTEMPT: i32 = 10_000;

    /// Limits for a search of all moves to this depth.
    #[must_use]
    pub fn to_depth(depth: i32) -> Limits {
        Limits { depth: Some(Depth(depth)), ..Limits::default() }
    }
}
