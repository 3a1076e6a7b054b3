//! Output read by waiting for the pipe itself, with a deadline (`poll`).

use std::io::{BufRead, BufReader, Read};
use std::process::ChildStdout;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::{Line, MAX_LINE_LENGTH, decode, next_wait};
use crate::cancel_token::CancelToken;
use crate::engine::fault::ReadError;

/// The output of a program.
pub(in crate::engine) struct Output {
    /// Read only when something is there.
    pipe: BufReader<ChildStdout>,
    /// The beginning of the next line.
    line: Vec<u8>,
    /// Time of the last read.
    at: Instant,
    has_ended: bool,
}

/// Greatest number of bytes of one read.
const CHUNK: usize = 1 << 14;

impl Output {
    pub(in crate::engine) fn new(pipe: ChildStdout) -> Output {
        let pipe = BufReader::with_capacity(CHUNK, pipe);
        Output { pipe, line: Vec::new(), at: Instant::now(), has_ended: false }
    }

    pub(in crate::engine) fn read(
        &mut self,
        deadline: Instant,
        cancel: CancelToken<'_>,
    ) -> Result<Line, ReadError> {
        loop {
            if let Some(line) = self.next() {
                return Ok(line);
            }
            if self.has_ended {
                return Err(ReadError::Ended);
            }
            match next_wait(deadline, cancel) {
                Ok(wait) => {
                    self.read_chunk(wait);
                }
                // Output that arrived in time counts, even if this thread woke too late.
                Err(ReadError::TimedOut) if self.read_chunk(Duration::ZERO) => {}
                Err(silence) => return Err(silence),
            }
        }
    }

    /// Returns a line that has already arrived.
    pub(in crate::engine) fn read_available(&mut self) -> Option<Line> {
        loop {
            if let Some(line) = self.next() {
                return Some(line);
            }
            if !self.read_chunk(Duration::ZERO) {
                return None;
            }
        }
    }

    /// Takes the next line out of the bytes read, or a piece of a long one.
    fn next(&mut self) -> Option<Line> {
        let usable = self.pipe.buffer().len().min(MAX_LINE_LENGTH - self.line.len());
        (&mut self.pipe).take(usable as u64).read_until(b'\n', &mut self.line).ok()?;
        let is_whole = self.line.ends_with(b"\n") || self.line.len() == MAX_LINE_LENGTH;
        let is_rest = self.has_ended && !self.line.is_empty();
        (is_whole || is_rest).then(|| {
            let text = decode(&self.line);
            self.line.clear();
            Line { text, at: self.at }
        })
    }

    /// Reads once within this time. Returns true if anything came, including the end.
    fn read_chunk(&mut self, wait: Duration) -> bool {
        if self.has_ended {
            return false;
        }
        let mut watched = [PollFd::new(self.pipe.get_ref(), PollFlags::IN)];
        let timeout = Timespec {
            tv_sec: i64::try_from(wait.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: wait.subsec_nanos().into(),
        };
        match poll(&mut watched, Some(&timeout)) {
            Ok(0) | Err(Errno::INTR) => return false,
            // An error of the pipe shows in the read.
            Ok(_) | Err(_) => {}
        }
        self.has_ended = self.pipe.fill_buf().map_or(true, <[u8]>::is_empty);
        self.at = Instant::now();
        true
    }
}
