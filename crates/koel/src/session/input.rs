//! Reading commands from the input, on a thread of its own.

use std::io::{self, BufRead, ErrorKind};
use std::thread;
use std::time::Duration;

use crossbeam::channel::Sender;
use koel_uci::Command;

use crate::session::job::InputLine;

/// The time between two attempts to read an input that does not wait (`O_NONBLOCK`), as the end of
/// a pipe or a terminal is when another program that shares it has made it so.
const PAUSE: Duration = Duration::from_millis(1);

/// An item of the input of a session.
#[derive(Debug)]
pub(crate) enum Input {
    /// A line that is not blank, as it was written, and the command that it is read as.
    Line(String, InputLine),
    /// The input cannot be read any further.
    Failed(io::Error),
}

/// Sends each line to the session. The channel is closed after `quit`, at the end of the input and
/// when the input cannot be read: all three end the session. Lines need not be UTF-8; blank lines
/// are skipped.
pub(crate) fn read_commands(mut input: impl BufRead, session: &Sender<Input>) {
    let mut bytes = Vec::new();
    loop {
        match input.read_until(b'\n', &mut bytes) {
            // What was read before stays in the buffer.
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                thread::sleep(PAUSE);
                continue;
            }
            Err(error) => {
                // A session that has ended needs to know nothing.
                let _ = session.send(Input::Failed(error));
                return;
            }
            Ok(0) if bytes.is_empty() => return,
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&bytes);
        if let Some(command) = Command::parse(&line).transpose() {
            let is_quit = matches!(command, Ok(Command::Quit));
            let line = line.trim_end().to_owned();
            // A session that has ended needs no more commands.
            if session.send(Input::Line(line, command)).is_err() || is_quit {
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
        let text = |input: Input| match input {
            Input::Line(_, Ok(command)) => command.to_string(),
            Input::Line(_, Err(error)) => format!("error: {error}"),
            Input::Failed(error) => format!("failed: {error}"),
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
        assert_eq!(read_all(io::BufReader::new(endless)), ["isready", "quit"]);
        assert_eq!(read_all(io::BufReader::new(EndingInput(b"d\nisready\n", false))).len(), 2);
    }

    /// An input that has a few bytes each second time, and says in between that it has none now.
    struct FitfulInput<'t>(&'t [u8], bool, ErrorKind);

    impl Read for FitfulInput<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            let end = buffer.len().min(3);
            if self.1 { Err(self.2.into()) } else { self.0.read(&mut buffer[..end]) }
        }
    }

    #[test]
    fn an_input_that_does_not_wait_is_read_to_its_end() {
        let text = b"isready\nposition startpos\nd";
        let fitful = |kind| io::BufReader::new(FitfulInput(text, false, kind));
        let read = read_all(fitful(ErrorKind::WouldBlock));
        assert_eq!(read, ["isready", "position startpos", "d"]);
        assert_eq!(read_all(fitful(ErrorKind::Interrupted)), read);
        let broken = read_all(fitful(ErrorKind::TimedOut));
        assert!(matches!(&broken[..], [only] if only.starts_with("failed: ")), "{broken:?}");
    }
}
