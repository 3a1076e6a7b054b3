//! The release build of the engine, the platform, and cargo's target folder.

use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::Value;
use xshell::{Shell, cmd};

/// Builds the engine in release mode and returns the program.
pub(crate) fn build(shell: &Shell) -> Result<PathBuf> {
    let cargo = crate::cargo();
    let build = cmd!(shell, "{cargo} build --release --bin koel --message-format json");
    let messages = build.quiet().read()?;
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut programs = messages.filter_map(|message| Some(message["executable"].as_str()?.into()));
    programs.next_back().context("cargo names no executable")
}

/// Returns the platform of the compiler, such as `x86_64-unknown-linux-gnu`.
pub(crate) fn host(shell: &Shell) -> Result<String> {
    let version = cmd!(shell, "rustc -vV").quiet().read()?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc does not name its host")?.to_owned())
}

/// Returns the folder of the programs of rustup's component llvm-tools.
pub(crate) fn compiler_folder(shell: &Shell) -> Result<PathBuf> {
    let libraries = cmd!(shell, "rustc --print target-libdir").quiet().read()?;
    Ok(PathBuf::from(libraries).with_file_name("bin"))
}

/// Returns cargo's target folder.
pub(crate) fn target_folder(shell: &Shell) -> Result<PathBuf> {
    let cargo = crate::cargo();
    let metadata = cmd!(shell, "{cargo} metadata --format-version 1 --no-deps").quiet().read()?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let folder = metadata["target_directory"].as_str();
    Ok(folder.context("cargo names no target directory")?.into())
}
