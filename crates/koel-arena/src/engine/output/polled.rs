//! Output read by waiting for the pipe itself, with a deadline (`poll`).

use std::io::Read;
use std::process::ChildStdout;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::line::{Line, MAX_LINE_LENGTH, decode, next_wait};
use crate::cancel_token::CancelToken;
use crate::engine::fault::ReadError;

/// The output of a program.
pub(in crate::engine) struct Output {
    pipe: ChildStdout,
    /// Buffer of one read.
    chunk: Box<[u8]>,
    /// Bytes read so far: lines before `start` have been returned, and there is no further line end
    /// before `searched`.
    bytes: Vec<u8>,
    start: usize,
    searched: usize,
    /// Time of the last read.
    at: Instant,
    has_ended: bool,
}

/// Greatest number of bytes of one read.
const CHUNK: usize = 1 << 14;

impl Output {
    pub(in crate::engine) fn new(pipe: ChildStdout) -> Output {
        let at = Instant::now();
        let chunk = vec![0; CHUNK].into();
        Output { pipe, chunk, bytes: Vec::new(), start: 0, searched: 0, at, has_ended: false }
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
        let rest = &self.bytes[self.searched..];
        let end = match rest.iter().position(|&byte| byte == b'\n') {
            Some(index) => self.searched + index + 1,
            None => self.bytes.len(),
        };
        self.searched = end;
        let is_whole = end > self.start && self.bytes[end - 1] == b'\n';
        let is_long = end - self.start >= MAX_LINE_LENGTH;
        let is_rest = self.has_ended && end > self.start;
        if !(is_whole || is_long || is_rest) {
            return None;
        }
        let end = end.min(self.start + MAX_LINE_LENGTH);
        let line = Line { text: decode(&self.bytes[self.start..end]), at: self.at };
        (self.start, self.searched) = (end, end);
        Some(line)
    }

    /// Reads once within this time. Returns true if anything came, including the end.
    fn read_chunk(&mut self, wait: Duration) -> bool {
        if self.has_ended {
            return false;
        }
        let mut watched = [PollFd::new(&self.pipe, PollFlags::IN)];
        let timeout = Timespec {
            tv_sec: i64::try_from(wait.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: wait.subsec_nanos().into(),
        };
        match poll(&mut watched, Some(&timeout)) {
            Ok(0) | Err(Errno::INTR) => return false,
            // An error of the pipe shows in the read.
            Ok(_) | Err(_) => {}
        }
        self.bytes.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
        let read = self.pipe.read(&mut self.chunk).unwrap_or(0);
        self.at = Instant::now();
        self.bytes.extend_from_slice(&self.chunk[..read]);
        self.has_ended = read == 0;
        true
    }
}
