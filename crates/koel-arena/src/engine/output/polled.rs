//! Waiting for a pipe itself, with a deadline.

use std::io::Read;
use std::process::ChildStdout;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::{LONGEST_LINE, Line, Silence, next_wait, text_of};
use crate::call_off::CallOff;

/// The output of a program.
pub(in crate::engine) struct Output {
    pipe: ChildStdout,
    /// What the last reading brought.
    chunk: Box<[u8]>,
    /// What has been read; lines up to `start` have been handed out, and up to `searched` there is
    /// no further line end.
    bytes: Vec<u8>,
    start: usize,
    searched: usize,
    /// When the last bytes came.
    at: Instant,
    has_ended: bool,
}

/// So many bytes are read at once at most.
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
        call_off: CallOff<'_>,
    ) -> Result<Line, Silence> {
        loop {
            if let Some(line) = self.next() {
                return Ok(line);
            }
            if self.has_ended {
                return Err(Silence::Ended);
            }
            match next_wait(deadline, call_off) {
                Ok(wait) => {
                    self.take_in(wait);
                }
                // What has come in time is taken, however late that is noticed.
                Err(Silence::Late) if self.take_in(Duration::ZERO) => {}
                Err(silence) => return Err(silence),
            }
        }
    }

    /// A line that is there already.
    pub(in crate::engine) fn read_waiting(&mut self) -> Option<Line> {
        loop {
            if let Some(line) = self.next() {
                return Some(line);
            }
            if !self.take_in(Duration::ZERO) {
                return None;
            }
        }
    }

    /// The next line of what has been read, or a piece of it.
    fn next(&mut self) -> Option<Line> {
        let rest = &self.bytes[self.searched..];
        let end = match rest.iter().position(|&byte| byte == b'\n') {
            Some(index) => self.searched + index + 1,
            None => self.bytes.len(),
        };
        self.searched = end;
        let is_whole = end > self.start && self.bytes[end - 1] == b'\n';
        let is_long = end - self.start >= LONGEST_LINE;
        let is_rest = self.has_ended && end > self.start;
        if !(is_whole || is_long || is_rest) {
            return None;
        }
        let end = end.min(self.start + LONGEST_LINE);
        let line = Line { text: text_of(&self.bytes[self.start..end]), at: self.at };
        (self.start, self.searched) = (end, end);
        Some(line)
    }

    /// Reads what comes within this time; whether anything came, be it the end.
    fn take_in(&mut self, wait: Duration) -> bool {
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
            // What is wrong with the pipe, reading tells.
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
