//! Node limits of searches.

use std::ops::{ControlFlow, Neg};

use koel_board::{Game, Position};
use koel_search::{Limits, Report, SearchResult, Searcher, Supervisor};

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
        NodeLimits { soft_nodes, hard_nodes: soft_nodes.saturating_mul(20) }
    }

    /// Searches the current position of a game within these limits.
    pub(crate) fn search(mut self, searcher: &mut Searcher, game: &Game) -> SearchResult {
        searcher.search_with(game, &Limits::default(), self.hard_nodes, &mut self)
    }

    /// Returns limits this many times as large.
    pub(crate) fn times(self, factor: u64) -> NodeLimits {
        let [soft_nodes, hard_nodes] =
            [self.soft_nodes, self.hard_nodes].map(|nodes| nodes.saturating_mul(factor));
        NodeLimits { soft_nodes, hard_nodes }
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

/// Turns a score of the side to move into White's, or back.
pub(crate) fn for_white<T: Copy + Neg<Output = T>>(position: &Position, score: T) -> T {
    position.turn().fold_wb(score, -score)
}

#[cfg(test)]
mod tests {
    use koel_eval::Evaluation;

    use super::*;

    #[test]
    fn node_limits_are_kept_and_searches_repeat() {
        let mut searcher = Searcher::new(1, Evaluation::default()).unwrap();
        let game = Game::default();
        let soft = NodeLimits { soft_nodes: 500, hard_nodes: 100_000 };
        let first = soft.search(&mut searcher, &game);
        assert!((500..5_000).contains(&first.nodes), "{}", first.nodes);
        NodeLimits { soft_nodes: 5_000, ..soft }.search(&mut searcher, &game);
        searcher.new_game();
        assert_eq!(soft.search(&mut searcher, &game), first);
        let hard = NodeLimits { soft_nodes: 10_000, hard_nodes: 700 }.search(&mut searcher, &game);
        assert_eq!(hard.nodes, 700);
        let largest = NodeLimits { soft_nodes: u64::MAX / 2, hard_nodes: u64::MAX };
        assert_eq!(NodeLimits::with_soft(u64::MAX / 2), largest);
        assert_eq!(largest.times(3), NodeLimits { soft_nodes: u64::MAX, ..largest });
    }
}
