//! The logs: never on the standard output, which belongs to the protocol.

use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tracing::Level;
use tracing_subscriber::filter::{LevelFilter, dynamic_filter_fn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, fmt, registry};

/// What to log, in the syntax of tracing's filters, such as `debug`; nothing if it is not set.
const FILTER: &str = "KOEL_LOG";

/// The file to write the log to instead of the standard error stream.
const FILE: &str = "KOEL_LOG_FILE";

/// The target of all lines in and out.
pub(crate) const DIALOGUE: &str = "koel::dialogue";

/// Where the dialogue is written to as well: `Debug Log File`.
static DEBUG_LOG: Mutex<Option<File>> = Mutex::new(None);

/// Whether there is such a file: spares lines that nobody reads their formatting.
static HAS_DEBUG_LOG: AtomicBool = AtomicBool::new(false);

/// Starts the log that the environment asks for, and the one that the option may ask for later.
///
/// # Errors
/// The file cannot be written.
pub(crate) fn start() -> io::Result<()> {
    let filter = std::env::var(FILTER).map(EnvFilter::new).ok();
    let is_terminal = io::stderr().is_terminal();
    let layer = match (filter, std::env::var_os(FILE)) {
        (None, _) => None,
        (Some(filter), Some(path)) => {
            let file = Mutex::new(File::create(path)?);
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

/// Writes every line in and out to this file from now on, behind what it holds; with `None` to
/// none.
///
/// # Errors
/// The file cannot be written; the old one is kept.
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

/// The file of the option, if there is one just now.
struct DebugLog;

impl Write for DebugLog {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        debug_log().as_mut().map_or(Ok(bytes.len()), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        debug_log().as_mut().map_or(Ok(()), File::flush)
    }
}
