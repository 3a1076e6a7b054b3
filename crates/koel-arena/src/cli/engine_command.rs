//! The program of an engine, as the command line names it.

use std::env;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

/// The folder for games on Debian, which is often missing from the search path.
const GAMES_FOLDER: &str = "/usr/games";

/// An engine that can be started, with options of its own.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct EngineCommand {
    /// The name of the engine in the match.
    pub name: String,
    /// The path of the program.
    pub command: PathBuf,
    /// The arguments of the program.
    pub arguments: Vec<String>,
    /// UCI options that the engine must have, with their values.
    pub options: Vec<(String, String)>,
}

impl EngineCommand {
    /// Returns an engine without arguments and options.
    pub fn new(name: impl Into<String>, command: impl Into<PathBuf>) -> EngineCommand {
        EngineCommand { name: name.into(), command: command.into(), ..EngineCommand::default() }
    }

    /// Returns the engine of a program, named after its file.
    pub fn of_program(command: impl Into<PathBuf>) -> EngineCommand {
        let command = command.into();
        let name = command.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        EngineCommand::new(name, command)
    }
}

/// Finds a program by its path, or by its name on the search path or in `/usr/games`.
pub fn find_program(word: &str) -> Option<EngineCommand> {
    if word.contains(MAIN_SEPARATOR) {
        let path = Path::new(word);
        return path.is_file().then(|| EngineCommand::of_program(path));
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain([PathBuf::from(GAMES_FOLDER)]);
    let name = format!("{word}{}", env::consts::EXE_SUFFIX);
    let mut programs = folders.map(|folder| folder.join(&name));
    programs.find(|program| program.is_file()).map(EngineCommand::of_program)
}

/// Returns the options that make a match fair, set for every engine that has them: one thread, the
/// same hash size in MiB, no opening book, no pondering, and a small move overhead.
pub fn fair_options(hash: u32) -> Vec<(String, String)> {
    let hash = hash.to_string();
    [
        ("Hash", hash.as_str()),
        ("Threads", "1"),
        ("Number of Threads", "1"),
        ("Ponder", "false"),
        ("OwnBook", "false"),
        ("Move Overhead", "5"),
        ("MoveOverhead", "5"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_file_and_a_name_is_on_the_search_path() {
        let this = env::current_exe().unwrap();
        let found = find_program(&this.to_string_lossy()).unwrap();
        assert_eq!(found.command, this);
        assert!(this.to_string_lossy().contains(&found.name));
        assert!(find_program("./no-such-engine").is_none());
        assert!(find_program("no-such-engine").is_none());
    }
}
