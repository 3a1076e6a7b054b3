//! The page: the search of a node, in the order in which it is refuted.

use std::ops::ControlFlow::{self, Continue};

use crate::node::Node;
use crate::score::Score;
use crate::search::{Kind, Search};
use crate::tally::Tally;

impl Search<'_> {
    /// Breaks with a score where a step ends the node, and when the search is stopped.
    pub(crate) fn visit<K: Kind>(&mut self, node: &mut Node<'_>) -> ControlFlow<Score, Score> {
        self.check_stop()?;
        if !K::ROOT && node.excluded.is_none() {
            self.upcoming_repetition(node)?;
            self.rule_draw::<K>(node)?;
            node.clip_to_mate_distance()?;
        }
        self.look_up::<K>(node)?;
        self.probe_tablebases::<K>(node)?;
        self.mate_in_one::<K>(node)?;
        self.appraise(node);
        self.adjust_in_hindsight::<K>(node);
        if !K::PV && node.may_be_cut() {
            node.reverse_futility()?;
            self.null_move::<K>(node)?;
            self.probcut::<K>(node)?;
        }
        node.reduce_without_table_move::<K>();
        let _breadcrumb = self.leave_breadcrumb::<K>(node);
        let mut picker = self.picker::<K>(node);
        let mut tally = Tally::new();
        while let Some(pick) = self.next_move::<K>(node, &mut picker, &mut tally) {
            if self.skips::<K>(node, &mut tally, &mut picker, &pick)
                || self.defers::<K>(node, &mut tally, &pick)
            {
                continue;
            }
            self.look_again::<K>(node, &mut tally, &pick)?;
            self.fetch_ahead(node, &picker);
            let extension = self.extend::<K>(node, &pick)?;
            let score = self.search_move::<K>(node, &tally, &pick, extension)?;
            if self.record::<K>(node, &mut tally, &pick, score).is_break() {
                break;
            }
        }
        Continue(self.conclude::<K>(node, &tally))
    }
}
