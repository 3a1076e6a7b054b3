//! Reading commands from the input, on a thread of its own.

use std::io::BufRead;

use crossbeam::channel::Sender;
use koel_uci::Command;
use tracing::debug;

use crate::logging::DIALOGUE;
use crate::session::job::InputLine;

/// Sends each command to the session. The channel is closed after `quit`, at the end of the input
/// and when the input cannot be read: all three end the session. Lines need not be UTF-8; blank
/// lines are skipped.
pub(crate) fn read_commands(mut input: impl BufRead, session: &Sender<InputLine>) {
    let mut bytes = Vec::new();
    while let Ok(1..) = input.read_until(b'\n', &mut bytes) {
        let line = String::from_utf8_lossy(&bytes);
        debug!(target: DIALOGUE, ">> {}", line.trim_end());
        if let Some(command) = Command::parse(&line).transpose() {
            let is_quit = matches!(command, Ok(Command::Quit));
            // A session that has ended needs no more commands.
            if is_quit || session.send(command).is_err() {
                return;
            }
        }
        bytes.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use crossbeam::channel::unbounded;

    use super::*;

    fn read_all(input: impl BufRead) -> Vec<String> {
        let (sender, lines) = unbounded();
        read_commands(input, &sender);
        drop(sender);
        let text = |line: InputLine| match line {
            Ok(command) => command.to_string(),
            Err(error) => format!("error: {error}"),
        };
        lines.into_iter().map(text).collect()
    }

    #[test]
    fn any_bytes_are_read_and_blank_lines_are_skipped() {
        let commands = read_all(b"\tuci\r\n\r\n  \nd\xff\x00 x\nisready".as_slice());
        assert_eq!(commands, ["uci", "d\u{fffd}\0 x", "isready"]);
    }

    /// An input that must not be read after its end.
    struct EndingInput<'t>(&'t [u8], bool);

    impl Read for EndingInput<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.0.read(buffer)?;
            assert!(!self.1, "read after the end");
            self.1 = count == 0;
            Ok(count)
        }
    }

    #[test]
    fn nothing_is_read_after_quit_and_after_the_end() {
        let endless = b"isready\nquit\n".chain(io::repeat(b'x'));
        assert_eq!(read_all(io::BufReader::new(endless)), ["isready"]);
        assert_eq!(read_all(io::BufReader::new(EndingInput(b"d\nisready\n", false))).len(), 2);
    }
}
