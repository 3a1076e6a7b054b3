//! The standard output of an engine, line by line, each with the time of its arrival.
//!
//! On systems that can wait for a pipe with a deadline (`polled`), the thread that wants a line
//! waits for it itself. A reader thread in between (`threaded`) would cost two wakes for each line.

#[cfg(unix)]
mod polled;
#[cfg(any(not(unix), test))]
mod threaded;

use std::io::{BufRead, Read};
use std::time::{Duration, Instant};

use super::fault::ReadError;
use crate::cancel_token::CancelToken;

#[cfg(unix)]
pub(super) use polled::Output;
#[cfg(not(unix))]
pub(super) use threaded::Output;

/// Longer lines are split into pieces of this many bytes, which limits the memory used.
const MAX_LINE_LENGTH: usize = 1 << 16;
/// Interval at which a wait checks its cancel token.
const CANCEL_CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// A line and the time of its arrival.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) at: Instant,
}

/// Returns the time to wait before the next check; an error if the wait is over.
fn next_wait(deadline: Instant, cancel: CancelToken<'_>) -> Result<Duration, ReadError> {
    let left = deadline.saturating_duration_since(Instant::now());
    match () {
        () if left.is_zero() => Err(ReadError::TimedOut),
        () if cancel.is_cancelled() => Err(ReadError::Cancelled),
        () => Ok(left.min(CANCEL_CHECK_INTERVAL)),
    }
}

/// Reads the next line of a stream, or a piece of a long one; `None` at the end.
pub(super) fn read_line(from: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    let mut piece = from.take(MAX_LINE_LENGTH as u64);
    piece.read_until(b'\n', &mut bytes).ok().filter(|&read| read > 0)?;
    Some(decode(&bytes))
}

/// Removes the line end, and replaces bytes that are not UTF-8.
fn decode(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    text.trim_end_matches(['\r', '\n']).to_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::{Child, Command, Stdio};

    use super::*;

    fn run_script(script: &str) -> Child {
        Command::new("sh").args(["-c", script]).stdout(Stdio::piped()).spawn().expect("there is sh")
    }

    /// Reads lines up to the first error.
    fn lines(mut read: impl FnMut() -> Result<Line, ReadError>) -> (Vec<String>, ReadError) {
        let mut lines = Vec::new();
        loop {
            match read() {
                Ok(line) => lines.push(line.text),
                Err(error) => return (lines, error),
            }
        }
    }

    /// Reads the output of a script in both ways, which must agree.
    fn read_all(script: &str, timeout: Duration) -> (Vec<String>, ReadError) {
        let both = [false, true].map(|is_threaded| {
            let mut child = run_script(script);
            let pipe = child.stdout.take().expect("it is piped");
            let deadline = Instant::now() + timeout;
            let found = if is_threaded {
                let mut output = threaded::Output::new(pipe);
                lines(|| output.read(deadline, CancelToken::NEVER))
            } else {
                let mut output = polled::Output::new(pipe);
                lines(|| output.read(deadline, CancelToken::NEVER))
            };
            let _ = child.kill();
            let _ = child.wait();
            found
        });
        assert_eq!(both[0], both[1]);
        let [found, _] = both;
        found
    }

    #[test]
    fn lines_come_one_by_one_and_in_pieces() {
        let long = Duration::from_secs(20);
        let script = "printf 'info a\\ninfo'; sleep 0.05; printf ' b\\r\\n\\nbestmove\\377\\nrest'";
        let expected = ["info a", "info b", "", "bestmove\u{fffd}", "rest"].map(str::to_owned);
        assert_eq!(read_all(script, long), (expected.to_vec(), ReadError::Ended));
        assert_eq!(read_all("", long), (vec![], ReadError::Ended));
    }

    #[test]
    fn a_line_without_end_is_split() {
        let script = "head -c 150000 /dev/zero | tr '\\0' x; echo; echo next";
        let (lines, _) = read_all(script, Duration::from_secs(20));
        let lengths: Vec<_> = lines.iter().map(String::len).collect();
        let rest = 150_000 - 2 * MAX_LINE_LENGTH;
        assert_eq!(lengths, [MAX_LINE_LENGTH, MAX_LINE_LENGTH, rest, 4]);
    }

    #[test]
    fn a_wait_ends_at_its_deadline_or_when_it_is_cancelled() {
        let timeout = Duration::from_millis(300);
        assert_eq!(read_all("exec sleep 60", timeout).1, ReadError::TimedOut);
        let mut child = run_script("exec sleep 60");
        let mut output = polled::Output::new(child.stdout.take().unwrap());
        let cancelled = true.into();
        let deadline = Instant::now() + Duration::from_secs(60);
        assert_eq!(output.read(deadline, CancelToken::new(&cancelled)), Err(ReadError::Cancelled));
        assert_eq!(output.read_available(), None);
        child.kill().unwrap();
        child.wait().unwrap();
    }

    #[test]
    fn available_lines_are_read_without_waiting() {
        let mut child = run_script("echo one; echo two; echo three; exec sleep 60");
        let mut output = polled::Output::new(child.stdout.take().unwrap());
        let deadline = Instant::now() + Duration::from_secs(20);
        assert_eq!(output.read(deadline, CancelToken::NEVER).unwrap().text, "one");
        let mut available = Vec::new();
        while available.len() < 2 && Instant::now() < deadline {
            available.extend(output.read_available().map(|line| line.text));
        }
        assert_eq!(available, ["two", "three"]);
        assert_eq!(output.read_available(), None);
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
