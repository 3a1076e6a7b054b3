//! One search of an engine: its request and its reply.

use std::time::Duration;

use koel_uci::{Info, MoveText, Reply};

/// The time limit of a search, and which of its `info` lines are kept.
#[derive(Clone, Copy, Debug)]
pub struct SearchRequest {
    /// An answer after this time loses on time.
    pub time: Duration,
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
    /// The `info` lines with a score in their order; only the last one unless all were requested.
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
            if trimmed.contains(" score ") {
                if !keeps_all_lines || self.lines.len() == MAX_LINES {
                    self.lines.pop();
                }
                self.lines.push(text);
            }
        } else if !trimmed.is_empty() && !trimmed.starts_with("readyok") {
            self.unknown_lines += 1;
        }
    }
}
