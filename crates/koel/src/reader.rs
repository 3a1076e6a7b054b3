//! From bytes to commands.

use std::io::BufRead;

use crossbeam::channel::Sender;
use koel_uci::Command;
use tracing::debug;

use crate::event::Event;
use crate::logging::DIALOGUE;

/// Sends all commands of the input to the session, up to and including `quit`; the end of the
/// input, or a failure to read it, is one. Lines need not be UTF-8.
pub(crate) fn read_commands(mut input: impl BufRead, session: &Sender<Event>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let heard = match input.read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => Ok(Command::Quit),
            Ok(_) => {
                let line = String::from_utf8_lossy(&bytes);
                debug!(target: DIALOGUE, ">> {}", line.trim_end());
                match Command::parse(&line).transpose() {
                    Some(heard) => heard,
                    None => continue,
                }
            }
        };
        let is_last = heard == Ok(Command::Quit);
        let is_over = session.send(Event::Heard(heard)).is_err();
        if is_last || is_over {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use crossbeam::channel::unbounded;

    use super::*;

    fn hear(input: &[u8]) -> Vec<String> {
        let (sender, events) = unbounded();
        read_commands(input, &sender);
        let text = |event| match event {
            Event::Heard(Ok(command)) => command.to_string(),
            Event::Heard(Err(error)) => format!("error: {error}"),
            other => panic!("{other:?}"),
        };
        events.try_iter().map(text).collect()
    }

    #[test]
    fn any_bytes_are_read_and_blank_lines_are_not_heard() {
        let heard = hear(b"\tuci\r\n\r\n  \nd\xff\x00 x\nisready");
        assert_eq!(heard, ["uci", "d\u{fffd}\0 x", "isready", "quit"]);
    }

    #[test]
    fn nothing_is_read_behind_quit() {
        assert_eq!(hear(b"stop\nquit\nuci\n"), ["stop", "quit"]);
    }
}
