//! `koel syzygy FOLDER`: which endgame tables of a folder are damaged or missing.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use koel_syzygy::{TableState, verify_folder};
use thiserror::Error;

/// The reason for which a folder is not in order.
#[derive(Debug, Error)]
pub(crate) enum VerifyError {
    #[error("{}: {error}", .folder.display())]
    Folder { folder: PathBuf, error: io::Error },
    #[error(transparent)]
    Output(#[from] io::Error),
    #[error("{0}: no endgame tables")]
    Empty(String),
    #[error("{0} of the endgame tables are damaged")]
    Damaged(usize),
}

/// Verifies a folder. Writes a line for every table that is damaged or missing, and the numbers of
/// all.
///
/// # Errors
/// A table is damaged, there is none, or the folder cannot be read.
pub(crate) fn verify(folder: &Path, output: &mut impl Write) -> Result<(), VerifyError> {
    let error = |error| VerifyError::Folder { folder: folder.to_owned(), error };
    let tables = verify_folder(folder).map_err(error)?;
    if tables.is_empty() {
        return Err(VerifyError::Empty(folder.display().to_string()));
    }
    let (mut intact, mut readable, mut damaged, mut missing) = (0, 0, 0, 0);
    for table in &tables {
        match table.state {
            TableState::Intact => intact += 1,
            TableState::Readable => readable += 1,
            TableState::Missing => missing += 1,
            _ => damaged += 1,
        }
        if !matches!(table.state, TableState::Intact | TableState::Readable) {
            writeln!(output, "{table}")?;
        }
    }
    writeln!(
        output,
        "{intact} intact, {readable} readable without a stored checksum, {damaged} damaged, \
         {missing} missing"
    )?;
    if damaged > 0 { Err(VerifyError::Damaged(damaged)) } else { Ok(()) }
}
