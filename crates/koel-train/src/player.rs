//! A searcher with a budget of nodes, for both sides of a game.

use std::ops::ControlFlow;

use koel_board::Game;
use koel_eval::Evaluation;
use koel_search::{Limits, Outcome, Report, Shared, Supervisor, Worker};

/// How long to search, in nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// No iteration begins once so many nodes are searched. The last one is finished, so that its
    /// score is a whole one; two or three times as many are searched on average.
    pub soft_nodes: u64,
    /// The search is broken off at so many nodes, come what may.
    pub hard_nodes: u64,
}

impl Supervisor for Budget {
    fn node_limit(&self) -> u64 {
        self.hard_nodes
    }

    fn iteration(&mut self, report: &Report<'_>) -> ControlFlow<()> {
        if report.nodes >= self.soft_nodes {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

/// A worker with a table of its own.
pub struct Player {
    shared: Shared,
    worker: Worker,
}

/// The stack that a thread of a player needs, in bytes.
pub const STACK_BYTES: usize = 16 << 20;

impl Player {
    /// A player with a table of so many MiB.
    ///
    /// # Errors
    /// There is no memory for the table.
    pub fn new(
        hash_mebibytes: usize,
        evaluation: Evaluation,
    ) -> Result<Player, koel_search::OutOfMemory> {
        let mut shared = Shared::new(hash_mebibytes, 1)?;
        shared.set_evaluation(evaluation);
        Ok(Player { shared, worker: Worker::new(0) })
    }

    /// Forgets all it has seen, as for a new game: what it plays then depends on nothing before.
    pub fn forget(&mut self) {
        self.shared.clear(1);
        self.worker.reset();
    }

    /// Searches the present position of a game.
    pub fn search(&mut self, game: &Game, budget: Budget) -> Outcome {
        self.shared.new_search();
        self.worker.search(&self.shared, game, &Limits::default(), &mut { budget })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_kept_and_repeats_itself() {
        let mut player = Player::new(1, Evaluation::default()).unwrap();
        let game = Game::default();
        let soft = Budget { soft_nodes: 500, hard_nodes: 100_000 };
        let first = player.search(&game, soft);
        assert!((500..5_000).contains(&first.nodes), "{}", first.nodes);
        player.search(&game, Budget { soft_nodes: 5_000, hard_nodes: 100_000 });
        player.forget();
        assert_eq!(player.search(&game, soft), first);
        let hard = player.search(&game, Budget { soft_nodes: 10_000, hard_nodes: 700 });
        assert_eq!(hard.nodes, 700);
    }
}
