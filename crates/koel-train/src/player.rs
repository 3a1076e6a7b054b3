//! A single-threaded searcher with node limits, which plays both sides of a game.

use std::ops::ControlFlow;

use koel_board::{Game, Move, Position};
use koel_eval::Evaluation;
use koel_search::{Limits, Report, Score, SearchResult, Searcher, Supervisor};

/// The node limits of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NodeLimits {
    /// The soft limit: no iteration begins after this many nodes. The running iteration is
    /// finished, so that its score is complete; a search visits two or three times as many nodes on
    /// average.
    pub(crate) soft_nodes: u64,
    /// The hard limit: the search is aborted after this many nodes.
    pub(crate) hard_nodes: u64,
}

impl NodeLimits {
    /// Creates limits with a hard one of 20 times the soft one.
    pub(crate) fn with_soft(soft_nodes: u64) -> NodeLimits {
        NodeLimits { soft_nodes, hard_nodes: 20 * soft_nodes }
    }

    /// Returns limits this many times as large.
    pub(crate) fn times(self, factor: u64) -> NodeLimits {
        NodeLimits { soft_nodes: factor * self.soft_nodes, hard_nodes: factor * self.hard_nodes }
    }
}

impl Supervisor for NodeLimits {
    fn report_iteration(&mut self, report: &Report<'_>) -> ControlFlow<()> {
        if report.nodes >= self.soft_nodes {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

/// Returns the score of a search of a position from White's view.
pub(crate) fn white_score(position: &Position, result: &SearchResult) -> Score {
    if position.turn().is_white() { result.score } else { -result.score }
}

/// A searcher with node limits.
pub(crate) struct Player(Searcher);

impl Player {
    /// Creates a player with a transposition table of this size in MiB.
    ///
    /// # Errors
    /// The table cannot be allocated.
    pub(crate) fn new(
        hash_mebibytes: usize,
        evaluation: Evaluation,
    ) -> Result<Player, koel_search::OutOfMemory> {
        Searcher::new(hash_mebibytes, evaluation).map(Player)
    }

    /// Forgets what was found: what follows does not depend on earlier searches.
    pub(crate) fn new_game(&mut self) {
        self.0.new_game();
    }

    /// Returns the move of a position in the transposition table, if a search has left one.
    pub(crate) fn table_move(&mut self, position: &Position) -> Option<Move> {
        self.0.table_move(position)
    }

    /// Searches the current position of a game.
    pub(crate) fn search(&mut self, game: &Game, mut limits: NodeLimits) -> SearchResult {
        self.0.search_with(game, &Limits::default(), limits.hard_nodes, &mut limits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_limits_are_kept_and_searches_repeat() {
        let mut player = Player::new(1, Evaluation::default()).unwrap();
        let game = Game::default();
        let soft = NodeLimits { soft_nodes: 500, hard_nodes: 100_000 };
        let first = player.search(&game, soft);
        assert!((500..5_000).contains(&first.nodes), "{}", first.nodes);
        player.search(&game, NodeLimits { soft_nodes: 5_000, hard_nodes: 100_000 });
        player.new_game();
        assert_eq!(player.search(&game, soft), first);
        let hard = player.search(&game, NodeLimits { soft_nodes: 10_000, hard_nodes: 700 });
        assert_eq!(hard.nodes, 700);
    }
}
