//! What a session waits for.

use koel_uci::{Command, CommandError, Reply};

/// All that can happen to a session, in one queue, so that it needs to look in one place only.
#[derive(Debug)]
pub(crate) enum Event {
    /// A line of input that is not blank.
    Heard(Heard),
    /// Something to tell the user, from a thread at work.
    Say(Vec<Reply>),
    /// The work is over.
    Done {
        /// What was found on the way and has not been told.
        untold: Vec<Reply>,
        /// The last that is said of it.
        last: Reply,
    },
}

/// A line of input, understood or not.
pub(crate) type Heard = Result<Command, CommandError>;
