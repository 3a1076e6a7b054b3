//! Reading and writing of large files on a thread of its own, so that the session keeps answering.

use std::io::Write;
use std::sync::Arc;
use std::thread::Builder;
use std::time::Duration;

use crossbeam::channel::bounded;
use koel_uci::Reply;

use crate::command_error::CommandError;
use crate::event::Event;
use crate::panic::AbortOnPanic;
use crate::running_job::RunningJob;
use crate::session::Session;
use crate::transferred::Transferred;

/// The time for which the session waits for a file. Most are read in less, and `readyok` then says
/// that they are in use, as GUIs expect. During a longer transfer `isready` is answered at once.
const PATIENCE: Duration = Duration::from_millis(30);

impl<W: Write> Session<W> {
    /// Runs a transfer on a thread of its own. All following commands wait for its end, except
    /// `isready` and, unless it `outlasts_quit`, `quit`.
    pub(crate) fn transfer_file(
        &mut self,
        outlasts_quit: bool,
        transfer: impl FnOnce() -> Result<Transferred, CommandError> + Send + 'static,
    ) -> Result<(), CommandError> {
        let (sender, result) = bounded(1);
        let session = self.sender.clone();
        let run = move || {
            let _guard = AbortOnPanic;
            // The session may have ended.
            let _ = sender.send(transfer());
            let _ = session.send(Event::FileTransferred);
        };
        let builder = Builder::new().name("file transfer".to_owned());
        builder.spawn(run).map_err(CommandError::BackgroundJob)?;
        if let Ok(result) = result.recv_timeout(PATIENCE) {
            return self.use_file(result?);
        }
        let transfer = Some(result);
        let job = RunningJob { transfer, outlasts_quit, is_waited_for: true, ..Default::default() };
        self.job = Some(job);
        Ok(())
    }

    /// Ends the running transfer if it has a result. There is none if the event belongs to an earlier
    /// transfer, whose result came in time.
    pub(crate) fn finish_transfer(&mut self) -> Result<(), CommandError> {
        let transfer = self.job.as_ref().and_then(|job| job.transfer.as_ref());
        let Some(result) = transfer.and_then(|transfer| transfer.try_recv().ok()) else {
            return Ok(());
        };
        self.job = None;
        self.use_file(result?)
    }

    fn use_file(&mut self, file: Transferred) -> Result<(), CommandError> {
        let message = match file {
            Transferred::Evaluation(evaluation) => {
                self.pool.set_evaluation(evaluation);
                return Ok(());
            }
            Transferred::Tablebases(source) => {
                let summary = source.summary();
                self.change_tablebases(|tables| tables.source = Some(Arc::new(source)));
                summary
            }
            Transferred::HashTable { table, message } => {
                self.pool.set_hash_table(table);
                message
            }
            Transferred::Saved { message } => message,
        };
        Ok(self.send(&Reply::text(message))?)
    }
}
