//! What a session waits for.

use koel_uci::{Command, CommandError, Reply};

/// All that can happen to a session, in one queue, so that it needs to look in one place only.
#[derive(Debug)]
pub(crate) enum Event {
    /// A line of input that is not blank.
    Heard(Heard),
    /// Something to tell the user, from a thread at work.
    Say(Reply),
    /// The work is over, and this is the last that is said of it.
    Done(Reply),
}

/// A line of input, understood or not.
pub(crate) type Heard = Result<Command, CommandError>;
