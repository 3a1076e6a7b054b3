//! The release build of the engine, and cargo's target folder.

use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::Value;
use xshell::{Shell, cmd};

/// Builds the engine in release mode and returns the program.
pub(crate) fn build(shell: &Shell) -> Result<PathBuf> {
    let cargo = crate::cargo();
    let messages = cmd!(shell, "{cargo} build --release --bin koel --message-format json");
    executable(&messages.quiet().read()?)
}

/// Returns the program that cargo reports as built.
fn executable(messages: &str) -> Result<PathBuf> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["target"]["name"] == "koel")
        .filter_map(|message| message["executable"].as_str().map(PathBuf::from))
        .next_back()
        .context("cargo names no executable")
}

/// Returns cargo's target folder.
pub(crate) fn target_folder(shell: &Shell) -> Result<PathBuf> {
    let cargo = crate::cargo();
    let metadata = cmd!(shell, "{cargo} metadata --format-version 1 --no-deps").quiet().read()?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let folder = metadata["target_directory"].as_str();
    Ok(folder.context("cargo names no target directory")?.into())
}
