//! A program in a terminal window, as a person has it.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use nix::fcntl::OFlag;
use nix::libc::O_NOCTTY;
use nix::pty::{grantpt, posix_openpt, ptsname_r, unlockpt};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::SOON;

/// The longest wait for output before the thread that reads looks for its end.
const PAUSE: Timespec = Timespec { tv_sec: 0, tv_nsec: 5_000_000 };

/// A program, and the other end of its terminal if it has one.
pub(crate) struct Running {
    child: Child,
    window: Option<Window>,
}

struct Window {
    terminal: File,
    shown: Arc<Mutex<Vec<u8>>>,
    is_closed: Arc<AtomicBool>,
    reader: JoinHandle<()>,
}

/// Returns the command of a program for which no signal is ignored, whatever this process was
/// started to ignore: a shell lets what runs in the background of a script ignore Ctrl-C.
pub(crate) fn with_usual_signals(program: &str) -> Command {
    let mut command = Command::new("env");
    command.args(["--default-signal", program]);
    command
}

impl Running {
    /// Starts a program in a terminal of its own.
    pub(crate) fn in_terminal(program: &str, arguments: &[&str]) -> Running {
        let terminal = posix_openpt(OFlag::O_RDWR | OFlag::O_NOCTTY | OFlag::O_CLOEXEC).unwrap();
        grantpt(&terminal).unwrap();
        unlockpt(&terminal).unwrap();
        let open = || {
            let mut options = File::options();
            options.read(true).write(true).custom_flags(O_NOCTTY);
            options.open(ptsname_r(&terminal).unwrap()).unwrap()
        };
        // It makes the terminal that of a new session, whose first process becomes the program.
        let child = with_usual_signals("setsid")
            .args(["--ctty", program])
            .args(arguments)
            .stdin(open())
            .stdout(open())
            .stderr(open())
            .spawn()
            .unwrap();
        let terminal = File::from(OwnedFd::from(terminal));
        Running { child, window: Some(Window::new(terminal)) }
    }

    /// Starts a program without a terminal.
    pub(crate) fn spawn(command: &mut Command) -> Running {
        Running { child: command.spawn().unwrap(), window: None }
    }

    pub(crate) fn send(&self, signal: Signal) {
        let id = Pid::from_raw(self.child.id().try_into().unwrap());
        kill(id, signal).unwrap();
    }

    /// Types text, such as `\x03` for Ctrl-C.
    pub(crate) fn type_text(&mut self, text: &str) {
        self.window.as_mut().unwrap().terminal.write_all(text.as_bytes()).unwrap();
    }

    /// Closes the window, which sends SIGHUP.
    pub(crate) fn close_window(&mut self) {
        let window = self.window.take().unwrap();
        window.is_closed.store(true, Relaxed);
        window.reader.join().unwrap();
    }

    /// Returns what the window has shown.
    pub(crate) fn shown(&self) -> String {
        let Some(window) = &self.window else { return String::new() };
        String::from_utf8_lossy(&window.shown.lock().unwrap()).into_owned()
    }

    /// Waits until a condition holds. Returns false if the program ends before.
    pub(crate) fn wait_until(&mut self, holds: impl Fn(&Running) -> bool) -> bool {
        let deadline = Instant::now() + SOON;
        while !holds(self) {
            if self.child.try_wait().unwrap().is_some() {
                return false;
            }
            assert!(Instant::now() < deadline, "it does not happen: {}", self.shown());
            std::thread::sleep(Duration::from_millis(1));
        }
        true
    }

    /// Waits for the end. Returns the exit status and what the window has shown.
    pub(crate) fn wait(mut self) -> (ExitStatus, String) {
        self.wait_until(|_| false);
        let status = self.child.wait().unwrap();
        let Some(window) = self.window.take() else { return (status, String::new()) };
        // The other end is closed: it ends by itself.
        window.reader.join().unwrap();
        let shown = String::from_utf8_lossy(&window.shown.lock().unwrap()).into_owned();
        (status, shown)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Window {
    fn new(terminal: File) -> Window {
        let (shown, is_closed) = (Arc::<Mutex<Vec<u8>>>::default(), Arc::<AtomicBool>::default());
        let reader = {
            let (shown, is_closed) = (shown.clone(), is_closed.clone());
            let terminal = terminal.try_clone().unwrap();
            std::thread::spawn(move || read(terminal, &shown, &is_closed))
        };
        Window { terminal, shown, is_closed, reader }
    }
}

/// Reads what a program writes to its terminal, until its end or that of the window.
fn read(mut terminal: File, shown: &Mutex<Vec<u8>>, is_closed: &AtomicBool) {
    let mut buffer = [0; 4096];
    while !is_closed.load(Relaxed) {
        let mut polled = [PollFd::new(&terminal, PollFlags::IN)];
        if poll(&mut polled, Some(&PAUSE)).unwrap_or(0) == 0 {
            continue;
        }
        match terminal.read(&mut buffer) {
            Ok(length) if length > 0 => {
                shown.lock().unwrap().extend_from_slice(&buffer[..length]);
            }
            _ => return,
        }
    }
}
