//! A search of an engine: its request and its reply.

use std::time::Duration;

use koel_uci::{Go, Info, MoveText, Reply};

/// The time limit of a search, and which of its `info` lines are kept.
#[derive(Clone, Copy, Debug)]
pub struct SearchRequest {
    /// An answer after this time is too late.
    pub time: Duration,
    /// True if that is a loss on time; otherwise the engine has ignored its limit.
    pub is_timed: bool,
    /// True if every `info` line with a score is kept, not only the last one.
    pub keeps_all_lines: bool,
}

/// Greatest number of lines kept of one search.
const MAX_LINES: usize = 2_000;

/// The reply to a search.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct SearchReply {
    /// The best move; `None` for `(none)`.
    pub best: Option<MoveText>,
    /// The reply that the engine expects.
    pub ponder: Option<MoveText>,
    /// The `info` lines with a score of the best move, in their order. Unless all were requested
    /// only the last one with an exact score, and the last one with a bound if that came later.
    pub lines: Vec<String>,
    /// The time from before the command was written to the arrival of `bestmove`.
    pub elapsed: Duration,
    /// The number of lines that do not belong to the protocol.
    pub unknown_lines: u32,
}

impl SearchReply {
    /// Parses the `info` lines.
    pub fn infos(&self) -> Vec<Info> {
        let parse = |line: &String| match line.parse() {
            Ok(Reply::Info(info)) => Some(*info),
            _ => None,
        };
        self.lines.iter().filter_map(parse).collect()
    }

    /// Keeps an `info` line with a score; counts a line that does not belong to the protocol.
    pub(super) fn add_line(&mut self, text: String, keeps_all_lines: bool) {
        let trimmed = text.trim_start();
        if trimmed.starts_with("info") {
            let is_other_move = number_after(trimmed, " multipv ").is_some_and(|rank| rank > 1);
            if trimmed.contains(" score ") && (keeps_all_lines || !is_other_move) {
                let replaces = |last: &String| is_bound(last) || !is_bound(trimmed);
                if keeps_all_lines && self.lines.len() < MAX_LINES {
                    self.lines.push(text);
                    return;
                }
                while self.lines.pop_if(|last| replaces(last)).is_some() {}
                self.lines.push(text);
            }
        } else if !trimmed.is_empty() && !trimmed.starts_with("readyok") {
            self.unknown_lines += 1;
        }
    }
}

/// An engine looks at its counter only now and then: this many nodes beyond twice the limit are no
/// fault.
const NODE_TOLERANCE: u64 = 1_000_000;

/// As [`NODE_TOLERANCE`], in plies.
const DEPTH_TOLERANCE: u64 = 8;

/// Returns the limit and what an `info` line shows of a search that is far beyond it.
pub(super) fn exceeded_limit(go: &Go, line: &str) -> Option<String> {
    let nodes = go.nodes.zip(number_after(line, " nodes "));
    let depth = go.depth.map(u64::from).zip(number_after(line, " depth "));
    let nodes = nodes.filter(|&(limit, seen)| seen / 2 > limit.saturating_add(NODE_TOLERANCE / 2));
    let depth = depth.filter(|&(limit, seen)| seen > limit.saturating_add(DEPTH_TOLERANCE));
    let describe = |(limit, seen), unit| format!("{seen} {unit} of {limit}");
    nodes.map(|pair| describe(pair, "nodes")).or(depth.map(|pair| describe(pair, "plies")))
}

/// Returns the number that follows a word in an `info` line.
fn number_after(line: &str, word: &str) -> Option<u64> {
    let (_, rest) = line.split_once(word)?;
    rest.split_ascii_whitespace().next()?.parse().ok()
}

/// Returns true if the score of an `info` line is a bound.
fn is_bound(line: &str) -> bool {
    line.contains(" lowerbound") || line.contains(" upperbound")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(lines: &[&str]) -> Vec<String> {
        let mut reply = SearchReply::default();
        for line in lines {
            reply.add_line((*line).to_owned(), false);
        }
        reply.lines
    }

    #[test]
    fn the_last_exact_score_of_the_best_move_is_kept() {
        let [exact, later] = ["info depth 1 score cp 10 nodes 5", "info depth 3 score cp 20"];
        let [low, high] = ["info score cp 90 lowerbound", "info score cp -9 upperbound nodes 7"];
        let other = "info depth 3 multipv 2 score cp -50";
        assert_eq!(kept(&[exact, later, other]), [later]);
        assert_eq!(kept(&[low, exact, low, high]), [exact, high]);
        assert_eq!(kept(&[exact, low, later]), [later]);
        assert_eq!(kept(&[low]), [low]);
    }

    #[test]
    fn a_search_far_beyond_its_limit_is_seen() {
        let nodes = Go { nodes: Some(1000), ..Go::default() };
        let depth = Go { depth: Some(3), ..Go::default() };
        assert_eq!(exceeded_limit(&nodes, "info depth 9 nodes 900000 score cp 1"), None);
        let seen = exceeded_limit(&nodes, "info depth 9 nodes 9000000 score cp 1");
        assert_eq!(seen.as_deref(), Some("9000000 nodes of 1000"));
        assert_eq!(exceeded_limit(&depth, "info depth 4 seldepth 30 nodes 9000000"), None);
        assert_eq!(exceeded_limit(&depth, "info depth 30").as_deref(), Some("30 plies of 3"));
        assert_eq!(exceeded_limit(&Go::default(), "info depth 300 nodes 9000000000"), None);
    }
}
