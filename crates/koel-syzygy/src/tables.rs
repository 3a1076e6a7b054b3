//! Probes that end even if a table is damaged.

use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use shakmaty::Chess;
use shakmaty_syzygy::{
    AmbiguousWdl, Dtz, MaybeRounded, Metric, ProbeError, SyzygyError, Tablebase, Wdl,
};

use crate::guard::{self, GuardedFiles};

/// The tables of some folders, read on demand. A table that turns out to be damaged is left out.
///
/// ```
/// use koel_syzygy::SyzygyTables;
/// use koel_syzygy::shakmaty::Chess;
///
/// let tables = SyzygyTables::new();
/// assert_eq!((tables.count(), tables.max_pieces()), (0, 0));
/// assert_eq!(tables.probe_wdl(&Chess::default()), None);
/// ```
#[derive(Debug)]
pub struct SyzygyTables {
    tables: Tablebase<Chess>,
    files: Arc<GuardedFiles>,
    names: HashSet<String>,
    damaged: Mutex<Vec<DamagedTable>>,
}

/// A table that is left out because its size is impossible or a probe failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DamagedTable {
    /// The name of the file, such as `KQvK.rtbz`.
    pub name: String,
    /// The reason.
    pub reason: String,
}

impl fmt::Display for DamagedTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the endgame table {} is left out: {}", self.name, self.reason)
    }
}

impl Default for SyzygyTables {
    fn default() -> SyzygyTables {
        SyzygyTables::new()
    }
}

impl SyzygyTables {
    /// Creates a collection without tables.
    #[must_use]
    pub fn new() -> SyzygyTables {
        let files = Arc::new(GuardedFiles::default());
        SyzygyTables {
            tables: Tablebase::with_filesystem(Arc::clone(&files) as _),
            files,
            names: HashSet::new(),
            damaged: Mutex::default(),
        }
    }

    /// Adds the tables of a folder and returns their number. Files that are no tables by their
    /// name, and what is no regular file, are passed over. A table whose size is impossible, or
    /// that is not found behind a link, is damaged.
    ///
    /// # Errors
    /// The folder cannot be read.
    #[allow(clippy::disallowed_methods, reason = "lists the files of tables")]
    pub fn add_folder(&mut self, folder: &Path) -> io::Result<usize> {
        let mut added = 0;
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let name = || path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            match self.tables.add_file(&path) {
                Ok(()) => {
                    added += 1;
                    self.names.insert(name());
                }
                Err(error) if error.kind() == io::ErrorKind::InvalidInput => {}
                Err(error) => self.note_damaged(name(), error.to_string()),
            }
        }
        Ok(added)
    }

    fn note_damaged(&self, name: String, reason: String) {
        let mut damaged = self.damaged.lock().unwrap_or_else(PoisonError::into_inner);
        damaged.push(DamagedTable { name, reason });
    }

    /// Returns the number of tables, each of them counted once.
    #[must_use]
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// Returns the greatest number of pieces, kings included, for which there is a table.
    #[must_use]
    pub fn max_pieces(&self) -> usize {
        self.tables.max_pieces()
    }

    /// Returns the result of a position right after a capture or a pawn move; `None` if a table is
    /// missing or damaged.
    #[must_use]
    pub fn probe_wdl_after_zeroing(&self, position: &Chess) -> Option<Wdl> {
        self.probe(|tables| tables.probe_wdl_after_zeroing(position))
    }

    /// Returns the result of a position with its halfmove clock; `None` if a table is missing or
    /// damaged.
    #[must_use]
    pub fn probe_wdl(&self, position: &Chess) -> Option<AmbiguousWdl> {
        self.probe(|tables| tables.probe_wdl(position))
    }

    /// Returns the distance to the next capture or pawn move in plies; `None` if a table is missing
    /// or damaged.
    #[must_use]
    pub fn probe_dtz(&self, position: &Chess) -> Option<MaybeRounded<Dtz>> {
        self.probe(|tables| tables.probe_dtz(position))
    }

    /// Returns the tables that were found to be damaged since the last call.
    #[must_use]
    pub fn take_damaged(&self) -> Vec<DamagedTable> {
        std::mem::take(&mut *self.damaged.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn probe<T>(
        &self,
        probe: impl FnOnce(&Tablebase<Chess>) -> Result<T, SyzygyError>,
    ) -> Option<T> {
        guard::start_probe();
        match probe(&self.tables) {
            Ok(result) => Some(result),
            Err(SyzygyError::ProbeFailed { metric, material, error }) => {
                let ending = match metric {
                    Metric::Wdl => "rtbw",
                    Metric::Dtz => "rtbz",
                };
                let name = format!("{material}.{ending}");
                if self.files.leave_out(&name) {
                    self.note_damaged(name, describe(&error));
                }
                None
            }
            Err(_) => None,
        }
    }
}

fn describe(error: &ProbeError) -> String {
    match error {
        ProbeError::Read { error } => error.to_string(),
        ProbeError::Magic { .. } => "it does not begin like a table".to_owned(),
        // Its text is a backtrace.
        ProbeError::CorruptedTable { .. } => "it is damaged".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;
    use tempfile::TempDir;

    use super::*;
    use crate::tests::write_constant_table;

    /// A position of blocked pawns, in which the kings may move for long.
    const LOCKED: &str = "k7/6K1/8/7p/7P/8/8/8 w - - 0 1";
    /// The value of a loss in a WDL table.
    const LOSS: u8 = 0;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    fn tables(flags: u8) -> (TempDir, SyzygyTables) {
        let folder = tempfile::tempdir().unwrap();
        for name in ["KPvK.rtbw", "KPvK.rtbz", "KPvKP.rtbw"] {
            write_constant_table(folder.path(), name, 0, LOSS);
        }
        write_constant_table(folder.path(), "KPvKP.rtbz", flags, 0);
        let mut tables = SyzygyTables::new();
        assert_eq!(tables.add_folder(folder.path()).unwrap(), 4);
        (folder, tables)
    }

    #[test]
    fn a_table_with_the_right_flag_is_probed() {
        let (_folder, tables) = tables(0);
        let position = position(LOCKED);
        assert_eq!(tables.probe_wdl_after_zeroing(&position), Some(Wdl::Loss));
        assert_eq!(tables.probe_dtz(&position).map(|dtz| dtz.ignore_rounding()), Some(Dtz(-1)));
        assert!(tables.take_damaged().is_empty());
    }

    /// Without the check of the header, the probe overflows the stack.
    #[test]
    fn a_probe_of_a_table_without_a_side_ends_and_is_reported_once() {
        let (_folder, tables) = tables(1);
        let position = position(LOCKED);
        for _ in 0..3 {
            assert!(tables.probe_dtz(&position).is_none());
        }
        let damaged = tables.take_damaged();
        assert_eq!(
            damaged.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["the endgame table KPvKP.rtbz is left out: \
              the header states one side to move, expected both"]
        );
        assert!(tables.take_damaged().is_empty());
        assert_eq!(tables.probe_wdl_after_zeroing(&position), Some(Wdl::Loss));
    }

    #[test]
    fn a_file_that_is_no_table_is_reported_once() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("KQvK.rtbw"), [1; 80]).unwrap();
        let mut tables = SyzygyTables::new();
        assert_eq!(tables.add_folder(folder.path()).unwrap(), 1);
        let position = position("8/8/8/8/8/2k5/8/K6Q w - - 0 1");
        assert!(tables.probe_wdl_after_zeroing(&position).is_none());
        assert!(tables.probe_wdl_after_zeroing(&position).is_none());
        let damaged = tables.take_damaged();
        assert!(damaged.len() == 1 && damaged[0].reason.contains("begin"), "{damaged:?}");
    }
}
