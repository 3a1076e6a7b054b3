//! The events that a session waits for.

use koel_uci::{Command, Reply};

use crate::session::command_error::CommandError;
use crate::session::file_transfer::TransferOutcome;

/// An event of the session's job.
pub(crate) enum Event {
    /// Replies of a job that goes on.
    Output(Vec<Reply>),
    /// The end of a search or a background job.
    Finished {
        /// Replies that have not been sent yet, to be printed before the result.
        replies: Vec<Reply>,
        /// The last reply of the job, such as `bestmove`.
        result: Reply,
    },
    /// The end of a file transfer.
    Transferred(Result<TransferOutcome, CommandError>),
}

/// A parsed line of input.
pub(crate) type InputLine = Result<Command, koel_uci::CommandError>;
