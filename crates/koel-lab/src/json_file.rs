//! Files of JSON.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result};
use koel_files::IN_MEMORY;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Reads a file; `None` if there is no such file.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>> {
    let text = match koel_files::read_to_string(path, IN_MEMORY) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        text => text.with_context(|| path.display().to_string())?,
    };
    serde_json::from_str(&text).map(Some).with_context(|| path.display().to_string())
}

/// Replaces a file by a complete new one, in which each object of a list has a line of its own.
pub(crate) fn write(path: &Path, value: &impl Serialize) -> Result<()> {
    let text = serde_json::to_string(value)?.replace("},{", "},\n{") + "\n";
    koel_files::replace(path, text).with_context(|| path.display().to_string())
}

/// Replaces a file by a complete new one with a line for each value.
pub(crate) fn write_pretty(path: &Path, value: &impl Serialize) -> Result<()> {
    let text = serde_json::to_string_pretty(value)? + "\n";
    koel_files::replace(path, text).with_context(|| path.display().to_string())
}
