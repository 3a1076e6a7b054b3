//! The page of quiescence: captures until the position is quiet enough to be evaluated.

use std::ops::ControlFlow::{self, Continue};

use crate::node::Node;
use crate::score::Score;
use crate::search::{Kind, Search};
use crate::tally::Tally;

impl Search<'_> {
    /// Breaks with a score where a step ends the node, and when the search is stopped.
    /// (Quiescence search.)
    pub(crate) fn quiesce<K: Kind>(&mut self, node: &mut Node<'_>) -> ControlFlow<Score, Score> {
        self.check_stop()?;
        self.upcoming_repetition(node)?;
        self.rule_draw::<K>(node)?;
        self.look_up::<K>(node)?;
        self.appraise(node);
        let mut tally = Tally::new();
        self.stand_pat(node, &mut tally)?;
        let mut picker = self.capture_picker(node);
        while let Some(pick) = picker.next(node.position, &node.context, &self.worker.histories) {
            if node.skips_in_quiescence(&mut tally, &pick) {
                continue;
            }
            self.fetch_ahead(node, &picker);
            let score = self.search_capture::<K>(node, &pick)?;
            if self.record::<K>(node, &mut tally, &pick, score).is_break() {
                break;
            }
        }
        Continue(self.conclude_quiescence(node, &tally))
    }
}
