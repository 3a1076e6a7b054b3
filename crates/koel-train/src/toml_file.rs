//! Settings as TOML files. Errors name the file.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result};
use koel_files::SETTINGS;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Reads a value; `None` if there is no such file.
pub(crate) fn read_toml<T: DeserializeOwned>(path: &Path) -> Result<Option<T>> {
    let name = || path.display().to_string();
    match koel_files::read_to_string(path, SETTINGS) {
        Ok(text) => toml::from_str(&text).map(Some).with_context(name),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(name),
    }
}

/// Replaces a file in one step, so that an interruption leaves the old one.
pub(crate) fn write_toml(path: &Path, value: &impl Serialize) -> Result<()> {
    let text = toml::to_string(value)?;
    koel_files::replace(path, text).with_context(|| path.display().to_string())
}
