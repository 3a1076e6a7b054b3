//! The reply of an engine to a search.

use std::time::Duration;

use koel_uci::{Bound, Go, Info, MoveText, Score};

/// Greatest number of `info` lines kept of one search.
const MAX_INFOS: usize = 2_000;

/// The reply to a search.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct SearchReply {
    /// The best move; `None` for `(none)`.
    pub best: Option<MoveText>,
    /// The reply that the engine expects.
    pub ponder: Option<MoveText>,
    /// The `info` lines with a score, in their order; the last ones if there are very many.
    pub infos: Vec<Info>,
    /// The time from before the command was written to the arrival of `bestmove`.
    pub elapsed: Duration,
    /// The number of lines that do not belong to the protocol.
    pub unknown_lines: u32,
}

impl SearchReply {
    /// Returns the last `info` of the best move for which this is true.
    pub fn last(&self, is_wanted: impl Fn(&Info) -> bool) -> Option<&Info> {
        let is_best = |info: &Info| info.multipv.is_none_or(|rank| rank == 1);
        self.infos.iter().rfind(|info| is_best(info) && is_wanted(info))
    }

    /// Returns the last score of the best move. A bound is no score.
    pub fn score(&self) -> Option<Score> {
        let exact = |info: &Info| info.score.filter(|report| report.bound == Bound::Exact);
        self.last(|info| exact(info).is_some()).and_then(exact).map(|report| report.score)
    }

    /// Keeps an `info` line if it has a score.
    pub(super) fn add(&mut self, info: Info) {
        if self.infos.len() == MAX_INFOS {
            self.infos.drain(..MAX_INFOS / 2);
        }
        self.infos.extend(info.score.is_some().then_some(info));
    }
}

/// An engine looks at its counter only now and then: this many nodes beyond twice the limit are no
/// fault.
const NODE_TOLERANCE: u64 = 1_000_000;

/// As [`NODE_TOLERANCE`], in plies.
const DEPTH_TOLERANCE: u32 = 8;

/// Returns the limit and what an `info` line shows of a search that is far beyond it.
pub(super) fn exceeded_limit(go: &Go, info: &Info) -> Option<String> {
    let nodes = go.nodes.zip(info.nodes);
    let depth = go.depth.zip(info.depth);
    let nodes = nodes.filter(|&(limit, seen)| seen / 2 > limit.saturating_add(NODE_TOLERANCE / 2));
    let depth = depth.filter(|&(limit, seen)| seen > limit.saturating_add(DEPTH_TOLERANCE));
    let nodes = nodes.map(|(limit, seen)| format!("{seen} nodes of {limit}"));
    nodes.or_else(|| depth.map(|(limit, seen)| format!("{seen} plies of {limit}")))
}

#[cfg(test)]
mod tests {
    use koel_uci::Reply;

    use super::*;

    fn info(line: &str) -> Info {
        let Ok(Reply::Info(info)) = line.parse() else { panic!("{line}") };
        *info
    }

    #[test]
    fn the_last_exact_score_of_the_best_move_counts() {
        let score = |lines: &[&str]| {
            let mut reply = SearchReply::default();
            lines.iter().for_each(|line| reply.add(info(line)));
            reply.score()
        };
        let [exact, later] = ["info depth 1 score cp 10 nodes 5", "info depth 3 score cp 20"];
        let [low, high] = ["info score cp 90 lowerbound", "info score cp -9 upperbound nodes 7"];
        let other = "info depth 3 multipv 2 score cp -50";
        assert_eq!(score(&[exact, later, other]), Some(Score::Centipawns(20)));
        assert_eq!(score(&[low, exact, low, high]), Some(Score::Centipawns(10)));
        assert_eq!(score(&[exact, low, later]), Some(Score::Centipawns(20)));
        assert_eq!(score(&[low]), None);
        assert_eq!(score(&[&[exact; MAX_INFOS][..], &[later]].concat()), score(&[later]));
    }

    #[test]
    fn a_search_far_beyond_its_limit_is_seen() {
        let nodes = Go::default().with_nodes(1000);
        let depth = Go::default().with_depth(3);
        let exceeded = |go: &Go, line: &str| exceeded_limit(go, &info(line));
        assert_eq!(exceeded(&nodes, "info depth 9 nodes 900000 score cp 1"), None);
        let seen = exceeded(&nodes, "info depth 9 nodes 9000000 score cp 1");
        assert_eq!(seen.as_deref(), Some("9000000 nodes of 1000"));
        assert_eq!(exceeded(&depth, "info depth 4 seldepth 30 nodes 9000000"), None);
        assert_eq!(exceeded(&depth, "info depth 30").as_deref(), Some("30 plies of 3"));
        assert_eq!(exceeded(&Go::default(), "info depth 300 nodes 9000000000"), None);
    }
}
