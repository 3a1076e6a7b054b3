//! What a program says, line by line, each with the moment at which it came.
//!
//! Where the system can wait for a pipe with a deadline, whoever wants a line waits for it
//! himself: a thread in between would have to be woken first, and would wake him then.

#[cfg(unix)]
mod polled;
#[cfg(any(not(unix), test))]
mod threaded;

use std::io::{BufRead, Read};
use std::time::{Duration, Instant};

use crate::call_off::CallOff;

#[cfg(unix)]
pub(super) use polled::Output;
#[cfg(not(unix))]
pub(super) use threaded::Output;

/// Longer lines are cut into pieces of this many bytes, so that no program fills the memory.
const LONGEST_LINE: usize = 1 << 16;
/// How often a wait looks whether it has been called off.
const GLANCE: Duration = Duration::from_millis(100);

/// A line, and when it arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) at: Instant,
}

/// Why there is no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Silence {
    /// The program has closed its output: it has ended, or is about to.
    Ended,
    /// Nothing came in time.
    Late,
    /// The wait was called off.
    Cancelled,
}

/// For how long to wait before looking again; an error when there is no sense in waiting.
fn next_wait(deadline: Instant, call_off: CallOff<'_>) -> Result<Duration, Silence> {
    let left = deadline.saturating_duration_since(Instant::now());
    match () {
        () if left.is_zero() => Err(Silence::Late),
        () if call_off.is_set() => Err(Silence::Cancelled),
        () => Ok(left.min(GLANCE)),
    }
}

/// The next line of a stream, or a piece of one; `None` at its end.
pub(super) fn next_line(from: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    let mut piece = from.take(LONGEST_LINE as u64);
    piece.read_until(b'\n', &mut bytes).ok().filter(|&read| read > 0)?;
    Some(text_of(&bytes))
}

/// A line without its end. What is not UTF-8 is replaced.
fn text_of(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    text.trim_end_matches(['\r', '\n']).to_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::{Child, Command, Stdio};

    use super::*;

    fn said_by(script: &str) -> Child {
        Command::new("sh").args(["-c", script]).stdout(Stdio::piped()).spawn().expect("there is sh")
    }

    /// The lines up to the first silence, and that.
    fn lines(mut read: impl FnMut() -> Result<Line, Silence>) -> (Vec<String>, Silence) {
        let mut lines = Vec::new();
        loop {
            match read() {
                Ok(line) => lines.push(line.text),
                Err(silence) => return (lines, silence),
            }
        }
    }

    /// What both ways of reading make of a script's output.
    fn heard(script: &str, patience: Duration) -> (Vec<String>, Silence) {
        let both = [false, true].map(|is_threaded| {
            let mut child = said_by(script);
            let pipe = child.stdout.take().expect("it is piped");
            let deadline = Instant::now() + patience;
            let heard = if is_threaded {
                let mut output = threaded::Output::new(pipe);
                lines(|| output.read(deadline, CallOff::NEVER))
            } else {
                let mut output = polled::Output::new(pipe);
                lines(|| output.read(deadline, CallOff::NEVER))
            };
            let _ = child.kill();
            let _ = child.wait();
            heard
        });
        assert_eq!(both[0], both[1]);
        let [heard, _] = both;
        heard
    }

    #[test]
    fn lines_come_one_by_one_and_in_pieces() {
        let long = Duration::from_secs(20);
        let script = "printf 'info a\\ninfo'; sleep 0.05; printf ' b\\r\\n\\nbestmove\\377\\nrest'";
        let expected = ["info a", "info b", "", "bestmove\u{fffd}", "rest"].map(str::to_owned);
        assert_eq!(heard(script, long), (expected.to_vec(), Silence::Ended));
        assert_eq!(heard("", long), (vec![], Silence::Ended));
    }

    #[test]
    fn a_line_without_end_is_cut() {
        let script = "head -c 150000 /dev/zero | tr '\\0' x; echo; echo next";
        let (lines, _) = heard(script, Duration::from_secs(20));
        let lengths: Vec<_> = lines.iter().map(String::len).collect();
        assert_eq!(lengths, [LONGEST_LINE, LONGEST_LINE, 150_000 - 2 * LONGEST_LINE, 4]);
    }

    #[test]
    fn nobody_waits_for_ever() {
        let patience = Duration::from_millis(300);
        assert_eq!(heard("echo uciok; exec sleep 60", patience).1, Silence::Late);
        let mut child = said_by("exec sleep 60");
        let mut output = polled::Output::new(child.stdout.take().unwrap());
        let called_off = true.into();
        let deadline = Instant::now() + Duration::from_secs(60);
        assert_eq!(output.read(deadline, CallOff::by(&called_off)), Err(Silence::Cancelled));
        assert_eq!(output.read_waiting(), None);
        child.kill().unwrap();
        child.wait().unwrap();
    }

    #[test]
    fn what_is_there_is_read_without_waiting() {
        let mut child = said_by("echo one; echo two; echo three; exec sleep 60");
        let mut output = polled::Output::new(child.stdout.take().unwrap());
        let deadline = Instant::now() + Duration::from_secs(20);
        assert_eq!(output.read(deadline, CallOff::NEVER).unwrap().text, "one");
        let mut waiting = Vec::new();
        while waiting.len() < 2 && Instant::now() < deadline {
            waiting.extend(output.read_waiting().map(|line| line.text));
        }
        assert_eq!(waiting, ["two", "three"]);
        assert_eq!(output.read_waiting(), None);
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
