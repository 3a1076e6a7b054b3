//! The programs of engines, and the options that all of them get.

use std::env;
use std::path::{MAIN_SEPARATOR, PathBuf};

use crate::engine::EngineSpec;

/// The folder for games on Debian, which is often missing from the search path.
const GAMES_FOLDER: &str = "/usr/games";

/// Finds a program by its path, or by its name on the search path or in `/usr/games`. The engine is
/// named after its file.
pub fn find_program(word: &str) -> Option<EngineSpec> {
    let path = find_path(word)?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Some(EngineSpec::new(name, path))
}

fn find_path(word: &str) -> Option<PathBuf> {
    if word.contains(MAIN_SEPARATOR) {
        return Some(PathBuf::from(word)).filter(|path| path.is_file());
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain([PathBuf::from(GAMES_FOLDER)]);
    let name = format!("{word}{}", env::consts::EXE_SUFFIX);
    let mut programs = folders.map(|folder| folder.join(&name));
    programs.find(|program| program.is_file())
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
