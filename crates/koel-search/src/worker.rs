//! What lives as long as a thread.

use koel_board::Game;

use crate::frame::Stack;
use crate::history::QuietHistory;
use crate::iterate::Outcome;
use crate::limits::Limits;
use crate::root::Root;
use crate::score::{Depth, MAX_PLY, Score};
use crate::search::Search;
use crate::shared::Shared;
use crate::supervisor::Supervisor;
use crate::timeline::{CycleCounts, Timeline};

/// One thread of the search, with all that it remembers from one search to the next.
///
/// A search uses up to about 1 MiB of the stack of its thread: give it 4 MiB or more.
pub struct Worker {
    pub(crate) index: usize,
    pub(crate) timeline: Timeline,
    pub(crate) stack: Stack,
    pub(crate) quiet_history: QuietHistory,
}

impl Worker {
    /// The worker that counts its nodes under this index of [`Shared`].
    #[must_use]
    pub fn new(index: usize) -> Worker {
        Worker {
            index,
            timeline: Timeline::new(&Game::default(), MAX_PLY + 1),
            stack: Stack::new(),
            quiet_history: QuietHistory::new(),
        }
    }

    /// Forgets everything, as for a new game.
    pub fn reset(&mut self) {
        *self = Worker::new(self.index);
    }

    /// Searches the game's present position until the limits or the supervisor end it.
    ///
    /// Call [`Shared::new_search`] before, once for all workers. Without a legal move nothing is
    /// searched or reported.
    pub fn search(
        &mut self,
        shared: &Shared,
        game: &Game,
        limits: &Limits,
        supervisor: &mut dyn Supervisor,
    ) -> Outcome {
        let position = game.position();
        self.timeline.set_game(game, MAX_PLY + 1);
        self.stack.clear();
        let plies = self.timeline.history().plies();
        let mut search = Search {
            root: Root::new(game, limits, shared, &self.quiet_history),
            worker: self,
            shared,
            supervisor,
            nodes: 0,
            next_check: 0,
            is_stopped: false,
            completed: Depth(0),
            selective_depth: 0,
        };
        if search.root.best_move().is_some() {
            search.iterate(position, limits.depth.unwrap_or(Depth::MAX).min(Depth::MAX));
        } else if position.is_check() {
            search.root.score = Score::mated_in(0);
        }
        shared.publish_nodes(search.worker.index, search.nodes);
        let outcome = search.outcome();
        debug_assert_eq!(self.timeline.history().plies(), plies, "a move was not taken back");
        debug_assert!(self.timeline.is_balanced());
        outcome
    }

    /// How often this worker asked about cycles, and what it learnt, since it was made or last
    /// [`reset`](Self::reset).
    #[must_use]
    pub fn cycle_counts(&self) -> CycleCounts {
        self.timeline.counts()
    }
}

#[cfg(test)]
mod tests {
    use koel_board::{Move, Position};
    use koel_tt::{Bound, Record};

    use super::*;

    struct Random(u64);

    impl Random {
        fn next(&mut self) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0
        }

        fn record(&mut self) -> Record<Move> {
            let bits = self.next();
            Record {
                best_move: Some(Move::from_bits(bits as u16)),
                score: (bits >> 16) as i16,
                static_eval: Some((bits >> 32) as i16),
                depth: (bits >> 48) as u8 % 12,
                bound: [Bound::Upper, Bound::Lower, Bound::Exact][(bits >> 56) as usize % 3],
                was_pv: bits >> 63 != 0,
            }
        }
    }

    fn fill(shared: &Shared, position: &Position, plies: usize, random: &mut Random) {
        shared.table.store(position.key().0, random.record());
        if plies > 0 {
            for m in position.legal_moves() {
                fill(shared, &position.after(m), plies - 1, random);
            }
        }
    }

    struct Unwatched;

    impl Supervisor for Unwatched {
        fn node_limit(&self) -> u64 {
            20_000
        }
    }

    #[test]
    fn a_table_full_of_lies_misleads_but_breaks_nothing() {
        let mut random = Random(99);
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ] {
            let mut game = Game::new(Position::from_fen(fen).unwrap());
            for _ in 0..8 {
                let shared = Shared::new(4, 1).unwrap();
                fill(&shared, game.position(), 3, &mut random);
                let limits = Limits::default();
                let outcome = Worker::new(0).search(&shared, &game, &limits, &mut Unwatched);
                let mut line = game.clone();
                for &m in &outcome.pv {
                    line.play(m).unwrap();
                }
                let Some(best_move) = outcome.best_move else { break };
                game.play(best_move).unwrap();
            }
        }
    }
}
