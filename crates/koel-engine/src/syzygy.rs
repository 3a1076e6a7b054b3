//! Syzygy endgame tablebases.

use std::env;
use std::io;
use std::path::PathBuf;

use koel_board::Position;
use koel_search::{Tablebase, Wdl};
use koel_syzygy::{DamagedTable, SyzygyTables};
use shakmaty_syzygy::Wdl as FileWdl;
use thiserror::Error;

/// The tablebases of some folders, read on demand.
#[derive(Debug)]
pub struct Syzygy {
    tables: SyzygyTables,
}

/// The reason why tablebases cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SyzygyError {
    /// A folder cannot be read.
    #[error("{}: {error}", .folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// There are no tables in the folders of this path.
    #[error("no endgame tables in {0}")]
    Empty(String),
}

impl Syzygy {
    /// Opens the tablebases of folders, which are separated as in the system's search path: by
    /// colons, on Windows by semicolons. Returns the errors of folders that cannot be read as well,
    /// if there are tables in others.
    ///
    /// # Errors
    /// There are no tables: the error of the first folder that cannot be read, if there is one.
    pub fn open(path: &str) -> Result<(Syzygy, Vec<SyzygyError>), SyzygyError> {
        let mut tables = SyzygyTables::new();
        let mut errors = Vec::new();
        for folder in env::split_paths(path).filter(|folder| !folder.as_os_str().is_empty()) {
            if let Err(error) = tables.add_folder(&folder) {
                errors.push(SyzygyError::Folder { folder, error });
            }
        }
        if tables.count() > 0 {
            return Ok((Syzygy { tables }, errors));
        }
        Err(errors.into_iter().next().unwrap_or_else(|| SyzygyError::Empty(path.to_owned())))
    }

    /// Describes the tables found.
    #[must_use]
    pub fn summary(&self) -> String {
        let (count, pieces) = (self.tables.count(), self.tables.max_pieces());
        format!("{count} endgame tables of up to {pieces} pieces")
    }

    /// Returns the tables that were found to be damaged since the last call, to be reported.
    #[must_use]
    pub fn take_damaged(&self) -> Vec<DamagedTable> {
        self.tables.take_damaged()
    }
}

impl Tablebase for Syzygy {
    fn max_pieces(&self) -> usize {
        self.tables.max_pieces()
    }

    fn probe_wdl(&self, position: &Position) -> Option<Wdl> {
        Some(match self.tables.probe_wdl_after_zeroing(&position.to_shakmaty())? {
            FileWdl::Loss => Wdl::Loss,
            FileWdl::BlessedLoss => Wdl::BlessedLoss,
            FileWdl::Draw => Wdl::Draw,
            FileWdl::CursedWin => Wdl::CursedWin,
            FileWdl::Win => Wdl::Win,
        })
    }

    fn probe_dtz(&self, position: &Position) -> Option<i32> {
        let distance = self.tables.probe_dtz(&position.to_shakmaty())?;
        Some(distance.ignore_rounding().0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_without_tables_is_refused() {
        let folder = env!("CARGO_MANIFEST_DIR");
        assert!(matches!(Syzygy::open(folder), Err(SyzygyError::Empty(_))));
        assert!(matches!(Syzygy::open(""), Err(SyzygyError::Empty(_))));
        let nowhere = format!("{folder}/nowhere");
        assert!(matches!(Syzygy::open(&nowhere), Err(SyzygyError::Folder { .. })));
    }

    #[test]
    fn a_missing_folder_is_an_error_beside_the_tables_of_others() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        // Tables are found by their names and the form of their size, and read when they are
        // needed.
        std::fs::write(folder.join("KQvK.rtbw"), [0; 80]).unwrap();
        let nowhere = folder.join("nowhere");
        for folders in [[&nowhere, folder], [folder, &nowhere]] {
            let path = env::join_paths(folders).unwrap().into_string().unwrap();
            let (tables, errors) = Syzygy::open(&path).unwrap();
            assert_eq!((tables.tables.count(), errors.len()), (1, 1));
            assert!(errors[0].to_string().contains("nowhere"), "{}", errors[0]);
        }
        let only = nowhere.to_str().unwrap();
        assert!(matches!(Syzygy::open(only), Err(SyzygyError::Folder { .. })));
    }

    /// Checks positions with known values: `KOEL_SYZYGY_EPD` names a file whose lines have `wdl`
    /// and
    /// `dtz` operations.
    #[test]
    fn known_values_agree() {
        let (Ok(path), Ok(file)) = (env::var("KOEL_SYZYGY_PATH"), env::var("KOEL_SYZYGY_EPD"))
        else {
            println!("skipped: KOEL_SYZYGY_PATH or KOEL_SYZYGY_EPD is not set");
            return;
        };
        let (tables, _) = Syzygy::open(&path).unwrap();
        let mut agreed = 0;
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let fields: Vec<_> = line.split_ascii_whitespace().collect();
            let value = |name| {
                let place = fields.iter().position(|&field| field == name).unwrap();
                fields[place + 1].trim_end_matches(';').parse::<i32>().unwrap()
            };
            let fen = format!("{} 0 1", fields[..4].join(" "));
            let position = Position::from_fen(&fen).unwrap();
            let wdl = tables.probe_wdl(&position).map(|wdl| wdl as i32 - 2);
            assert_eq!(
                (wdl, tables.probe_dtz(&position)),
                (Some(value("wdl")), Some(value("dtz")))
            );
            agreed += 1;
        }
        println!("{agreed} positions agree");
        assert!(agreed > 0);
    }
}
