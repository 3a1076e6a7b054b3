//! `cargo xtask hooks`: the node count of the bench in every commit message, where OpenBench reads
//! it.

use anyhow::{Result, ensure};
use xshell::{Shell, cmd};

use crate::bench::SIGNATURE;

const HOOK: &str = include_str!("commit-msg");

/// Installs the hook in this clone. Another hook that is there already is an error.
pub(crate) fn install(shell: &Shell) -> Result<()> {
    let path = cmd!(shell, "git rev-parse --git-path hooks/commit-msg").quiet().read()?;
    let path = shell.current_dir().join(path);
    let is_own = shell.read_file(&path).map_or(true, |found| found == HOOK);
    ensure!(is_own, "{} is another hook: add the lines of xtask/src/commit-msg", path.display());
    shell.write_file(&path, HOOK)?;
    #[cfg(unix)]
    cmd!(shell, "chmod +x {path}").quiet().run()?;
    println!("{}: every commit message ends with `Bench: N`", path.display());
    Ok(())
}

/// Fails unless the message of the last commit ends with the signature.
pub(crate) fn check_message(shell: &Shell) -> Result<()> {
    if cmd!(shell, "git rev-parse --quiet --verify HEAD^2").quiet().ignore_stdout().run().is_ok() {
        println!("skipped: a merge");
        return Ok(());
    }
    let format = "%(trailers:key=Bench,valueonly)";
    let found = cmd!(shell, "git log -1 --format={format}").quiet().read()?;
    let file = format!("HEAD:{SIGNATURE}");
    let signature = cmd!(shell, "git show {file}").quiet().read()?;
    ensure!(!found.is_empty(), "the last commit has no line `Bench: N`: `cargo xtask hooks`");
    ensure!(
        found.trim() == signature.trim(),
        "the message of the last commit says {found} nodes, its {SIGNATURE} {signature}"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hook_ends_the_message_with_the_signature() {
        let shell = Shell::new().unwrap();
        let folder = shell.create_temp_dir().unwrap();
        shell.change_dir(folder.path());
        shell.write_file(SIGNATURE, "42\n").unwrap();
        shell.write_file("hook", HOOK).unwrap();
        for message in ["A\n", "A\n\nBody.\n", "A\n\nBench: 7\n", "A\n\nBody.\n# comment\n"] {
            shell.write_file("message", message).unwrap();
            cmd!(shell, "sh hook message").quiet().run().unwrap();
            let message = shell.read_file("message").unwrap();
            let last = message.lines().rfind(|line| !line.starts_with('#'));
            assert_eq!(last, Some("Bench: 42"), "{message}");
            let trailer = cmd!(shell, "git interpret-trailers --parse message").quiet().read();
            assert_eq!(trailer.unwrap(), "Bench: 42");
        }
    }
}
