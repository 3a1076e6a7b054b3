//! Reading commands from the input.

use std::io::BufRead;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crossbeam::channel::{Receiver, Sender};
use koel_uci::Command;
use tracing::debug;

use crate::event::{Event, InputLine};
use crate::logging::DIALOGUE;

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
pub(crate) fn lock_reader<R>(reader: &Mutex<CommandReader<R>>) -> MutexGuard<'_, CommandReader<R>> {
    reader.lock().unwrap_or_else(PoisonError::into_inner)
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
