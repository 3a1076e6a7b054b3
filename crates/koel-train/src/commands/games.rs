use std::fmt::Display;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use koel_train::record::GameRecord;
use koel_train::selfplay::GAMES_FILE;
use koel_train::viriformat::{GameReader, ViriformatError};

use super::Failure;

/// Counts every game of these folders of self-play. A last one that was not written to its end is
/// left out; an error names its file.
pub(crate) fn each_game(
    folders: &[PathBuf],
    mut count: impl FnMut(&GameRecord) -> Result<(), ViriformatError>,
) -> Result<(), Failure> {
    for folder in folders {
        let path = folder.join(GAMES_FILE);
        let said = |error: &dyn Display| format!("{}: {error}", path.display());
        let file = File::open(&path).map_err(|error| said(&error))?;
        let mut games = GameReader::new(BufReader::with_capacity(1 << 20, file));
        loop {
            match games.next_game() {
                Ok(Some(game)) => count(&game).map_err(|error| said(&error))?,
                Ok(None) | Err(ViriformatError::Unfinished) => break,
                Err(error) => return Err(said(&error).into()),
            }
        }
    }
    Ok(())
}
