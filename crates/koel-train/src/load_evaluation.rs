//! Evaluations by the names that settings and manifests give them.

use std::io;
use std::path::Path;
use std::sync::Arc;

use koel_eval::network::NetworkError;
use koel_eval::{BUILT_IN, Evaluation, SearchNetwork};
use thiserror::Error;

/// The name of the evaluation by material and piece-square tables.
pub const MATERIAL: &str = "material";

/// The name of the hand-crafted evaluation, which played the games of the networks v2 and v3.
const HAND_WRITTEN: &str = "hand-written";

/// The name for the games of other machines, imported from PGN.
pub(crate) const IMPORTED: &str = "imported";

/// Reasons why an evaluation cannot be loaded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadEvaluationError {
    /// The hand-crafted evaluation no longer exists.
    #[error("the evaluation `{HAND_WRITTEN}` was removed; commit be9a531 is the last that has it")]
    Removed,
    /// The games were imported.
    #[error("the games were imported from PGN: they cannot be played again")]
    Imported,
    /// The network file cannot be read.
    #[error("{0}: {1}")]
    File(String, io::Error),
    /// The file is not a valid network.
    #[error("{0}: {1}")]
    Network(String, NetworkError),
}

/// Loads the evaluation with this name: [`MATERIAL`], the network `NAME.koelnet` of a folder, or
/// the built-in network if the folder has no file for its name.
///
/// # Errors
/// The network cannot be read, or the name is `hand-written`.
pub fn load_evaluation(name: &str, nets: &Path) -> Result<Evaluation, LoadEvaluationError> {
    match name {
        HAND_WRITTEN => return Err(LoadEvaluationError::Removed),
        IMPORTED => return Err(LoadEvaluationError::Imported),
        MATERIAL => return Ok(Evaluation::PieceSquareTables),
        _ => {}
    }
    let path = nets.join(format!("{name}.koelnet"));
    if name == BUILT_IN && !path.exists() {
        return Ok(Evaluation::default());
    }
    let text = || path.display().to_string();
    let bytes = koel_files::read(&path, SearchNetwork::file_sizes())
        .map_err(|error| LoadEvaluationError::File(text(), error))?;
    let network = SearchNetwork::from_bytes(&bytes);
    let network = network.map_err(|error| LoadEvaluationError::Network(text(), error))?;
    Ok(Evaluation::Network(Arc::new(network)))
}
