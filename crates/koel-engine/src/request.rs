//! The request for a search.

use std::num::{NonZeroU32, NonZeroU64};
use std::time::Duration;

use koel_board::{Game, Move};
use koel_search::Depth;

/// A request for a search: what is searched, and how long. The search ends at the first limit that
/// it reaches, and at [`stop`](crate::Engine::stop); without a limit it runs to the greatest depth.
///
/// ```
/// use koel_engine::{Request, koel_board::Game};
///
/// let request = Request { multi_pv: 3, ..Request::new(Game::default()).nodes(100_000) };
/// assert!(request.clock.is_none() && !request.infinite);
/// ```
#[derive(Clone, Debug)]
pub struct Request {
    /// The game whose last position is searched; its repetitions count.
    pub game: Game,
    /// The last iteration, clamped to what a search can reach.
    pub depth: Option<Depth>,
    /// The nodes of all threads together, never exceeded; at least 1 is searched.
    pub nodes: Option<u64>,
    /// Ends when a mate in at most this many moves is found.
    pub mate: Option<NonZeroU32>,
    /// The time of the search, exact.
    pub time: Option<Duration>,
    /// The clock of the side to move, of which the engine takes what is worth it.
    pub clock: Option<Clock>,
    /// The search is not finished before [`stop`](crate::Engine::stop), whatever its limits.
    pub infinite: bool,
    /// The clock is the opponent's until [`ponder_hit`](crate::Engine::ponder_hit), and the search
    /// is not finished before that or `stop`.
    pub ponder: bool,
    /// The root moves to search. Illegal ones are ignored; if none is left, all are searched.
    pub root_moves: Vec<Move>,
    /// The number of lines to report; 0 counts as 1.
    pub multi_pv: usize,
    /// Centipawns, of which 100 win every second game, that are subtracted from the value of a
    /// draw.
    pub contempt: i32,
    /// The rating to which the strength is limited, from [`MIN_ELO`](crate::MIN_ELO) to
    /// [`MAX_ELO`](crate::MAX_ELO).
    pub elo: Option<i32>,
    /// The time that a move costs beside the search, taken from the clock. What is lost beyond it
    /// is learned during a game.
    pub move_overhead: Duration,
    /// Nodes that count as a millisecond of every limit of time; `None` is real time.
    pub nodes_per_millisecond: Option<NonZeroU64>,
}

/// The clock of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// The remaining time.
    pub left: Duration,
    /// The increment of a move.
    pub increment: Duration,
    /// The moves to the next time control; `None` for the whole game.
    pub moves_to_go: Option<NonZeroU32>,
}

impl Request {
    /// Returns a request without limits.
    #[must_use]
    pub fn new(game: Game) -> Request {
        Request {
            game,
            depth: None,
            nodes: None,
            mate: None,
            time: None,
            clock: None,
            infinite: false,
            ponder: false,
            root_moves: Vec::new(),
            multi_pv: 1,
            contempt: 0,
            elo: None,
            move_overhead: Duration::ZERO,
            nodes_per_millisecond: None,
        }
    }

    /// Limits the depth in plies.
    #[must_use]
    pub fn depth(self, plies: i32) -> Request {
        Request { depth: Some(Depth(plies)), ..self }
    }

    /// Limits the nodes.
    #[must_use]
    pub fn nodes(self, nodes: u64) -> Request {
        Request { nodes: Some(nodes), ..self }
    }

    /// Limits the time.
    #[must_use]
    pub fn time(self, time: Duration) -> Request {
        Request { time: Some(time), ..self }
    }

    /// Sets the clock of the side to move.
    #[must_use]
    pub fn clock(self, left: Duration, increment: Duration) -> Request {
        Request { clock: Some(Clock { left, increment, moves_to_go: None }), ..self }
    }
}
