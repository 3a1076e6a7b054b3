//! Lines of output, and the rules for waiting for them.

use std::io::{BufRead, Read};
use std::time::{Duration, Instant};

use crate::cancel_token::CancelToken;
use crate::engine::fault::ReadError;

/// Longer lines are split into pieces of this many bytes, which limits the memory used.
pub(super) const MAX_LINE_LENGTH: usize = 1 << 16;
/// Interval at which a wait checks its cancel token.
const CANCEL_CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// A line and the time of its arrival.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Line {
    pub(in crate::engine) text: String,
    pub(in crate::engine) at: Instant,
}

/// Returns the time to wait before the next check; an error if the wait is over.
pub(super) fn next_wait(deadline: Instant, cancel: CancelToken<'_>) -> Result<Duration, ReadError> {
    let left = deadline.saturating_duration_since(Instant::now());
    match () {
        () if left.is_zero() => Err(ReadError::TimedOut),
        () if cancel.is_cancelled() => Err(ReadError::Cancelled),
        () => Ok(left.min(CANCEL_CHECK_INTERVAL)),
    }
}

/// Reads the next line of a stream, or a piece of a long one; `None` at the end.
pub(in crate::engine) fn read_line(from: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    let mut piece = from.take(MAX_LINE_LENGTH as u64);
    piece.read_until(b'\n', &mut bytes).ok().filter(|&read| read > 0)?;
    Some(decode(&bytes))
}

/// Removes the line end, and replaces bytes that are not UTF-8.
pub(super) fn decode(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    text.trim_end_matches(['\r', '\n']).to_owned()
}
