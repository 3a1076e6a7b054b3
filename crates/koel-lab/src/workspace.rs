//! The workspace of Koel: its folders, and builds of the engine from the working tree or from a git
//! revision.

use std::env;
use std::fs;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use anyhow::{Context, Result};
use koel_arena::cli::{CommandContext, find_program};
use koel_arena::{EngineSpec, Match};
use koel_files::print_line;
use serde_json::Value;
use xshell::{Shell, cmd};

use crate::engine_bench;

/// The workspace that contains the current folder.
pub(crate) struct Workspace {
    /// A shell at the root of the workspace.
    shell: Shell,
    cargo: String,
}

impl Workspace {
    /// Finds the workspace of the current folder.
    pub(crate) fn find() -> Result<Workspace> {
        let shell = Shell::new()?;
        // `cargo run` states which cargo is running.
        let cargo = env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        let manifest =
            cmd!(shell, "{cargo} locate-project --workspace --message-format plain").quiet().read();
        let manifest = PathBuf::from(manifest.context("this is not the workspace of Koel")?);
        shell.change_dir(manifest.parent().context("the manifest is in no folder")?);
        Ok(Workspace { shell, cargo })
    }

    /// Returns a shell at the root of the workspace.
    pub(crate) fn shell(&self) -> &Shell {
        &self.shell
    }

    /// Returns the path of a file or folder of the workspace.
    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.shell.current_dir().join(relative)
    }

    /// Returns the commit that is checked out, abbreviated.
    pub(crate) fn commit(&self) -> Result<String> {
        Ok(cmd!(self.shell, "git rev-parse --short HEAD").quiet().read()?)
    }

    /// Returns cargo's target folder.
    pub(crate) fn target_folder(&self) -> Result<PathBuf> {
        let (shell, cargo) = (&self.shell, &self.cargo);
        let metadata =
            cmd!(shell, "{cargo} metadata --format-version 1 --no-deps").quiet().read()?;
        let metadata: Value = serde_json::from_str(&metadata)?;
        let folder = metadata["target_directory"].as_str();
        Ok(folder.context("cargo names no target directory")?.into())
    }

    /// Returns an engine with options for all switches and parameters of the search: the one of
    /// this name, or else a build of the working tree.
    pub(crate) fn engine_with_switches(&self, word: Option<&str>) -> Result<EngineSpec> {
        if let Some(word) = word {
            let mut engine = self.resolve(word)?;
            // It is started in other folders too.
            engine.command = std::path::absolute(&engine.command)?;
            return Ok(engine);
        }
        // A folder of its own, so that the normal build is not replaced.
        let folder = self.target_folder()?.join("switches");
        let folder = folder.to_string_lossy();
        let program = self.build(&["--features", "tune,switches", "--target-dir", &folder])?;
        Ok(EngineSpec::new("koel-switches", program))
    }

    /// Builds a revision in a worktree of its own. A revision is built only once.
    fn build_revision(&self, word: &str, commit: &str) -> Result<EngineSpec> {
        let shell = &self.shell;
        let target = self.target_folder()?.join("revisions");
        let command = target.join(format!("koel-{commit}{}", env::consts::EXE_SUFFIX));
        let name = format!("koel-{}", word.replace('/', "-"));
        if command.is_file() {
            return Ok(EngineSpec::new(name, command));
        }
        print_line!("building {word} ({commit})");
        shell.create_dir(&target)?;
        let built = if self.is_tree_of(commit) {
            self.build(&[])?
        } else {
            let tree = target.join(format!("tree-{commit}"));
            cmd!(shell, "git worktree add --quiet --force --detach {tree} {commit}")
                .quiet()
                .run()?;
            let folder = target.join("build");
            let built = {
                let _inside = shell.push_dir(&tree);
                self.build(&["--target-dir", &folder.to_string_lossy()])
            };
            cmd!(shell, "git worktree remove --force {tree}").quiet().run()?;
            built?
        };
        // Renamed when it is complete, so that an interrupted copy is never used as the engine.
        let partial = target.join(format!("partial-{commit}"));
        fs::copy(built, &partial).context("the built engine cannot be copied")?;
        fs::rename(&partial, &command)?;
        Ok(EngineSpec::new(name, command))
    }

    fn build(&self, more: &[&str]) -> Result<PathBuf> {
        let (shell, cargo) = (&self.shell, &self.cargo);
        let build =
            cmd!(shell, "{cargo} build --release --bin koel --message-format json {more...}");
        executable(&build.quiet().read()?)
    }
}

/// The origin of an engine.
enum Origin {
    WorkingTree,
    Program(EngineSpec),
    /// A commit, by its full name.
    Revision(String),
}

impl Workspace {
    /// Finds the origin of an engine by its name: `koel` for a release build of the working tree, a
    /// path, a git revision, or a program on the search path. Revisions precede programs, because
    /// some systems have a program `HEAD`.
    fn origin(&self, word: &str) -> Result<Origin> {
        if word == "koel" {
            return Ok(Origin::WorkingTree);
        }
        if let Some(program) = find_program(word).filter(|_| word.contains(MAIN_SEPARATOR)) {
            return Ok(Origin::Program(program));
        }
        let object = format!("{word}^{{commit}}");
        let commit = cmd!(self.shell, "git rev-parse --verify --quiet {object}");
        if let Ok(commit) = commit.quiet().ignore_stderr().read() {
            return Ok(Origin::Revision(commit.trim().to_owned()));
        }
        let program = find_program(word).map(Origin::Program);
        program
            .with_context(|| format!("`{word}` is neither `koel`, a program, nor a git revision"))
    }

    /// Returns true if the working tree is that of a commit, so that it need not be built again.
    fn is_tree_of(&self, commit: &str) -> bool {
        let shell = &self.shell;
        let head = cmd!(shell, "git rev-parse HEAD").quiet().read();
        let changes = cmd!(shell, "git status --porcelain").quiet().read();
        head.is_ok_and(|head| head == commit) && changes.is_ok_and(|changes| changes.is_empty())
    }
}

impl CommandContext for Workspace {
    fn resolve(&self, word: &str) -> Result<EngineSpec> {
        match self.origin(word)? {
            Origin::WorkingTree => Ok(EngineSpec::new("koel", self.build(&[])?)),
            Origin::Program(program) => Ok(program),
            Origin::Revision(commit) => self.build_revision(word, &commit),
        }
    }

    fn check(&self, word: &str) -> Result<()> {
        self.origin(word).map(drop)
    }

    fn match_folder(&self) -> Result<PathBuf> {
        let folder = self.target_folder()?.join("matches");
        Ok(self.shell.create_dir(folder)?)
    }

    /// Returns true if the bench of both engines searches the same number of nodes. Programs
    /// without a bench are taken to differ.
    fn engines_search_alike(&self, config: &Match) -> bool {
        let nodes = |program: &Path| {
            let nodes = engine_bench::run(program, None, None).ok()?.nodes;
            print_line!("bench of {}: {nodes} nodes", program.display());
            Some(nodes)
        };
        let [first, second] = &config.engines[..] else { return false };
        let first = nodes(&first.spec.command);
        first.is_some() && first == nodes(&second.spec.command)
    }
}

/// Returns the program that cargo reports as built.
fn executable(messages: &str) -> Result<PathBuf> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut programs = messages.filter_map(|message| Some(message["executable"].as_str()?.into()));
    programs.next_back().context("cargo names no executable")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_with_switches_has_an_absolute_path() {
        let engine = Workspace::find().unwrap().engine_with_switches(Some("./Cargo.toml"));
        let expected = env::current_dir().unwrap().join("Cargo.toml");
        assert_eq!(engine.unwrap().command, expected);
    }

    #[test]
    fn the_last_executable_is_the_engine() {
        let messages = r#"{"target":{"name":"koel"},"executable":null}
{"target":{"name":"koel"},"executable":"target/release/koel"}
not json"#;
        assert_eq!(executable(messages).unwrap(), Path::new("target/release/koel"));
        assert!(executable("").is_err());
    }
}
