//! A child process with pipes for its standard streams.

use std::collections::{BTreeSet, VecDeque};
use std::io::{self, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::fault::{EngineFault, ReadError};
use super::output::{Line, Output, read_line};
use super::spec::EngineSpec;
use crate::appended_file::AppendedFile;
use crate::cancel_token::CancelToken;

/// Number of lines kept from the end of the standard error stream.
const LAST_ERROR_LINES: usize = 5;
/// Time that a program has to end after `quit`.
const QUIT_TIMEOUT: Duration = Duration::from_millis(300);

/// The ids of the running programs, each that of its process group.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all engines and their child processes, for the end of the program at once.
#[cfg(feature = "cli")]
pub(crate) fn kill_engines() {
    running().iter().copied().for_each(kill_group);
}

#[cfg(unix)]
fn kill_group(id: u32) {
    if let Some(group) = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}

/// A running program. Dropping it sends `quit`, waits a moment, and then kills the program and its
/// own child processes.
pub(super) struct ChildProcess {
    child: Child,
    input: Option<ChildStdin>,
    output: Output,
    last_error_lines: Arc<Mutex<VecDeque<String>>>,
    log: Option<Log>,
}

/// The log of the dialogue with an engine: time in seconds, name, direction and text.
struct Log {
    file: AppendedFile,
    name: String,
    started: Instant,
}

impl Log {
    fn open(path: &Path, name: &str) -> io::Result<Log> {
        let mut file = AppendedFile::open(path)?;
        file.add(&format!("0.0000 {name} -- started"))?;
        Ok(Log { file, name: name.to_owned(), started: Instant::now() })
    }

    /// Adds lines. A disk that is full ends no game.
    fn add(&mut self, text: &str, direction: &str) {
        let seconds = self.started.elapsed().as_secs_f64();
        for line in text.lines() {
            let _ = self.file.add(&format!("{seconds:.4} {} {direction} {line}", self.name));
        }
    }
}

impl ChildProcess {
    pub(super) fn start(spec: &EngineSpec) -> io::Result<ChildProcess> {
        let mut command = Command::new(&spec.command);
        command
            .args(&spec.arguments)
            .envs(spec.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(folder) = &spec.folder {
            command.current_dir(folder);
        }
        let log = spec.log.as_deref().map(|path| Log::open(path, &spec.name)).transpose()?;
        // A process group of its own: an interrupt at the terminal reaches only the runner, which
        // then ends the games in order.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        // Listed as soon as it runs.
        let mut running = running();
        let mut child = command.spawn()?;
        running.insert(child.id());
        drop(running);
        let input = child.stdin.take();
        let output = Output::new(child.stdout.take().expect("it is piped"));
        let last_error_lines = Arc::default();
        if let Some(errors) = child.stderr.take() {
            let last_lines = Arc::clone(&last_error_lines);
            thread::spawn(move || keep_last_lines(errors, &last_lines));
        }
        Ok(ChildProcess { child, input, output, last_error_lines, log })
    }

    /// Writes text, which ends with a line end.
    pub(super) fn write(&mut self, text: &str) -> Result<(), EngineFault> {
        self.log(text, "<-");
        let input = self.input.as_mut();
        let is_written = input.is_some_and(|input| input.write_all(text.as_bytes()).is_ok());
        if is_written { Ok(()) } else { Err(self.fault(ReadError::Ended)) }
    }

    pub(super) fn read(
        &mut self,
        deadline: Instant,
        cancel: CancelToken<'_>,
    ) -> Result<Line, EngineFault> {
        self.read_line(deadline, cancel).map_err(|error| self.fault(error))
    }

    fn read_line(&mut self, deadline: Instant, cancel: CancelToken<'_>) -> Result<Line, ReadError> {
        let line = self.output.read(deadline, cancel)?;
        self.log(&line.text, "->");
        Ok(line)
    }

    fn fault(&self, error: ReadError) -> EngineFault {
        match error {
            ReadError::Ended => EngineFault::Crash(self.last_error_lines()),
            ReadError::TimedOut => EngineFault::Stall,
            ReadError::Cancelled => EngineFault::Cancelled,
        }
    }

    /// Returns a line that has already arrived.
    pub(super) fn read_available(&mut self) -> Option<Line> {
        let line = self.output.read_available()?;
        self.log(&line.text, "->");
        Some(line)
    }

    fn log(&mut self, text: &str, direction: &str) {
        if let Some(log) = &mut self.log {
            log.add(text, direction);
        }
    }

    pub(super) fn close_input(&mut self) {
        self.input = None;
    }

    /// The last lines of the standard error stream, joined.
    fn last_error_lines(&self) -> String {
        // The program has ended; its last output may not have been read yet.
        thread::sleep(Duration::from_millis(20));
        let lines = self.last_error_lines.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        lines.iter().map(String::as_str).collect::<Vec<_>>().join(" | ")
    }

    fn kill(&mut self) {
        kill_group(self.child.id());
        let _ = self.child.kill();
        running().remove(&self.child.id());
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        let _ = self.write("quit\n");
        // A program without `quit` may still end when its input does.
        self.input = None;
        let deadline = Instant::now() + QUIT_TIMEOUT;
        while self.read_line(deadline, CancelToken::NEVER).is_ok() {}
        // Before `wait`, as long as the process id cannot be reused.
        self.kill();
        let _ = self.child.wait();
    }
}

fn keep_last_lines(errors: ChildStderr, last_lines: &Mutex<VecDeque<String>>) {
    let mut errors = BufReader::new(errors);
    while let Some(text) = read_line(&mut errors) {
        let Ok(mut lines) = last_lines.lock() else { return };
        if lines.len() == LAST_ERROR_LINES {
            lines.pop_front();
        }
        lines.push_back(text);
    }
}
