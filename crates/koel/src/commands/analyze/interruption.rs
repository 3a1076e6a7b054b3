//! The signals that end an analysis after its current position: Ctrl-C, SIGTERM, and SIGHUP of a
//! window that is closed.

use std::io::{self, Write};
use std::process;
use std::sync::atomic::{AtomicI32, Ordering::SeqCst};

/// The number of the signal that came; 0 for none.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// Returns true after a signal.
pub(super) fn has_come() -> bool {
    SIGNAL.load(SeqCst) != 0
}

/// Returns the exit status of a program that a signal ended, as shells have it.
pub(super) fn exit_status() -> i32 {
    128 + SIGNAL.load(SeqCst)
}

/// Notes the first signal; the second ends the program at once.
fn note(signal: i32) {
    if SIGNAL.swap(signal, SeqCst) != 0 {
        process::exit(128 + signal);
    }
    let told = "\nkoel: ends after the current position; once more ends it at once\n";
    let _ = io::stderr().write_all(told.as_bytes());
}

/// Starts to note signals instead of ending by them. It must be called before other threads are
/// started.
#[cfg(unix)]
pub(super) fn listen() -> io::Result<()> {
    use nix::sys::signal::{SigSet, Signal};

    let ignored = ignored_signals();
    let mut signals = SigSet::empty();
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
        // `nohup` ignores SIGHUP, and a shell SIGINT for what runs in the background of a script.
        if ignored >> (signal as i32 - 1) & 1 == 0 {
            signals.add(signal);
        }
    }
    // Threads inherit it: none but the one that waits receives a signal.
    signals.thread_block()?;
    let wait = move || {
        while let Ok(signal) = signals.wait() {
            note(signal as i32);
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop)
}

/// Returns the set of signals that the program was started to ignore, the lowest bit for signal 1;
/// empty where the operating system does not tell.
#[cfg(unix)]
fn ignored_signals() -> u64 {
    use std::io::{BufRead, BufReader};

    let status = koel_files::open("/proc/self/status".as_ref(), koel_files::ANY_SIZE);
    let lines = status.into_iter().flat_map(|status| BufReader::new(status).lines());
    let mut masks = lines.map_while(Result::ok).filter_map(|line| {
        let mask = line.strip_prefix("SigIgn:")?.trim();
        u64::from_str_radix(mask, 16).ok()
    });
    masks.next().unwrap_or(0)
}

/// Starts to note Ctrl-C instead of ending by it.
#[cfg(not(unix))]
pub(super) fn listen() -> io::Result<()> {
    /// The number of the signal of Ctrl-C.
    const INTERRUPT: i32 = 2;
    ctrlc::set_handler(|| note(INTERRUPT)).map_err(io::Error::other)
}
