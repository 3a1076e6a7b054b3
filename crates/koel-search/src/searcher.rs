//! A search of one thread that needs nothing else.

use koel_board::Game;
use koel_eval::Evaluation;

use crate::iterate::SearchResult;
use crate::limits::Limits;
use crate::repetition_detector::CycleCounts;
use crate::shared::Shared;
use crate::supervisor::Supervisor;
use crate::worker::Worker;

/// One thread of the search with a transposition table of its own. What a search found is known to
/// the next one, until [`new_game`](Self::new_game).
///
/// A search uses about 1 MiB of the stack of its caller, in builds without optimisation more:
/// [`STACK_BYTES`](crate::STACK_BYTES) is enough for all.
///
/// ```
/// use koel_board::{Game, Position};
/// use koel_search::{Limits, Searcher};
///
/// let mut searcher = Searcher::new(16, Default::default())?;
/// let game = Game::new(Position::from_fen("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1")?);
/// let result = searcher.search(&game, &Limits::to_depth(6));
/// assert_eq!(result.best_move.map(|m| m.to_string()).as_deref(), Some("e1e8"));
/// assert_eq!(result.score.to_string(), "mate 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Searcher {
    shared: Shared,
    worker: Worker,
}

impl Searcher {
    /// Creates a searcher with a transposition table of this size in MiB.
    ///
    /// # Errors
    /// There is no memory for the table.
    pub fn new(
        hash_mebibytes: usize,
        evaluation: Evaluation,
    ) -> Result<Searcher, koel_tt::OutOfMemory> {
        let mut shared = Shared::new(hash_mebibytes, 1)?;
        shared.set_evaluation(evaluation);
        Ok(Searcher { shared, worker: Worker::new(0) })
    }

    /// Clears the transposition table and the histories: what follows does not depend on earlier
    /// searches.
    pub fn new_game(&mut self) {
        self.shared.clear(1);
        self.worker.reset();
    }

    /// Searches the last position of a game.
    pub fn search(&mut self, game: &Game, limits: &Limits) -> SearchResult {
        self.search_with(game, limits, u64::MAX, &mut ())
    }

    /// Searches the last position of a game with at most this many nodes, never more.
    pub fn search_nodes(&mut self, game: &Game, nodes: u64) -> SearchResult {
        self.search_with(game, &Limits::default(), nodes, &mut ())
    }

    /// Searches the last position of a game with at most this many nodes, under a supervisor.
    pub fn search_with(
        &mut self,
        game: &Game,
        limits: &Limits,
        nodes: u64,
        supervisor: &mut dyn Supervisor,
    ) -> SearchResult {
        self.shared.new_search();
        self.shared.limit_nodes(nodes);
        self.worker.search(&self.shared, game, limits, supervisor)
    }

    /// The counts of repetition detection since the searcher was created or
    /// [`new_game`](Self::new_game).
    #[must_use]
    pub fn cycle_counts(&self) -> CycleCounts {
        self.worker.cycle_counts()
    }
}

#[cfg(test)]
mod tests {
    use koel_board::Position;

    use super::*;

    #[test]
    fn a_new_game_forgets_and_nodes_are_never_exceeded() {
        let mut searcher = Searcher::new(1, Evaluation::default()).unwrap();
        let game = Game::default();
        let first = searcher.search(&game, &Limits::to_depth(6));
        assert_ne!(searcher.search(&game, &Limits::to_depth(6)).nodes, first.nodes);
        searcher.new_game();
        assert_eq!(searcher.search(&game, &Limits::to_depth(6)), first);
        assert_eq!(searcher.search_nodes(&game, 777).nodes, 777);
        assert!(searcher.search(&game, &Limits::to_depth(12)).nodes > 777, "the limit is lifted");
    }

    /// An author's 900 is 900, however little material there is and whatever the clock says.
    #[test]
    fn the_values_of_ones_own_evaluation_arrive_unchanged() {
        let fixed = |position: &Position| {
            let value = if position.turn().is_white() { 900 } else { -900 };
            koel_eval::Centipawns(value)
        };
        let mut searcher = Searcher::new(1, Evaluation::custom(fixed)).unwrap();
        for fen in [
            koel_board::START_FEN,
            "8/8/4k3/8/8/4K3/4P3/8 w - - 60 90",
            "6k1/4bppp/8/8/8/8/5PPP/R5K1 w - - 30 40",
        ] {
            let game = Game::new(Position::from_fen(fen).unwrap());
            searcher.new_game();
            let result = searcher.search(&game, &Limits::to_depth(1));
            assert_eq!(result.score.centipawns(), 900, "{fen}");
        }
    }
}
