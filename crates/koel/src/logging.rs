//! The log: never on the standard output, which belongs to the protocol.

use std::fs::File;
use std::io::{self, IsTerminal};
use std::sync::Mutex;

use tracing_subscriber::EnvFilter;

/// What to log, in the syntax of tracing's filters, such as `debug`; nothing if it is not set.
const FILTER: &str = "KOEL_LOG";

/// The file to write the log to instead of the standard error stream.
const FILE: &str = "KOEL_LOG_FILE";

/// Starts the log if the environment asks for one.
///
/// # Errors
/// The file cannot be written.
pub(crate) fn start() -> io::Result<()> {
    let Ok(filter) = std::env::var(FILTER) else { return Ok(()) };
    let subscriber = tracing_subscriber::fmt().with_env_filter(EnvFilter::new(filter));
    match std::env::var_os(FILE) {
        Some(path) => {
            let file = Mutex::new(File::create(path)?);
            subscriber.with_writer(file).with_ansi(false).init();
        }
        None => {
            let is_terminal = io::stderr().is_terminal();
            subscriber.with_writer(io::stderr).with_ansi(is_terminal).init();
        }
    }
    Ok(())
}
