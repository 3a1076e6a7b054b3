//! The job of a session: what it is busy with, on which thread that runs, and what comes of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::Builder;
use std::time::Duration;

use koel_engine::AbortOnPanic;
use koel_search::STACK_BYTES;
use koel_uci::{Command, Reply};

use crate::session::Session;
use crate::session::command_error::CommandError;

/// The time for which the session waits for a file. Most are read in less, and `readyok` then says
/// that they are in use, as GUIs expect. During a longer transfer `isready` is answered at once.
const MAX_TRANSFER_WAIT: Duration = Duration::from_millis(30);

/// Puts to use what was read from a file, and returns a message for the user.
pub(crate) type UseFile = Box<dyn FnOnce(&mut Session<'_>) -> Result<String, CommandError> + Send>;

/// An event of the session's job.
pub(crate) enum Event {
    /// Replies of a job that goes on.
    Output(Vec<Reply>),
    /// The end of a search or a background job.
    Finished {
        /// Replies that have not been sent yet, to be printed before the result.
        replies: Vec<Reply>,
        /// The last reply of the job, such as `bestmove`, or why it was not done.
        result: Result<Reply, CommandError>,
    },
    /// The end of a file transfer.
    FileDone(Result<UseFile, CommandError>),
}

pub(crate) type InputLine = Result<Command, koel_uci::ParseError>;

/// The job of a session, one at a time.
pub(crate) enum Job {
    /// A search of the engine.
    Search {
        /// True after `stop`.
        is_stopping: bool,
    },
    /// A perft or another command on a thread of its own, which ends early when the flag is set.
    Background { stop: Arc<AtomicBool> },
    /// Reading or writing a file. It cannot be stopped; `quit` waits for it if a file is written.
    File { outlasts_quit: bool },
}

impl Job {
    /// Returns true if a command has to wait for the end of the job; `waits_for_idle` if it
    /// requires an idle engine that comes by itself. While only the user can end a search such a
    /// command does not wait: it is refused.
    pub(crate) fn delays(&self, input: &InputLine, waits_for_idle: bool) -> bool {
        match (self, input) {
            (Job::Search { .. }, Ok(Command::Quit)) => false,
            (Job::Search { .. }, _) => waits_for_idle,
            (Job::Background { .. }, Ok(Command::Quit)) => true,
            (Job::Background { .. }, _) => waits_for_idle,
            (Job::File { outlasts_quit }, Ok(Command::Quit)) => *outlasts_quit,
            (Job::File { .. }, _) => !matches!(input, Ok(Command::Stop)),
        }
    }

    /// Returns true if the job has been told to stop, so that it ends at once.
    pub(crate) fn is_stopping(&self) -> bool {
        match self {
            Job::Search { is_stopping } => *is_stopping,
            Job::Background { stop } => stop.load(Relaxed),
            Job::File { .. } => false,
        }
    }
}

impl Session<'_> {
    /// Starts a background job: work other than a search. It sends replies through its first
    /// argument, checks the stop flag, and returns its last reply.
    pub(crate) fn run_in_background<W>(&mut self, work: W) -> Result<(), CommandError>
    where
        W: FnOnce(&dyn Fn(Reply), &AtomicBool) -> Result<Reply, CommandError> + Send + 'static,
    {
        let stop = Arc::new(AtomicBool::new(false));
        let (session, flag) = (self.sender.clone(), Arc::clone(&stop));
        self.start_thread("background job", move || {
            // The session may have ended.
            let send = |reply| drop(session.send(Event::Output(vec![reply])));
            Event::Finished { result: work(&send, &flag), replies: Vec::new() }
        })?;
        self.job = Some(Job::Background { stop });
        Ok(())
    }

    /// Runs work on a thread of its own, so that the session keeps answering, and sends its event.
    fn start_thread(
        &self,
        name: &str,
        work: impl FnOnce() -> Event + Send + 'static,
    ) -> Result<(), CommandError> {
        let session = self.sender.clone();
        let run = move || {
            let _guard = AbortOnPanic;
            // The session may have ended.
            let _ = session.send(work());
        };
        let builder = Builder::new().name(name.to_owned()).stack_size(STACK_BYTES);
        builder.spawn(run).map(drop).map_err(CommandError::BackgroundJob)
    }

    /// Runs a transfer on a thread of its own. All following commands wait for its end, except
    /// `isready` and, unless it `outlasts_quit`, `quit`.
    pub(crate) fn transfer_file(
        &mut self,
        outlasts_quit: bool,
        transfer: impl FnOnce() -> Result<UseFile, CommandError> + Send + 'static,
    ) -> Result<(), CommandError> {
        self.start_thread("file transfer", || Event::FileDone(transfer()))?;
        self.job = Some(Job::File { outlasts_quit });
        // The engine was idle, so that no other event can come.
        match self.events.recv_timeout(MAX_TRANSFER_WAIT) {
            Ok(Event::FileDone(outcome)) => self.finish_transfer(outcome),
            _ => Ok(()),
        }
    }

    /// Ends the transfer and uses its file.
    pub(crate) fn finish_transfer(
        &mut self,
        outcome: Result<UseFile, CommandError>,
    ) -> Result<(), CommandError> {
        self.job = None;
        let message = outcome?(self)?;
        Ok(self.send(&Reply::text(message))?)
    }
}
