//! Output read by a thread of its own, for systems where a wait for a pipe has no deadline.

use std::io::BufReader;
use std::process::ChildStdout;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Instant;

use super::{Line, next_wait, read_line};
use crate::cancel_token::CancelToken;
use crate::engine::fault::ReadError;

/// Number of unread lines at which the reader thread, and with it the program, has to wait.
const MAX_WAITING_LINES: usize = 4096;

/// The output of a program.
pub(in crate::engine) struct Output(Receiver<Line>);

impl Output {
    pub(in crate::engine) fn new(pipe: ChildStdout) -> Output {
        let (sender, lines) = sync_channel(MAX_WAITING_LINES);
        thread::spawn(move || {
            let mut pipe = BufReader::new(pipe);
            while let Some(text) = read_line(&mut pipe) {
                if sender.send(Line { text, at: Instant::now() }).is_err() {
                    return;
                }
            }
        });
        Output(lines)
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
            match self.0.recv_timeout(next_wait(deadline, cancel)?) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(ReadError::Ended),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Returns a line that has already arrived.
    pub(in crate::engine) fn read_available(&mut self) -> Option<Line> {
        self.0.try_recv().ok()
    }
}
