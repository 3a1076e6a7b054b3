//! Logging, never to the standard output, which is reserved for UCI.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tracing_subscriber::filter::{Targets, dynamic_filter_fn};
use tracing_subscriber::fmt::writer::BoxMakeWriter;
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

/// Starts logging as the environment variables say, and prepares that of the option.
///
/// # Errors
/// The file cannot be written.
pub(crate) fn start() -> io::Result<()> {
    let filter = std::env::var(FILTER).ok().map(|text| text.parse::<Targets>());
    let unusable = |error| io::Error::other(format!("{FILTER}: {error}"));
    let filter = filter.transpose().map_err(unusable)?;
    let file = std::env::var_os(FILE).filter(|_| filter.is_some()).map(append).transpose()?;
    let writer = match file {
        Some(file) => BoxMakeWriter::new(Mutex::new(file)),
        None => BoxMakeWriter::new(io::stderr),
    };
    let log = fmt::layer().with_writer(writer).with_ansi(false);
    let dialogue = fmt::layer()
        .with_writer(|| DebugLog)
        .with_ansi(false)
        .with_target(false)
        .with_level(false)
        // Without a file, lines are not even formatted.
        .with_filter(dynamic_filter_fn(|metadata, _| {
            metadata.target() == DIALOGUE && debug_log().is_some()
        }));
    registry().with(filter.map(|filter| log.with_filter(filter))).with(dialogue).init();
    Ok(())
}

/// Opens a log, a regular file: what others wrote into it stays, and a pipe would wait for a
/// reader.
fn append(path: OsString) -> io::Result<File> {
    let path = PathBuf::from(path);
    let open = || OpenOptions::new().create(true).append(true).open(&path);
    let named =
        |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    koel_files::check_kind(&path).and_then(|()| open()).map_err(named)
}

/// Sets the file to which every input and output line is appended; `None` closes it.
///
/// # Errors
/// The file cannot be opened; the old one is kept.
pub(crate) fn set_debug_log(path: Option<&Path>) -> io::Result<()> {
    let file = path.map(|path| append(path.into())).transpose()?;
    *debug_log() = file;
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
        Ok(())
    }
}
