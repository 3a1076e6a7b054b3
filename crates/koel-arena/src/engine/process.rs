//! A program at the other end of two pipes.

use std::collections::VecDeque;
use std::io::{self, BufReader, Write};
use std::process::{Child, ChildStderr, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::EngineSpec;
use super::output::{Line, Output, Silence, next_line};
use crate::call_off::CallOff;

/// So many last lines of the standard error stream are kept.
const LAST_WORDS: usize = 5;
/// How long a program that has been told to quit may take.
const FAREWELL: Duration = Duration::from_millis(300);

/// A running program. It ends with this value: politely when it listens, by force otherwise, with
/// whatever it has started itself.
pub(super) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    output: Option<Output>,
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
        let output = child.stdout.take().map(Output::new);
        let last_words = Arc::default();
        if let Some(errors) = child.stderr.take() {
            let last_words = Arc::clone(&last_words);
            thread::spawn(move || keep_last_words(errors, &last_words));
        }
        Ok(Process { child, input, output, last_words })
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
        self.output.as_mut().ok_or(Silence::Ended)?.read(deadline, call_off)
    }

    /// A line that is there already.
    pub(super) fn read_waiting(&mut self) -> Option<Line> {
        self.output.as_mut()?.read_waiting()
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
