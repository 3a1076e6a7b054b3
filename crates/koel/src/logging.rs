//! Logging, never to the standard output, which is reserved for UCI.

use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tracing::Level;
use tracing_subscriber::filter::{LevelFilter, Targets, dynamic_filter_fn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt, registry};

/// The environment variable with the log filter: a level such as `debug`, or `TARGET=LEVEL` with
/// commas between several. Without it nothing is logged.
const FILTER: &str = "KOEL_LOG";

/// The environment variable with the log file, instead of the standard error stream.
const FILE: &str = "KOEL_LOG_FILE";

/// The log target of all input and output lines.
pub(crate) const DIALOGUE: &str = "koel::dialogue";

/// The file of the option `Debug Log File`.
static DEBUG_LOG: Mutex<Option<File>> = Mutex::new(None);

/// True if there is such a file; otherwise lines are not even formatted.
static HAS_DEBUG_LOG: AtomicBool = AtomicBool::new(false);

/// Starts logging as the environment variables say, and prepares that of the option.
///
/// # Errors
/// The file cannot be written.
pub(crate) fn start() -> io::Result<()> {
    let filter = std::env::var(FILTER).ok();
    let filter =
        filter.map(|text| text.parse::<Targets>().map_err(io::Error::other)).transpose()?;
    let is_terminal = io::stderr().is_terminal();
    let layer = match (filter, std::env::var_os(FILE)) {
        (None, _) => None,
        (Some(filter), Some(path)) => {
            // What others wrote into it stays.
            let file = Mutex::new(OpenOptions::new().create(true).append(true).open(path)?);
            Some(fmt::layer().with_writer(file).with_ansi(false).with_filter(filter).boxed())
        }
        (Some(filter), None) => {
            let layer = fmt::layer().with_writer(io::stderr).with_ansi(is_terminal);
            Some(layer.with_filter(filter).boxed())
        }
    };
    let dialogue = fmt::layer()
        .with_writer(|| DebugLog)
        .with_ansi(false)
        .with_target(false)
        .with_level(false)
        .with_filter(
            dynamic_filter_fn(|metadata, _| {
                metadata.target() == DIALOGUE && HAS_DEBUG_LOG.load(Relaxed)
            })
            .with_max_level_hint(LevelFilter::from_level(Level::DEBUG)),
        );
    registry().with(layer).with(dialogue).init();
    Ok(())
}

/// Sets the file to which every input and output line is appended; `None` closes it.
///
/// # Errors
/// The file cannot be opened; the old one is kept.
pub(crate) fn set_debug_log(path: Option<&Path>) -> io::Result<()> {
    let file =
        path.map(|path| OpenOptions::new().create(true).append(true).open(path)).transpose()?;
    let mut log = debug_log();
    HAS_DEBUG_LOG.store(file.is_some(), Relaxed);
    *log = file;
    Ok(())
}

fn debug_log() -> MutexGuard<'static, Option<File>> {
    DEBUG_LOG.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A writer to the current debug log file, if there is one.
struct DebugLog;

impl Write for DebugLog {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        debug_log().as_mut().map_or(Ok(bytes.len()), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        debug_log().as_mut().map_or(Ok(()), File::flush)
    }
}
