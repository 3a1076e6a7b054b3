//! Reading and writing of large files on a thread of its own, so that the session keeps answering.

use std::thread::Builder;
use std::time::Duration;

use koel_board::Move;
use koel_eval::Evaluation;
use koel_search::PathMark;
use koel_tt::TranspositionTable;
use koel_uci::Reply;

use crate::panic::AbortOnPanic;
use crate::search::syzygy::{Syzygy, SyzygyError};
use crate::session::Session;
use crate::session::command_error::CommandError;
use crate::session::event::Event;
use crate::session::job::Job;

/// The time for which the session waits for a file. Most are read in less, and `readyok` then says
/// that they are in use, as GUIs expect. During a longer transfer `isready` is answered at once.
const PATIENCE: Duration = Duration::from_millis(30);

/// The outcome of a file transfer, for the session to use. Messages are for the user.
pub(crate) enum TransferOutcome {
    Evaluation(Evaluation),
    /// The tablebases, and the errors of folders that could not be read.
    Tablebases(Syzygy, Vec<SyzygyError>),
    HashTable {
        table: TranspositionTable<Move, PathMark>,
        message: String,
    },
    Saved {
        message: String,
    },
}

impl Session<'_> {
    /// Runs a transfer on a thread of its own. All following commands wait for its end, except
    /// `isready` and, unless it `outlasts_quit`, `quit`.
    pub(crate) fn transfer_file(
        &mut self,
        outlasts_quit: bool,
        transfer: impl FnOnce() -> Result<TransferOutcome, CommandError> + Send + 'static,
    ) -> Result<(), CommandError> {
        let session = self.sender.clone();
        let run = move || {
            let _guard = AbortOnPanic;
            // The session may have ended.
            let _ = session.send(Event::Transferred(transfer()));
        };
        let builder = Builder::new().name("file transfer".to_owned());
        builder.spawn(run).map_err(CommandError::BackgroundJob)?;
        self.job = Some(Job::Transfer { outlasts_quit });
        // The engine was idle, so that no other event can come.
        match self.events.recv_timeout(PATIENCE) {
            Ok(Event::Transferred(outcome)) => self.finish_transfer(outcome),
            _ => Ok(()),
        }
    }

    /// Ends the transfer and uses its file.
    pub(crate) fn finish_transfer(
        &mut self,
        outcome: Result<TransferOutcome, CommandError>,
    ) -> Result<(), CommandError> {
        self.job = None;
        let message = match outcome? {
            TransferOutcome::Evaluation(evaluation) => {
                self.pool.set_evaluation(evaluation);
                return Ok(());
            }
            TransferOutcome::Tablebases(source, errors) => {
                for error in errors {
                    let text = format_args!("warning: option SyzygyPath: {error}");
                    self.send(&Reply::text(text))?;
                }
                let summary = source.summary();
                self.use_tablebases(Some(source))?;
                summary
            }
            TransferOutcome::HashTable { table, message } => {
                self.pool.set_hash_table(table);
                message
            }
            TransferOutcome::Saved { message } => message,
        };
        Ok(self.send(&Reply::text(message))?)
    }
}
