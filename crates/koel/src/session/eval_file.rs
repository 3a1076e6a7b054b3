//! The option `EvalFile`, which selects the evaluation.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use koel_eval::network::NetworkError;
use koel_eval::{Evaluation, SearchNetwork};
use thiserror::Error;

/// A value of the option. An empty value, or `<empty>`, is the built-in network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EvalFile {
    BuiltIn,
    Plain,
    Network(PathBuf),
}

/// The reason why the evaluation is not changed.
#[derive(Debug, Error)]
pub(crate) enum EvalFileError {
    #[error("option EvalFile: {0}: {1}; the old evaluation is kept")]
    File(String, io::Error),
    #[error("option EvalFile: {0}: {1}; the old evaluation is kept")]
    Network(String, NetworkError),
}

impl EvalFile {
    /// Parses a value. `plain` is not a file but material with piece-square tables.
    pub(crate) fn parse(value: &str) -> EvalFile {
        match value {
            "" => EvalFile::BuiltIn,
            "plain" => EvalFile::Plain,
            path => EvalFile::Network(path.into()),
        }
    }

    /// Loads the evaluation, from the file if it is one.
    pub(crate) fn load(&self) -> Result<Evaluation, EvalFileError> {
        match self {
            EvalFile::BuiltIn => Ok(Evaluation::default()),
            EvalFile::Plain => Ok(Evaluation::PieceSquareTables),
            EvalFile::Network(path) => {
                let name = || path.display().to_string();
                let bytes = koel_files::read(path, SearchNetwork::file_sizes())
                    .map_err(|error| EvalFileError::File(name(), error))?;
                let network = SearchNetwork::from_bytes(&bytes)
                    .map_err(|error| EvalFileError::Network(name(), error))?;
                Ok(Evaluation::Network(Arc::new(network)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_files_are_distinguished() {
        assert_eq!(EvalFile::parse(""), EvalFile::BuiltIn);
        assert_eq!(EvalFile::parse("plain"), EvalFile::Plain);
        assert_eq!(EvalFile::parse("a b.koelnet"), EvalFile::Network("a b.koelnet".into()));
        let missing = EvalFile::parse("there is no such file").load().map_err(|e| e.to_string());
        assert!(missing.is_err_and(|text| text.contains("the old evaluation is kept")));
    }
}
