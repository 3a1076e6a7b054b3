//! A program at the other end of two pipes.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, bounded};

use super::EngineSpec;
use crate::call_off::CallOff;

/// Longer lines are cut into pieces of this many bytes, so that no program fills the memory.
const LONGEST_LINE: u64 = 1 << 16;
/// So many batches wait to be read before the program has to.
const MOST_WAITING: usize = 64;
/// So many `info` lines are passed on at once at most.
const BATCH: usize = 64;
/// So many last lines of the standard error stream are kept.
const LAST_WORDS: usize = 5;
/// How often a wait looks whether it has been called off.
const GLANCE: Duration = Duration::from_millis(100);
/// How long a program that has been told to quit may take.
const FAREWELL: Duration = Duration::from_millis(300);

/// A line, and when it arrived.
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

/// A running program. It ends with this value: politely when it listens, by force otherwise, with
/// whatever it has started itself.
pub(super) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    batches: Receiver<Vec<Line>>,
    /// What is left of the last batch.
    lines: VecDeque<Line>,
    last_words: Arc<Mutex<VecDeque<String>>>,
}

impl Process {
    pub(super) fn start(spec: &EngineSpec) -> io::Result<Process> {
        let mut command = Command::new(&spec.command);
        command
            .args(&spec.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // Its own group: an interrupt at the terminal is for the runner, which then ends games
        // in an orderly way.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let input = child.stdin.take();
        let (sender, batches) = bounded(MOST_WAITING);
        let last_words = Arc::default();
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || pass_on(output, &sender));
        }
        if let Some(errors) = child.stderr.take() {
            let last_words = Arc::clone(&last_words);
            thread::spawn(move || keep_last_words(errors, &last_words));
        }
        Ok(Process { child, input, batches, lines: VecDeque::new(), last_words })
    }

    /// Writes text, which ends with a line end, at once.
    pub(super) fn write(&mut self, text: &str) -> Result<(), Silence> {
        let input = self.input.as_mut().ok_or(Silence::Ended)?;
        input.write_all(text.as_bytes()).and_then(|()| input.flush()).map_err(|_| Silence::Ended)
    }

    pub(super) fn read(
        &mut self,
        deadline: Instant,
        call_off: CallOff<'_>,
    ) -> Result<Line, Silence> {
        loop {
            if let Some(line) = self.lines.pop_front() {
                return Ok(line);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.batches.recv_timeout(left.min(GLANCE)) {
                Ok(batch) => self.lines = batch.into(),
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Ended),
                Err(RecvTimeoutError::Timeout) if call_off.is_set() => {
                    return Err(Silence::Cancelled);
                }
                Err(RecvTimeoutError::Timeout) if left <= GLANCE => return Err(Silence::Late),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// A line that is there already.
    pub(super) fn read_waiting(&mut self) -> Option<Line> {
        if self.lines.is_empty() {
            self.lines = self.batches.try_recv().ok()?.into();
        }
        self.lines.pop_front()
    }

    /// The last lines of the standard error stream, in one.
    pub(super) fn last_words(&self) -> String {
        // The program has ended; what it wrote last may still be on its way.
        thread::sleep(Duration::from_millis(20));
        let words = self.last_words.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        words.iter().map(String::as_str).collect::<Vec<_>>().join(" | ")
    }

    fn kill(&mut self) {
        #[cfg(unix)]
        if let Some(group) =
            i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw)
        {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.write("quit\n");
        // The end of its input tells even a program that knows no `quit`.
        self.input = None;
        let deadline = Instant::now() + FAREWELL;
        while self.read(deadline, CallOff::NEVER).is_ok() {}
        // Before it is waited for, so that its number is still its own.
        self.kill();
        let _ = self.child.wait();
    }
}

/// Passes lines on as they come, except that `info` waits for what follows: nobody acts on it
/// before, and at a thousand nodes a move every waking of a thread counts.
fn pass_on(output: ChildStdout, batches: &Sender<Vec<Line>>) {
    let mut output = BufReader::new(output);
    let mut batch = Vec::new();
    loop {
        let line = next_line(&mut output).map(|text| Line { text, at: Instant::now() });
        let is_last = line.is_none();
        let may_wait = line.as_ref().is_some_and(|line| line.text.starts_with("info"));
        batch.extend(line);
        let is_due = !may_wait || batch.len() == BATCH;
        if is_due && batches.send(std::mem::take(&mut batch)).is_err() || is_last {
            return;
        }
    }
}

fn keep_last_words(errors: ChildStderr, last_words: &Mutex<VecDeque<String>>) {
    let mut errors = BufReader::new(errors);
    while let Some(text) = next_line(&mut errors) {
        let Ok(mut words) = last_words.lock() else { return };
        if words.len() == LAST_WORDS {
            words.pop_front();
        }
        words.push_back(text);
    }
}

fn next_line(from: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    from.take(LONGEST_LINE).read_until(b'\n', &mut bytes).ok().filter(|&read| read > 0)?;
    let text = String::from_utf8_lossy(&bytes);
    Some(text.trim_end_matches(['\r', '\n']).to_owned())
}
