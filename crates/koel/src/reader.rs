//! From bytes to commands.

use std::io::BufRead;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crossbeam::channel::{Receiver, Sender};
use koel_uci::Command;
use tracing::debug;

use crate::event::{Event, Heard};
use crate::logging::DIALOGUE;

/// Where commands come from. One thread at a time listens: the session itself while it has nothing
/// to do, so that no other has to wake it, and the listener while it has.
pub(crate) struct Reader<R> {
    input: R,
    bytes: Vec<u8>,
}

impl<R: BufRead> Reader<R> {
    pub(crate) fn new(input: R) -> Reader<R> {
        Reader { input, bytes: Vec::new() }
    }

    /// The next line that is not blank. The end of the input, or a failure to read it, is a `quit`.
    /// Lines need not be UTF-8.
    pub(crate) fn hear(&mut self) -> Heard {
        loop {
            self.bytes.clear();
            let Ok(1..) = self.input.read_until(b'\n', &mut self.bytes) else {
                return Ok(Command::Quit);
            };
            let line = String::from_utf8_lossy(&self.bytes);
            debug!(target: DIALOGUE, ">> {}", line.trim_end());
            if let Some(heard) = Command::parse(&line).transpose() {
                return heard;
            }
        }
    }
}

/// Hears one command for the session whenever it asks for one, until it ends.
pub(crate) fn listen(
    reader: &Mutex<Reader<impl BufRead>>,
    requests: &Receiver<()>,
    session: &Sender<Event>,
) {
    for () in requests {
        let heard = lock(reader).hear();
        if session.send(Event::Heard(heard)).is_err() {
            return;
        }
    }
}

/// The reader, once nobody else listens.
pub(crate) fn lock<R>(reader: &Mutex<Reader<R>>) -> MutexGuard<'_, Reader<R>> {
    reader.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hear(input: &[u8]) -> Vec<String> {
        let mut reader = Reader::new(input);
        let mut texts = Vec::new();
        while texts.last().is_none_or(|text| text != "quit") {
            texts.push(match reader.hear() {
                Ok(command) => command.to_string(),
                Err(error) => format!("error: {error}"),
            });
        }
        texts
    }

    #[test]
    fn any_bytes_are_read_and_blank_lines_are_not_heard() {
        let heard = hear(b"\tuci\r\n\r\n  \nd\xff\x00 x\nisready");
        assert_eq!(heard, ["uci", "d\u{fffd}\0 x", "isready", "quit"]);
    }
}
