//! The events of a search.

use std::time::Duration;

use koel_board::Move;
use koel_search::{Bound, Depth, Score};

/// An event of a search. Events come from the thread that searches, in their order, and the search
/// goes on when the receiver returns: it should be quick.
///
/// ```
/// use std::sync::mpsc;
///
/// use koel_engine::koel_board::Game;
/// use koel_engine::{Engine, Event, Request};
///
/// let (sender, depths) = mpsc::channel();
/// let mut engine = Engine::new(move |event| match event {
///     Event::Iteration(line) => drop(sender.send(line.depth.0)),
///     _ => {}
/// })?;
/// engine.go(Request::new(Game::default()).depth(4));
/// engine.wait();
/// drop(engine);
/// assert_eq!(depths.iter().collect::<Vec<_>>(), [1, 2, 3, 4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Event {
    /// A line of a complete iteration, the best first.
    Iteration(Line),
    /// A bound of the score, when it lies outside the window of the search. Not in the first
    /// second.
    Bound(Line),
    /// The root move that is searched next, and its number from 1. Not in the first three seconds.
    RootMove(Depth, Move, usize),
    /// A moment of the search, a thousand nodes or so after the last one, for a receiver that has
    /// put something off.
    Progress,
    /// The search has nothing more to do, and waits for `stop` or `ponder_hit` to be finished.
    Waiting,
    /// The end of the search, once for each.
    Finished(Outcome),
}

/// A principal variation with its score.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Line {
    /// The rank of the line, the best being 1.
    pub multi_pv: usize,
    /// The iteration, from 1.
    pub depth: Depth,
    /// The longest line searched so far, in plies.
    pub selective_depth: usize,
    /// The score from the side to move's point of view, in the units of the search.
    pub score: Score,
    /// The bound of the score.
    pub bound: Bound,
    /// The score in centipawns of which 100 win every second game; a win by the endgame tables is
    /// 20,000 less its plies. Of no use if the score is a mate.
    pub centipawns: i32,
    /// The probabilities of the results.
    pub wdl: WinDrawLoss,
    /// The moves.
    pub pv: Vec<Move>,
    /// The nodes of all threads.
    pub nodes: u64,
    /// The time since the start of the search.
    pub elapsed: Duration,
    /// The share of the transposition table that this search has filled, in permille, sampled every
    /// few milliseconds.
    pub hashfull: usize,
    /// The positions that were found in the endgame tables.
    pub tablebase_hits: u64,
}

/// The probabilities of a win, a draw and a loss of the side to move, in permille.
///
/// ```
/// use koel_engine::WinDrawLoss;
///
/// let wdl = WinDrawLoss { win: 300, draw: 600, loss: 100 };
/// assert_eq!(wdl.expected_score(), 0.6);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WinDrawLoss {
    /// The probability of a win.
    pub win: u32,
    /// The probability of a draw.
    pub draw: u32,
    /// The probability of a loss.
    pub loss: u32,
}

impl WinDrawLoss {
    /// A certain draw.
    pub const DRAW: WinDrawLoss = WinDrawLoss { win: 0, draw: 1000, loss: 0 };

    /// The expected score, from 0, a loss, to 1, a win.
    #[must_use]
    pub fn expected_score(self) -> f64 {
        (f64::from(self.win) + f64::from(self.draw) / 2.0) / 1000.0
    }
}

/// The outcome of a search.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The move to play; `None` without a legal move.
    pub best_move: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// The score; without a legal move that of mate or stalemate.
    pub score: Score,
    /// The line of the best move, if there is one.
    pub line: Option<Line>,
    /// True if that line is the first of the last iteration, so that there is nothing new in it. A
    /// search that was interrupted may have found a better move, and has searched more nodes.
    pub is_reported: bool,
}
