//! The page: the search of a node, in the order in which it is refuted.

use std::ops::ControlFlow::{self, Continue};

use koel_board::Move;

use crate::node::Node;
use crate::picker::Picker;
use crate::score::Score;
use crate::search::{Kind, Search};
use crate::tally::Tally;

impl Search<'_> {
    /// Breaks with a score where a step ends the node, and when the search is stopped.
    pub(crate) fn visit<K: Kind>(&mut self, node: &mut Node<'_>) -> ControlFlow<Score, Score> {
        self.check_stop()?;
        if !K::ROOT {
            self.upcoming_repetition(node)?;
            self.rule_draw(node)?;
            node.clip_to_mate_distance()?;
        }
        self.look_up::<K>(node)?;
        self.appraise(node);
        if !K::PV && node.may_be_cut() {
            node.reverse_futility()?;
            self.null_move(node)?;
        }
        let mut picker = self.picker::<K>(node);
        let mut tally = Tally::new();
        while let Some(pick) = picker.next(node.position, &self.worker.quiet_history) {
            if node.is_too_late::<K>(&tally, &pick) {
                picker.skip_quiets();
                continue;
            }
            let score = self.search_move::<K>(node, &tally, &pick)?;
            if self.record::<K>(node, &mut tally, &pick, score).is_break() {
                break;
            }
        }
        Continue(self.conclude::<K>(node, &tally))
    }

    fn picker<K: Kind>(&mut self, node: &Node<'_>) -> Picker {
        if K::ROOT {
            return Picker::of_list(self.root.moves());
        }
        // Killers of nephews are stale once their uncle's line is left.
        self.worker.stack[node.ply + 2].killers = [Move::NONE; 2];
        Picker::new(node.table_move, self.worker.stack[node.ply].killers)
    }
}
