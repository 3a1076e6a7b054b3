//! The log of a session: all lines of input and output, for the option `Debug Log File`. Never the
//! standard output, which is reserved for UCI.

use std::fmt::Display;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

static DEBUG_LOG: Mutex<Option<File>> = Mutex::new(None);

/// Sets the file to which every input and output line is appended; `None` closes it.
///
/// # Errors
/// The file cannot be opened; the old one is kept.
pub(crate) fn set_debug_log(path: Option<&Path>) -> io::Result<()> {
    let open = |path| OpenOptions::new().create(true).append(true).open(path);
    let file = path.map(open).transpose()?;
    *debug_log() = file;
    Ok(())
}

/// Appends a line to the file, if there is one, behind the seconds since 1970.
pub(crate) fn log(direction: &str, line: &impl Display) {
    let mut file = debug_log();
    let Some(file) = &mut *file else { return };
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    // A session goes on without its log.
    let _ = file.write_all(format!("{:.3} {direction} {line}\n", now.as_secs_f64()).as_bytes());
}

fn debug_log() -> MutexGuard<'static, Option<File>> {
    DEBUG_LOG.lock().unwrap_or_else(PoisonError::into_inner)
}
