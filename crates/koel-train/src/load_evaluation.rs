//! Evaluations by the names that settings and manifests give them.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use koel_eval::{BUILT_IN, Evaluation, SearchNetwork};

use crate::hash::sha256_of;

/// The name of the evaluation by material and piece-square tables.
pub(crate) const MATERIAL: &str = "material";

/// The name for the games of other machines, imported from PGN.
pub(crate) const IMPORTED: &str = "imported";

/// Loads the evaluation with this name: [`MATERIAL`], the network `NAME.koelnet` of a folder, or
/// the built-in network if the folder has no file for its name.
///
/// # Errors
/// The network cannot be read, or the name is [`IMPORTED`].
pub(crate) fn load_evaluation(name: &str, nets: &Path) -> Result<Evaluation> {
    match name {
        IMPORTED => bail!("the games were imported from PGN: they cannot be played again"),
        MATERIAL => return Ok(Evaluation::PieceSquareTables),
        _ => {}
    }
    let path = nets.join(format!("{name}.koelnet"));
    if name == BUILT_IN && !path.exists() {
        return Ok(Evaluation::default());
    }
    let file_name = || path.display().to_string();
    let bytes = koel_files::read(&path, SearchNetwork::file_sizes()).with_context(file_name)?;
    let network = SearchNetwork::from_bytes(&bytes).with_context(file_name)?;
    Ok(Evaluation::Network(Arc::new(network)))
}

/// Returns the hash of the file of an evaluation, if it is a network.
pub(crate) fn evaluation_sha256(evaluation: &Evaluation) -> Option<String> {
    match evaluation {
        Evaluation::Network(network) => Some(sha256_of(&network.to_bytes())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::write_file;

    #[test]
    fn a_network_is_read_from_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let zero = SearchNetwork::zero();
        write_file(folder, "zero.koelnet", zero.to_bytes());
        let read = load_evaluation("zero", folder).unwrap();
        assert_eq!(evaluation_sha256(&read), Some(sha256_of(&zero.to_bytes())));
        let Evaluation::Network(read) = read else {
            panic!("another evaluation");
        };
        assert_eq!(*read, zero);
        write_file(folder, "zero.koelnet", "KOELNET");
        for name in ["zero", "missing", IMPORTED] {
            assert!(load_evaluation(name, folder).is_err(), "{name}");
        }
    }
}
