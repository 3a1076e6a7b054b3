//! Watching the output: a process whose reader is gone ends, whatever it is doing.

#[cfg(unix)]
use rustix::event::{PollFd, PollFlags, poll};

/// Ends the process, successfully, when the reader of the standard output is gone, also while
/// nothing is written. A GUI that crashes must not leave a searching engine behind.
///
/// Elsewhere than on Unix, only a failed write tells.
#[cfg(unix)]
pub(crate) fn end_without_reader() {
    let watch = || {
        let stdout = std::io::stdout();
        // No event is asked for: errors and the end of the connection are always reported.
        let mut watched = [PollFd::new(&stdout, PollFlags::empty())];
        while let Ok(count) = poll(&mut watched, None) {
            let gone = PollFlags::ERR | PollFlags::HUP;
            if count > 0 && watched[0].revents().intersects(gone) {
                std::process::exit(0);
            }
        }
    };
    // Without the thread, a failed write still ends the session.
    let _ = std::thread::Builder::new().name("output watch".to_owned()).spawn(watch);
}

#[cfg(not(unix))]
pub(crate) fn end_without_reader() {}
