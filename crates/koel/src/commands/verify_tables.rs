//! `koel syzygy FOLDER`: which endgame tables of a folder are damaged or missing.

use std::io::Write;
use std::path::Path;

use koel_syzygy::{TableState, verify_folder};

use crate::CommandResult;

/// Verifies a folder. Writes a line for every table that is damaged or missing, and the numbers of
/// all.
///
/// # Errors
/// A table is damaged, there is none, or the folder cannot be read.
pub(crate) fn verify(folder: &Path, output: &mut impl Write) -> CommandResult {
    let name = folder.display();
    let tables = verify_folder(folder).map_err(|error| format!("{name}: {error}"))?;
    if tables.is_empty() {
        return Err(format!("{name}: no endgame tables").into());
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
    match damaged {
        0 => Ok(()),
        _ => Err(format!("{damaged} of the endgame tables are damaged").into()),
    }
}
