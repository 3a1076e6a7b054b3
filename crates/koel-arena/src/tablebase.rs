//! Endgame tables: how a game with few pieces ends when nobody errs. (Syzygy bases.)

use std::io;
use std::path::{Path, PathBuf};

use shakmaty::{Chess, Color, Position};
use shakmaty_syzygy::{Tablebase, Wdl};

/// The tables of some folders.
#[derive(Debug)]
pub struct TablebaseAdjudicator {
    tables: Tablebase<Chess>,
    folders: Vec<PathBuf>,
}

/// How a position ends, with the fifty-move rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TablebaseVerdict {
    /// This side wins.
    Won(Color),
    /// Nobody does, or not soon enough.
    Drawn,
}

/// Tables that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TablebaseError {
    /// A folder cannot be read, or a table in it is broken.
    #[error("{path}: {source}", path = .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What is wrong.
        source: io::Error,
    },
    /// There is no table in a folder.
    #[error("{path} has no endgame tables", path = .0.display())]
    Empty(PathBuf),
}

impl TablebaseAdjudicator {
    /// The tables in these folders, which are read when they are needed.
    ///
    /// # Errors
    /// A folder cannot be read, or has no table.
    pub fn open(folders: &[impl AsRef<Path>]) -> Result<TablebaseAdjudicator, TablebaseError> {
        let mut tables = Tablebase::new();
        let folders: Vec<_> = folders.iter().map(|path| path.as_ref().to_owned()).collect();
        for path in &folders {
            let added = tables.add_directory(path);
            let error = |source| TablebaseError::Folder { path: path.clone(), source };
            if added.map_err(error)? == 0 {
                return Err(TablebaseError::Empty(path.clone()));
            }
        }
        Ok(TablebaseAdjudicator { tables, folders })
    }

    /// Where the tables are.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// The most pieces of a position, kings included, for which there is a table.
    pub fn max_pieces(&self) -> usize {
        self.tables.max_pieces()
    }

    /// How the position ends. `None` when there is no table for it, when somebody may castle, and
    /// when the tables, which round the distance to the next capture or pawn's move, leave open
    /// whether the win comes before the fifty moves are over.
    pub fn verdict(&self, position: &Chess) -> Option<TablebaseVerdict> {
        if position.board().occupied().count() > self.max_pieces() {
            return None;
        }
        let us = position.turn();
        Some(match self.tables.probe_wdl(position).ok()?.unambiguous()? {
            Wdl::Win => TablebaseVerdict::Won(us),
            Wdl::Loss => TablebaseVerdict::Won(!us),
            Wdl::Draw | Wdl::CursedWin | Wdl::BlessedLoss => TablebaseVerdict::Drawn,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_tables_is_an_error() {
        let folder = env!("CARGO_MANIFEST_DIR");
        assert!(matches!(TablebaseAdjudicator::open(&[folder]), Err(TablebaseError::Empty(_))));
        let nowhere = Path::new(folder).join("nowhere");
        assert!(matches!(
            TablebaseAdjudicator::open(&[nowhere]),
            Err(TablebaseError::Folder { .. })
        ));
    }
}
