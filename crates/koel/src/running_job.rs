//! The state of a running search or background job.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crossbeam::channel::Receiver;
use koel_uci::{Command, Reply};

use crate::command_error::CommandError;
use crate::event::InputLine;
use crate::transferred::Transferred;

/// The state of a running search or background job.
#[derive(Default)]
pub(crate) struct RunningJob {
    /// True if no best move may be printed before `stop`, as in `go infinite`.
    pub(crate) is_infinite: bool,
    /// True if no best move may be printed before `stop` or `ponderhit`.
    pub(crate) is_pondering: Arc<AtomicBool>,
    /// The stop flag of a perft or another background job.
    pub(crate) stop: Arc<AtomicBool>,
    /// True after `stop`.
    pub(crate) is_stopping: bool,
    /// True after `wait`: all following commands wait.
    pub(crate) is_waited_for: bool,
    /// True if `quit` waits for the end of the job, as it does for a perft.
    pub(crate) outlasts_quit: bool,
    /// The result to come, if the job is a file transfer.
    pub(crate) transfer: Option<Receiver<Result<Transferred, CommandError>>>,
    /// The result, while it may not be printed yet.
    pub(crate) held_result: Option<Reply>,
}

impl RunningJob {
    /// Returns true if a command has to wait for the end of the job. While only the user can end it,
    /// a command that requires an idle engine does not wait: it is refused.
    pub(crate) fn delays(&self, input: &InputLine, requires_idle: bool) -> bool {
        match input {
            Ok(Command::Stop) if self.transfer.is_some() => false,
            Ok(Command::Quit) if self.transfer.is_some() => self.outlasts_quit,
            Ok(Command::Quit) => self.is_waited_for || self.outlasts_quit,
            _ => self.is_waited_for || (requires_idle && !self.needs_stop()),
        }
    }

    /// Returns true if only the user can end the job and has not done so.
    pub(crate) fn needs_stop(&self) -> bool {
        !self.is_stopping && (self.is_infinite || self.is_pondering.load(Relaxed))
    }
}
