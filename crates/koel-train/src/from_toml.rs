//! TOML files, with errors that name the file.

use std::path::Path;

use serde::de::DeserializeOwned;

/// Reads a value from the text of a file. The error names the file.
pub(crate) fn from_toml<T: DeserializeOwned>(text: &str, path: &Path) -> Result<T, String> {
    toml::from_str(text).map_err(|error| format!("{}: {error}", path.display()))
}
