#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

#[cfg(feature = "cli")]
mod arguments;
mod commands;
#[cfg_attr(not(feature = "cli"), path = "no_logging.rs")]
mod logging;
mod session;
mod uci_values;

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, BufReader, Cursor, IsTerminal, Write};
use std::process::ExitCode;

use session::output_watch;
use session::terminal::Terminal;

pub use commands::bench::bench_positions;
pub use koel_engine::params;
pub use session::run;

/// The version of the engine. That of a build of a commit that is no release has the date and the
/// commit.
pub const VERSION: &str = env!("KOEL_VERSION");

/// The name and version of the engine, as in `id name`.
pub const ENGINE_NAME: &str = concat!("Koel ", env!("KOEL_VERSION"));

pub(crate) type CommandResult = Result<(), Box<dyn Error>>;

/// Runs the program: executes the command line, or starts a UCI session on the standard input.
#[must_use]
pub fn run_command_line() -> ExitCode {
    let script = session_script(std::env::args_os().skip(1));
    let execute = || match script {
        Some(script) => run_script(script),
        None => execute_arguments(),
    };
    match logging::start().map_err(Into::into).and_then(|()| execute()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "koel: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the arguments as lines of UCI, each waiting for the one before, if the first of them
/// contains a space.
fn session_script(arguments: impl Iterator<Item = OsString>) -> Option<String> {
    let lines = arguments.map(|line| line.to_string_lossy().into_owned()).collect::<Vec<_>>();
    let is_script = lines.first().is_some_and(|line| line.trim().contains(char::is_whitespace));
    is_script.then(|| lines.iter().map(|line| format!("{line}\nwait\n")).collect())
}

/// Executes a command for the shell.
#[cfg(feature = "cli")]
fn execute_arguments() -> CommandResult {
    <crate::arguments::Arguments as clap::Parser>::parse().execute()
}

/// Executes the arguments as one line of UCI, such as `bench`. Without the feature `cli` there are
/// no other commands.
#[cfg(not(feature = "cli"))]
fn execute_arguments() -> CommandResult {
    let words: Vec<_> = std::env::args().skip(1).collect();
    match words.is_empty() {
        true => Ok(run_session(false)?),
        false => run_script(format!("{}\nwait\n", words.join(" "))),
    }
}

/// Returns true if the reader of the output is gone, as in `koel bench | head -1`.
fn is_broken_pipe(error: &(dyn Error + 'static)) -> bool {
    let causes = std::iter::successors(Some(error), |&error| error.source());
    causes
        .filter_map(|error| error.downcast_ref::<io::Error>())
        .any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Runs a session with these lines of input.
pub(crate) fn run_script(script: String) -> CommandResult {
    output_watch::end_without_reader();
    match session::run_styled(Cursor::new(script), io::stdout(), None)? {
        true => Ok(()),
        false => Err("not all commands were obeyed".into()),
    }
}

/// Runs a session on the standard input. On a terminal it begins with a greeting, and its output is
/// for people, unless `uci` is wanted; in a pipe all output is UCI.
pub(crate) fn run_session(uci: bool) -> io::Result<()> {
    let is_terminal = !uci && io::stdin().is_terminal() && io::stdout().is_terminal();
    let terminal = is_terminal.then(Terminal::detect);
    if is_terminal {
        io::stdout().write_all(Terminal::greeting().as_bytes())?;
    }
    output_watch::end_without_reader();
    session::run_styled(BufReader::new(io::stdin()), io::stdout(), terminal).map(drop)
}
