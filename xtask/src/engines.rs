//! What the words for an engine on the command line mean.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use koel_arena::cli::{EngineCommand, find_program};
use xshell::{Shell, cmd};

/// The program that is meant: `koel` for a release build of the working tree, a path, a git
/// revision, which is built, or a program on the search path. (Revisions go first: some systems
/// have a program `HEAD`.)
pub(crate) fn resolve(shell: &Shell, word: &str) -> Result<EngineCommand> {
    if word == "koel" {
        return working_tree(shell);
    }
    let path = shell.current_dir().join(word);
    if word.contains(std::path::MAIN_SEPARATOR) && path.is_file() {
        return Ok(EngineCommand::of_program(path));
    }
    let object = format!("{word}^{{commit}}");
    let commit = cmd!(shell, "git rev-parse --verify --quiet {object}");
    if let Ok(commit) = commit.quiet().ignore_stderr().read() {
        return revision(shell, word, commit.trim());
    }
    find_program(word)
        .with_context(|| format!("`{word}` is neither `koel`, a program, nor a git revision"))
}

fn working_tree(shell: &Shell) -> Result<EngineCommand> {
    Ok(EngineCommand::new("koel", build(shell, &[])?))
}

/// A build of the working tree of which every idea and number of the search can be set.
pub(crate) fn with_switches(shell: &Shell) -> Result<PathBuf> {
    // A folder of its own, or it would replace the usual build.
    let folder = target_folder(shell)?.join("switches");
    let folder = folder.to_string_lossy();
    build(shell, &["--features", "tune,ablate", "--target-dir", &folder])
}

/// Builds a revision in a worktree of its own, once.
fn revision(shell: &Shell, word: &str, commit: &str) -> Result<EngineCommand> {
    let target = target_folder(shell)?.join("revisions");
    let command = target.join(format!("koel-{commit}{}", env::consts::EXE_SUFFIX));
    let name = format!("koel-{}", word.replace('/', "-"));
    if command.is_file() {
        return Ok(EngineCommand::new(name, command));
    }
    println!("building {word} ({commit})");
    shell.create_dir(&target)?;
    let tree = target.join(format!("tree-{commit}"));
    cmd!(shell, "git worktree add --quiet --force --detach {tree} {commit}").quiet().run()?;
    let built = build_in(shell, &tree, &target.join("build"));
    let removed = cmd!(shell, "git worktree remove --force {tree}").quiet().run();
    // Renamed when it is whole, so that an interrupted copy is never taken for the engine.
    let partial = target.join(format!("partial-{commit}"));
    fs::copy(built?, &partial).context("the engine that was built cannot be copied")?;
    fs::rename(&partial, &command)?;
    removed?;
    Ok(EngineCommand::new(name, command))
}

fn build_in(shell: &Shell, tree: &Path, target: &Path) -> Result<PathBuf> {
    let _inside = shell.push_dir(tree);
    build(shell, &["--target-dir", &target.to_string_lossy()])
}

fn build(shell: &Shell, more: &[&str]) -> Result<PathBuf> {
    let cargo = crate::cargo();
    let built = cmd!(shell, "{cargo} build --release --bin koel --message-format json {more...}");
    executable(&built.quiet().read()?)
}

/// The program that cargo says it has built.
fn executable(messages: &str) -> Result<PathBuf> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["target"]["name"] == "koel")
        .filter_map(|message| message["executable"].as_str().map(PathBuf::from))
        .next_back()
        .context("cargo names no executable")
}

/// Cargo's folder for what is built.
pub(crate) fn target_folder(shell: &Shell) -> Result<PathBuf> {
    let cargo = crate::cargo();
    let metadata = cmd!(shell, "{cargo} metadata --format-version 1 --no-deps").quiet().read()?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata)?;
    let folder = metadata["target_directory"].as_str();
    Ok(folder.context("cargo names no target directory")?.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_executable_counts() {
        let messages = r#"{"target":{"name":"koel"},"executable":null}
{"target":{"name":"koel"},"executable":"target/release/koel"}
{"target":{"name":"other"},"executable":"target/release/other"}
not json"#;
        assert_eq!(executable(messages).unwrap(), Path::new("target/release/koel"));
        assert!(executable("").is_err());
    }
}
