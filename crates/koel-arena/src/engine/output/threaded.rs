//! Output read by a thread of its own, for systems where a wait for a pipe has no deadline.

use std::collections::VecDeque;
use std::io::BufReader;
use std::process::ChildStdout;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Instant;

use super::line::{Line, next_wait, read_line};
use crate::cancel_token::CancelToken;
use crate::engine::fault::ReadError;

/// Number of unread batches at which the reader thread, and with it the program, has to wait.
const MAX_WAITING_BATCHES: usize = 64;
/// Greatest number of lines of a batch.
const BATCH: usize = 64;

/// The output of a program.
pub(in crate::engine) struct Output {
    batches: Receiver<Vec<Line>>,
    /// The unread lines of the last batch.
    lines: VecDeque<Line>,
}

impl Output {
    pub(in crate::engine) fn new(pipe: ChildStdout) -> Output {
        let (sender, batches) = sync_channel(MAX_WAITING_BATCHES);
        thread::spawn(move || forward_lines(pipe, &sender));
        Output { batches, lines: VecDeque::new() }
    }

    pub(in crate::engine) fn read(
        &mut self,
        deadline: Instant,
        cancel: CancelToken<'_>,
    ) -> Result<Line, ReadError> {
        loop {
            if let Some(line) = self.read_available() {
                return Ok(line);
            }
            match self.batches.recv_timeout(next_wait(deadline, cancel)?) {
                Ok(batch) => self.lines = batch.into(),
                Err(RecvTimeoutError::Disconnected) => return Err(ReadError::Ended),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Returns a line that has already arrived.
    pub(in crate::engine) fn read_available(&mut self) -> Option<Line> {
        if self.lines.is_empty() {
            self.lines = self.batches.try_recv().ok()?.into();
        }
        self.lines.pop_front()
    }
}

/// Sends lines as they come, except that `info` lines wait for the next other line: nobody acts on
/// them before, and at a thousand nodes a move every wake of a thread counts.
fn forward_lines(pipe: ChildStdout, batches: &SyncSender<Vec<Line>>) {
    let mut pipe = BufReader::new(pipe);
    let mut batch = Vec::new();
    loop {
        let line = read_line(&mut pipe).map(|text| Line { text, at: Instant::now() });
        let is_last = line.is_none();
        let may_wait = line.as_ref().is_some_and(|line| line.text.starts_with("info"));
        batch.extend(line);
        let is_due = !may_wait || batch.len() == BATCH;
        if is_due && batches.send(std::mem::take(&mut batch)).is_err() || is_last {
            return;
        }
    }
}
