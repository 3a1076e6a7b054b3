//! A UCI engine as a child process, and a session inside the test. All waiting has a timeout: an
//! engine that does not answer in time fails the test.

// Each test binary uses only some of these items.
#![allow(dead_code)]

#[cfg(target_os = "linux")]
pub(crate) mod pseudo_terminal;

use std::io::{BufRead, BufReader, Cursor, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The timeout for answers without a long search; generous, since the machine may be busy.
pub(crate) const SOON: Duration = Duration::from_secs(60);

/// A path in a temporary folder, which is removed at the end of the test. Its name has blanks.
pub(crate) struct Scratch(pub(crate) PathBuf, TempDir);

impl Scratch {
    pub(crate) fn new(name: &str) -> Scratch {
        let folder = TempDir::with_prefix("koel test ").unwrap();
        Scratch(folder.path().join(name), folder)
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        std::fs::read(&self.0).unwrap()
    }
}

/// A child process of the real program.
pub(crate) struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    pub(crate) fn start() -> Engine {
        Engine::spawn(&mut Command::new(env!("CARGO_BIN_EXE_koel")))
    }

    pub(crate) fn spawn(command: &mut Command) -> Engine {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            stdout.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Engine { stdin: child.stdin.take(), child, lines }
    }

    pub(crate) fn send(&mut self, text: impl AsRef<[u8]>) {
        let stdin = self.stdin.as_mut().expect("the input is open");
        // An engine that has exited is noticed when it does not answer.
        let _ = stdin.write_all(text.as_ref()).and_then(|()| stdin.write_all(b"\n"));
        let _ = stdin.flush();
    }

    /// Returns the next line.
    pub(crate) fn receive_line(&self, within: Duration) -> String {
        self.lines.recv_timeout(within).unwrap_or_else(|error| panic!("no answer: {error}"))
    }

    /// Returns all lines up to and including the first with this beginning.
    pub(crate) fn receive_until(&self, beginning: &str, within: Duration) -> Vec<String> {
        let deadline = Instant::now() + within;
        let mut replies = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => replies.push(line),
                Err(error) => panic!("no `{beginning}` ({error}) after {replies:#?}"),
            }
            if replies.last().is_some_and(|line| line.starts_with(beginning)) {
                return replies;
            }
        }
    }

    /// Sends `isready` and returns all lines before `readyok`.
    pub(crate) fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        let mut replies = self.receive_until("readyok", SOON);
        replies.pop();
        replies
    }

    /// Returns all lines up to the end of the commands so far, for which `isready` does not always
    /// wait: it overtakes a long file transfer.
    pub(crate) fn finish(&mut self) -> Vec<String> {
        self.send("marker");
        let mut replies = self.receive_until("info string error: unknown command `marker`", SOON);
        replies.pop();
        replies
    }

    /// Closes the input and returns the rest of the output and the exit status.
    pub(crate) fn end_input(mut self) -> (Vec<String>, ExitStatus) {
        self.stdin = None;
        let deadline = Instant::now() + SOON;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (self.lines.iter().collect(), status);
            }
            assert!(Instant::now() < deadline, "the engine runs on after the end of its input");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the output of a session with this input.
pub(crate) fn dialogue(input: impl AsRef<[u8]>) -> Vec<String> {
    let mut output = Vec::new();
    koel::run(Cursor::new(input.as_ref().to_vec()), &mut output)
        .expect("a vector takes all output");
    String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
}

/// Runs the program with arguments and returns its output, its standard error and true if it
/// succeeded.
pub(crate) fn koel(arguments: &[&str]) -> (String, String, bool) {
    let output = Command::new(env!("CARGO_BIN_EXE_koel")).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.success())
}

/// Returns the error messages among these lines.
pub(crate) fn errors(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.strip_prefix("info string error: ")).collect()
}

/// Returns the lines without remarks: `info string` lines that are no errors, such as the name of
/// the network, and the warning on a machine of one core that two threads share it.
pub(crate) fn without_remarks(mut lines: Vec<String>) -> Vec<String> {
    let is_error = |line: &String| line.starts_with("info string error: ");
    lines.retain(|line| !line.starts_with("info string ") || is_error(line));
    lines
}

/// Returns the move of the `bestmove` line, which must be the last.
pub(crate) fn best_move(lines: &[String]) -> &str {
    let count = lines.iter().filter(|line| line.starts_with("bestmove")).count();
    assert_eq!(count, 1, "{lines:#?}");
    let last = lines.last().unwrap();
    last.strip_prefix("bestmove ").and_then(|rest| rest.split(' ').next()).expect("a move")
}
