//! Failures of engines: at their start, and in a search.

use std::time::Duration;

/// The reason why an engine cannot be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The program cannot be run, has ended or does not answer, or it does not take an option.
    #[error("{name}: {problem}")]
    Failed {
        /// The name of the engine in the match.
        name: String,
        /// The program, the missing answer or the option, and the error.
        problem: String,
    },
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
