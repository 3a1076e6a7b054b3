//! A thread that does nothing but read, where a wait for a pipe knows no deadline.

use std::collections::VecDeque;
use std::io::BufReader;
use std::process::ChildStdout;
use std::thread;
use std::time::Instant;

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, bounded};

use super::{Line, Silence, next_line, next_wait};
use crate::call_off::CallOff;

/// So many batches wait to be read before the program has to.
const MOST_WAITING: usize = 64;
/// So many `info` lines are passed on at once at most.
const BATCH: usize = 64;

/// The output of a program.
pub(in crate::engine) struct Output {
    batches: Receiver<Vec<Line>>,
    /// What is left of the last batch.
    lines: VecDeque<Line>,
}

impl Output {
    pub(in crate::engine) fn new(pipe: ChildStdout) -> Output {
        let (sender, batches) = bounded(MOST_WAITING);
        thread::spawn(move || pass_on(pipe, &sender));
        Output { batches, lines: VecDeque::new() }
    }

    pub(in crate::engine) fn read(
        &mut self,
        deadline: Instant,
        call_off: CallOff<'_>,
    ) -> Result<Line, Silence> {
        loop {
            if let Some(line) = self.read_waiting() {
                return Ok(line);
            }
            match self.batches.recv_timeout(next_wait(deadline, call_off)?) {
                Ok(batch) => self.lines = batch.into(),
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Ended),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// A line that is there already.
    pub(in crate::engine) fn read_waiting(&mut self) -> Option<Line> {
        if self.lines.is_empty() {
            self.lines = self.batches.try_recv().ok()?.into();
        }
        self.lines.pop_front()
    }
}

/// Passes lines on as they come, except that `info` waits for what follows: nobody acts on it
/// before, and at a thousand nodes a move every waking of a thread counts.
fn pass_on(pipe: ChildStdout, batches: &Sender<Vec<Line>>) {
    let mut pipe = BufReader::new(pipe);
    let mut batch = Vec::new();
    loop {
        let line = next_line(&mut pipe).map(|text| Line { text, at: Instant::now() });
        let is_last = line.is_none();
        let may_wait = line.as_ref().is_some_and(|line| line.text.starts_with("info"));
        batch.extend(line);
        let is_due = !may_wait || batch.len() == BATCH;
        if is_due && batches.send(std::mem::take(&mut batch)).is_err() || is_last {
            return;
        }
    }
}
