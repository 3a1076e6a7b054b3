//! The job of a session: what it is busy with.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use koel_uci::{Command, Reply};

use crate::session::event::InputLine;

/// The job of a session, one at a time.
pub(crate) enum Job {
    Search(SearchJob),
    /// A perft or another command on a thread of its own, which ends early when the flag is set.
    Background {
        stop: Arc<AtomicBool>,
    },
    /// Reading or writing a file. It cannot be stopped; `quit` waits for it if a file is written.
    Transfer {
        outlasts_quit: bool,
    },
}

/// A running search, or one that has ended and whose result may not be printed yet.
#[derive(Default)]
pub(crate) struct SearchJob {
    /// True if no best move may be printed before `stop`, as in `go infinite`.
    pub(crate) is_infinite: bool,
    /// True if no best move may be printed before `stop` or `ponderhit`.
    pub(crate) is_pondering: Arc<AtomicBool>,
    /// True after `stop`.
    pub(crate) is_stopping: bool,
    /// The result, while it may not be printed yet.
    pub(crate) held_result: Option<Reply>,
}

impl Job {
    /// Returns true if a command has to wait for the end of the job. While only the user can end
    /// it, a command that requires an idle engine does not wait: it is refused.
    pub(crate) fn delays(&self, input: &InputLine, requires_idle: bool) -> bool {
        match (self, input) {
            (Job::Search(_), Ok(Command::Quit)) => false,
            (Job::Search(search), _) => requires_idle && !search.needs_stop(),
            (Job::Background { .. }, Ok(Command::Quit)) => true,
            (Job::Background { .. }, _) => requires_idle,
            (Job::Transfer { outlasts_quit }, Ok(Command::Quit)) => *outlasts_quit,
            (Job::Transfer { .. }, _) => !matches!(input, Ok(Command::Stop)),
        }
    }

    /// Returns true if the job has been told to stop, so that it ends at once.
    pub(crate) fn is_stopping(&self) -> bool {
        match self {
            Job::Search(search) => search.is_stopping,
            Job::Background { stop } => stop.load(Relaxed),
            Job::Transfer { .. } => false,
        }
    }
}

impl SearchJob {
    /// Returns true if only the user can end the search and has not done so.
    fn needs_stop(&self) -> bool {
        !self.is_stopping && (self.is_infinite || self.is_pondering.load(Relaxed))
    }

    /// Takes the result, if there is one that may be printed.
    pub(crate) fn take_result(&mut self) -> Option<Reply> {
        if self.needs_stop() { None } else { self.held_result.take() }
    }
}
