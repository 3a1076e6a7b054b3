//! The events that a session waits for.

use koel_uci::{Command, Reply};

/// An event for the session. All events arrive in one queue, so that the session waits in one
/// place.
#[derive(Debug)]
pub(crate) enum Event {
    /// A line of input that is not blank.
    Input(InputLine),
    /// Replies of a running job.
    Output(Vec<Reply>),
    /// The end of a file transfer, whose result is in its own channel.
    FileTransferred,
    /// The end of the running job.
    Finished {
        /// Replies that have not been sent yet, to be printed before the result.
        replies: Vec<Reply>,
        /// The last reply of the job, such as `bestmove`.
        result: Reply,
    },
}

/// A parsed line of input.
pub(crate) type InputLine = Result<Command, koel_uci::CommandError>;
