//! The network that an experiment evaluates with.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use koel_eval::{Evaluation, SearchNetwork};

/// Loads the network of a file; returns the embedded network if no file is given.
pub(crate) fn load_evaluation(path: Option<&Path>) -> Result<Evaluation> {
    let Some(path) = path else { return Ok(Evaluation::default()) };
    let name = || path.display().to_string();
    let bytes = koel_files::read(path, SearchNetwork::file_sizes()).with_context(name)?;
    let network = SearchNetwork::from_bytes(&bytes).with_context(name)?;
    Ok(Evaluation::Network(Arc::new(network)))
}
