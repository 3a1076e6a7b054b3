//! The program and the options of an engine, and its timeouts.

use std::path::PathBuf;
use std::time::Duration;

/// The program of an engine, its arguments and its options.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct EngineSpec {
    /// The name of the engine in the match.
    pub name: String,
    /// The path of the program.
    pub command: PathBuf,
    /// The arguments of the program.
    pub arguments: Vec<String>,
    /// The working folder of the program; `None` for that of the runner.
    pub folder: Option<PathBuf>,
    /// Variables that are added to the environment of the program.
    pub environment: Vec<(String, String)>,
    /// The file to which the dialogue with the engine is added. Default: none.
    pub log: Option<PathBuf>,
    /// True if the engine thinks on its opponent's time, with the option `Ponder` and a clock.
    pub ponders: bool,
    /// UCI options with their values. An engine without one of them cannot play.
    pub options: Vec<(String, String)>,
    /// UCI options that are set only if the engine has them.
    pub preferred_options: Vec<(String, String)>,
}

impl EngineSpec {
    /// Returns an engine without arguments and options.
    pub fn new(name: impl Into<String>, command: impl Into<PathBuf>) -> EngineSpec {
        EngineSpec { name: name.into(), command: command.into(), ..EngineSpec::default() }
    }

    /// Adds a UCI option that the engine must have.
    #[must_use]
    pub fn with_option(mut self, name: impl Into<String>, value: impl ToString) -> EngineSpec {
        self.options.push((name.into(), value.to_string()));
        self
    }

    /// Returns the number of threads that the options ask for, as they have it; 1 by default.
    pub fn threads(&self) -> &str {
        let is_threads = |name: &str| name.to_ascii_lowercase().contains("threads");
        let last = self.options.iter().rfind(|(name, _)| is_threads(name));
        last.map_or("1", |(_, value)| value)
    }
}

/// The timeouts of an engine beside the clock.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Timeouts {
    /// From the start of the program to `uciok`. Default: 10 s.
    pub startup: Duration,
    /// From `isready` to `readyok`. Default: 10 s.
    pub ready: Duration,
    /// For a move without a clock: with a limit of nodes or depth. Default: 120 s.
    pub search: Duration,
    /// From `stop` to `bestmove`, after which the engine counts as stalled. Default: 2 s.
    pub stop: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            startup: Duration::from_secs(10),
            ready: Duration::from_secs(10),
            search: Duration::from_secs(120),
            stop: Duration::from_secs(2),
        }
    }
}
