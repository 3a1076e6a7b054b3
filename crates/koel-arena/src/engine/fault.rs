//! Failures of engines: at their start, and in a search.

use std::io;
use std::time::Duration;

/// The reason why an engine cannot be started; first its name in the match.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The program cannot be run; with its path.
    #[error("{0}: {1} cannot be started: {2}")]
    Spawn(String, String, io::Error),
    /// The program ended during the handshake; with the last lines of its standard error.
    #[error("{0} ended before it was ready; last lines of its standard error: {1}")]
    Ended(String, String),
    /// The engine did not answer in time.
    #[error("{name} did not answer `{expected}` within {seconds} s")]
    NoAnswer {
        /// The name of the engine in the match.
        name: String,
        /// The missing answer: `uciok` or `readyok`.
        expected: &'static str,
        /// The timeout in seconds.
        seconds: u64,
    },
    /// The engine does not have an option, or not with this value, or reports an error when it is
    /// set; with what is wrong.
    #[error("{0}: {1}")]
    Option(String, String),
    /// The match was cancelled.
    #[error("cancelled")]
    Cancelled,
}

/// The reason why a search brought no move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineFault {
    /// The program ended; with the last lines of its standard error.
    #[error("the engine ended: {0}")]
    Crash(String),
    /// The engine answered neither in time nor to `stop`, and has to be killed.
    #[error("the engine does not answer")]
    Stall,
    /// The engine answered too late, after this time.
    #[error("the engine answered after {seconds:.3} s", seconds = .0.as_secs_f64())]
    TimeLoss(Duration),
    /// The engine searches on beyond its limit of nodes or depth, or does not end; with the limit
    /// and what was seen.
    #[error("the engine ignores its limit: {0}")]
    IgnoredLimit(String),
    /// The `bestmove` line has no move.
    #[error("`{0}` has no move")]
    UnreadableMove(String),
    /// The match was cancelled.
    #[error("cancelled")]
    Cancelled,
}

/// The reason why no line of the engine could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadError {
    /// The program has closed its output: it has ended, or is about to.
    Ended,
    /// No line came before the deadline.
    TimedOut,
    /// The wait was cancelled.
    Cancelled,
}
