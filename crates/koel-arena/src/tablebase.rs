//! Adjudication by endgame tablebases (Syzygy).

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use koel_random::fnv1a;
use koel_syzygy::SyzygyTables;
use shakmaty::{Chess, KnownOutcome, Position};
use shakmaty_syzygy::Wdl;

/// Tablebases that adjudicate positions with few pieces.
#[derive(Debug)]
pub struct TablebaseAdjudicator {
    tables: SyzygyTables,
    /// The names and sizes of the files, sorted.
    files: Vec<(OsString, u64)>,
    /// The results that end a game. Default: both.
    pub results: TablebaseResults,
    /// True if the fifty-move rule counts. Default: true.
    pub has_fifty_moves: bool,
}

/// The results of tablebases that end a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum TablebaseResults {
    /// Wins and draws
    #[default]
    Both,
    /// Wins alone
    Wins,
    /// Draws alone
    Draws,
}

/// Tablebases that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TablebaseError {
    /// A folder cannot be read, or a tablebase in it is broken.
    #[error("{path}: {1}", path = .0.display())]
    Folder(PathBuf, #[source] io::Error),
    /// There is no tablebase in a folder.
    #[error("{path} has no tablebases", path = .0.display())]
    Empty(PathBuf),
}

impl TablebaseAdjudicator {
    /// Opens the tablebases in these folders. Their data are read when they are probed.
    ///
    /// # Errors
    /// If a folder cannot be read, or has no tablebase.
    pub fn open(folders: &[impl AsRef<Path>]) -> Result<TablebaseAdjudicator, TablebaseError> {
        let (mut tables, mut files) = (SyzygyTables::new(), Vec::new());
        for path in folders.iter().map(AsRef::as_ref) {
            let added = tables.add_folder(path);
            let error = |source| TablebaseError::Folder(path.to_owned(), source);
            if added.map_err(error)? == 0 {
                return Err(TablebaseError::Empty(path.to_owned()));
            }
            for file in path.read_dir().map_err(error)? {
                let file = file.map_err(error)?;
                files.push((file.file_name(), file.metadata().map_err(error)?.len()));
            }
        }
        files.sort();
        let (results, has_fifty_moves) = (TablebaseResults::Both, true);
        Ok(TablebaseAdjudicator { tables, files, results, has_fifty_moves })
    }

    /// Describes the tablebases by their greatest number of pieces and a hash of the names and
    /// sizes of their files.
    pub fn description(&self) -> String {
        let hash = fnv1a(format!("{:?}", self.files).as_bytes());
        let rules = (self.results, self.has_fifty_moves);
        format!("{} pieces {hash:016x} {rules:?}", self.max_pieces())
    }

    /// Returns messages about tablebases that were found to be damaged since the last call. They
    /// are left out.
    pub fn take_warnings(&self) -> Vec<String> {
        self.tables.take_damaged().iter().map(ToString::to_string).collect()
    }

    /// The greatest number of pieces, kings included, for which there is a tablebase.
    pub fn max_pieces(&self) -> usize {
        self.tables.max_pieces()
    }

    /// Returns the outcome of a position with best play and the fifty-move rule. `None` if there is
    /// no tablebase for it, if a side may castle, or if the rounded distances of the tablebase do
    /// not tell whether the win comes before the fifty-move rule.
    pub fn probe(&self, position: &Chess) -> Option<KnownOutcome> {
        if position.board().occupied().count() > self.max_pieces() {
            return None;
        }
        let us = position.turn();
        let found = self.tables.probe_wdl(position)?;
        let has_fifty_moves = self.has_fifty_moves;
        let found = if has_fifty_moves { found.unambiguous()? } else { found.after_zeroing() };
        let winner = match found {
            Wdl::Win => Some(us),
            Wdl::Loss => Some(!us),
            Wdl::CursedWin if !has_fifty_moves => Some(us),
            Wdl::BlessedLoss if !has_fifty_moves => Some(!us),
            Wdl::Draw | Wdl::CursedWin | Wdl::BlessedLoss => None,
        };
        let is_wanted = match self.results {
            TablebaseResults::Both => true,
            TablebaseResults::Wins => winner.is_some(),
            TablebaseResults::Draws => winner.is_none(),
        };
        is_wanted.then(|| KnownOutcome::from_winner(winner))
    }
}
