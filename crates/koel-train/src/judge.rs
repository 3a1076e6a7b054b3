//! Evaluations by name, as settings and manifests write them.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use koel_eval::network::NetworkError;
use koel_eval::{Evaluation, SearchNetwork};
use thiserror::Error;

/// The name of material and piece-square tables.
pub const PLAIN: &str = "material";

/// Why a network cannot be played with.
#[derive(Debug, Error)]
pub enum JudgeError {
    /// Its file cannot be read.
    #[error("{0}: {1}")]
    File(String, io::Error),
    /// It is none.
    #[error("{0}: {1}")]
    Network(String, NetworkError),
}

/// The evaluation of this name; if it is not [`PLAIN`], the network `NAME.koelnet` in
/// a folder.
///
/// # Errors
/// The network cannot be read.
pub fn evaluation(name: &str, nets: &Path) -> Result<Evaluation, JudgeError> {
    if name == PLAIN {
        return Ok(Evaluation::PieceSquareTables);
    }
    let path = nets.join(format!("{name}.koelnet"));
    let said = || path.display().to_string();
    let bytes = fs::read(&path).map_err(|error| JudgeError::File(said(), error))?;
    let network = SearchNetwork::from_bytes_padded(&bytes);
    let network = network.map_err(|error| JudgeError::Network(said(), error))?;
    Ok(Evaluation::Network(Arc::new(network)))
}
