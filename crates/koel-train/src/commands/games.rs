use std::fmt::Display;
use std::io::BufReader;
use std::path::PathBuf;

use koel_files::ANY_SIZE;
use koel_train::{GAMES_FILE, GameReader, IllegalPly, TrainingGame, ViriformatError};

use super::Failure;

/// Calls `visit` with every game of folders of self-play. An unfinished last game is left out; an
/// error names its file.
pub(crate) fn each_game(
    folders: &[PathBuf],
    mut visit: impl FnMut(&TrainingGame) -> Result<(), IllegalPly>,
) -> Result<(), Failure> {
    for folder in folders {
        let path = folder.join(GAMES_FILE);
        let text = |error: &dyn Display| format!("{}: {error}", path.display());
        let file = koel_files::open(&path, ANY_SIZE).map_err(|error| text(&error))?;
        let mut games = GameReader::new(BufReader::with_capacity(1 << 20, file));
        loop {
            match games.next_game() {
                Ok(Some(game)) => visit(&game).map_err(|error| text(&error))?,
                Ok(None) | Err(ViriformatError::Unfinished) => break,
                Err(error) => return Err(text(&error).into()),
            }
        }
    }
    Ok(())
}
