//! Reading commands from the input.

use std::io::BufRead;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crossbeam::channel::{Receiver, Sender};
use koel_uci::Command;
use tracing::debug;

use crate::event::{Event, InputLine};
use crate::logging::DIALOGUE;

/// The largest number of commands that wait for the running job. Nothing more is read then, so that
/// an endless input does not fill the memory.
const MAX_QUEUE: usize = 10_000;

/// A reader of commands, shared by two threads of which one at a time reads: the session's own
/// thread while no job is running, which saves a thread switch per command, and the caller's thread
/// while one is.
pub(crate) struct CommandReader<R> {
    input: R,
    bytes: Vec<u8>,
}

impl<R: BufRead> CommandReader<R> {
    pub(crate) fn new(input: R) -> CommandReader<R> {
        CommandReader { input, bytes: Vec::new() }
    }

    /// Reads the next line that is not blank. The end of the input and a failure to read it count
    /// as `quit`. Lines need not be UTF-8.
    pub(crate) fn read_command(&mut self) -> InputLine {
        loop {
            self.bytes.clear();
            let Ok(1..) = self.input.read_until(b'\n', &mut self.bytes) else {
                return Ok(Command::Quit);
            };
            let line = String::from_utf8_lossy(&self.bytes);
            debug!(target: DIALOGUE, ">> {}", line.trim_end());
            if let Some(command) = Command::parse(&line).transpose() {
                return command;
            }
        }
    }
}

/// Reads one command per request and sends it to the session, until the session ends.
pub(crate) fn forward_commands(
    reader: &Mutex<CommandReader<impl BufRead>>,
    requests: &Receiver<()>,
    session: &Sender<Event>,
) {
    for () in requests {
        let input = lock_reader(reader).read_command();
        if session.send(Event::Input(input)).is_err() {
            return;
        }
    }
}

/// Waits until no other thread reads, and locks the reader.
fn lock_reader<R>(reader: &Mutex<CommandReader<R>>) -> MutexGuard<'_, CommandReader<R>> {
    reader.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The source of the session's input: the reader, or the caller's thread that reads on request.
pub(crate) struct InputSource<'r, R> {
    reader: &'r Mutex<CommandReader<R>>,
    requests: Sender<()>,
    /// True while a command requested from the other thread has not arrived.
    is_read_pending: bool,
    /// True after `quit` or the end of the input, beyond which nothing is read.
    has_ended: bool,
}

impl<'r, R: BufRead> InputSource<'r, R> {
    pub(crate) fn new(
        reader: &'r Mutex<CommandReader<R>>,
        requests: Sender<()>,
    ) -> InputSource<'r, R> {
        InputSource { reader, requests, is_read_pending: false, has_ended: false }
    }

    /// Waits for the next event. While no job is running, the next event can only be a command, and
    /// it is read on this thread; while one is, the other thread reads and this one waits for both.
    pub(crate) fn next(
        &mut self,
        events: &Receiver<Event>,
        has_job: bool,
        queued: usize,
    ) -> Option<Event> {
        if let Ok(event) = events.try_recv() {
            return Some(self.track(event));
        }
        let cannot_read = self.is_read_pending || self.has_ended || queued >= MAX_QUEUE;
        if !cannot_read && !has_job {
            let input = lock_reader(self.reader).read_command();
            return Some(self.track(Event::Input(input)));
        }
        if !cannot_read {
            self.is_read_pending = self.requests.send(()).is_ok();
        }
        events.recv().ok().map(|event| self.track(event))
    }

    /// Keeps track of pending reads and of the end of the input.
    fn track(&mut self, event: Event) -> Event {
        self.is_read_pending &= !matches!(event, Event::Input(_));
        self.has_ended |= matches!(event, Event::Input(Ok(Command::Quit)));
        event
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(input: &[u8]) -> Vec<String> {
        let mut reader = CommandReader::new(input);
        let mut texts = Vec::new();
        while texts.last().is_none_or(|text| text != "quit") {
            texts.push(match reader.read_command() {
                Ok(command) => command.to_string(),
                Err(error) => format!("error: {error}"),
            });
        }
        texts
    }

    #[test]
    fn any_bytes_are_read_and_blank_lines_are_skipped() {
        let commands = read_all(b"\tuci\r\n\r\n  \nd\xff\x00 x\nisready");
        assert_eq!(commands, ["uci", "d\u{fffd}\0 x", "isready", "quit"]);
    }
}
