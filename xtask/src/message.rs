//! The node count of the bench at the end of every commit message, where OpenBench reads it.
//! `git config core.hooksPath xtask/hooks` makes git write it.

use anyhow::{Result, ensure};
use xshell::{Shell, cmd};

use crate::bench::SIGNATURE;

/// The trailer of a commit alone.
const FORMAT: &str = "--format=%(trailers:key=Bench,valueonly,separator=%x2C)";

/// Fails unless the message of the last commit ends with its signature.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    if cmd!(shell, "git rev-parse --quiet --verify HEAD^2").quiet().ignore_stdout().run().is_ok() {
        println!("skipped: a merge");
        return Ok(());
    }
    let found = cmd!(shell, "git log -1 {FORMAT}").quiet().read()?;
    let file = format!("HEAD:{SIGNATURE}");
    let signature = cmd!(shell, "git show {file}").quiet().read()?;
    ensure!(
        found == signature.trim(),
        "the last commit should end with `Bench: {signature}`, not `{found}`: \
         `git config core.hooksPath xtask/hooks` makes git write that"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hook_ends_the_message_with_the_signature() {
        let hook = concat!(env!("CARGO_MANIFEST_DIR"), "/hooks/commit-msg");
        let shell = Shell::new().unwrap();
        let folder = shell.create_temp_dir().unwrap();
        shell.change_dir(folder.path());
        for [name, value] in [["NAME", "A"], ["EMAIL", "a@example.org"]] {
            shell.set_var(format!("GIT_AUTHOR_{name}"), value);
            shell.set_var(format!("GIT_COMMITTER_{name}"), value);
        }
        cmd!(shell, "git init --quiet").quiet().run().unwrap();
        shell.write_file(SIGNATURE, "42\n").unwrap();
        cmd!(shell, "git add .").quiet().run().unwrap();
        for message in ["A\n", "A\n\nBody.\n", "A\n\nBench: 7\n", "A\n\nBody.\n# comment\n"] {
            shell.write_file("message", message).unwrap();
            let commit =
                "--quiet --allow-empty --no-verify --no-gpg-sign --file message".split(' ');
            let commit = || cmd!(shell, "git commit").args(commit.clone()).quiet();
            commit().run().unwrap();
            assert!(check(&shell).is_err(), "{message}");
            cmd!(shell, "sh {hook} message").quiet().run().unwrap();
            commit().run().unwrap();
            check(&shell).unwrap();
        }
    }
}
