use koel_tt::{PathDependence, Record};

use crate::node::Node;
use crate::params::history;
use crate::score::{Depth, Score};
use crate::search::{Kind, Search};
use crate::tally::Tally;

impl Search<'_> {
    /// The score of a node whose moves have been searched, from which something is learnt and
    /// which is remembered. Without moves it is mate or stalemate.
    pub(crate) fn conclude<K: Kind>(&mut self, node: &Node<'_>, tally: &Tally) -> Score {
        if tally.tried == 0 {
            return if node.in_check { Score::mated_in(node.ply) } else { Score::DRAW };
        }
        self.learn(node, tally);
        let score = tally.best.max(node.floor);
        if !(K::ROOT && self.root.is_restricted()) {
            self.remember(node, tally, score, K::PV);
        }
        score
    }

    /// The same for quiescence, which learns nothing.
    pub(crate) fn conclude_quiescence(&mut self, node: &Node<'_>, tally: &Tally) -> Score {
        if tally.tried == 0 && node.in_check {
            return Score::mated_in(node.ply);
        }
        let score = tally.best.max(node.floor);
        self.remember(node, tally, score, false);
        score
    }

    /// A quiet move that was best is tried sooner next time, and those before it later: first at
    /// this ply, then anywhere. (Killer heuristic; History heuristic.)
    fn learn(&mut self, node: &Node<'_>, tally: &Tally) {
        let Some(best) = tally.best_move else { return };
        let bonus = (history::slope() * node.depth.0 - history::offset()).min(history::most());
        let worker = &mut *self.worker;
        if !best.is_noisy() {
            worker.stack.set_killer(node.ply, best);
            worker.quiet_history.reward(node.position, best, bonus);
        }
        for &failed in tally.failed_quiets.iter().filter(|&&failed| failed != best) {
            worker.quiet_history.reward(node.position, failed, -bonus);
        }
    }

    fn remember(&mut self, node: &Node<'_>, tally: &Tally, score: Score, was_pv: bool) {
        let Depth(depth) = node.depth;
        let static_eval = (!node.in_check).then(|| node.static_eval.centipawns() as i16);
        let record = Record {
            best_move: tally.best_move,
            score: score.to_table(node.ply),
            static_eval,
            depth: depth.clamp(0, i32::from(u8::MAX)) as u8,
            bound: tally.bound,
            was_pv,
            dependence: PathDependence::NONE,
        };
        self.shared.table.store(node.position.key().0, record);
    }
}
