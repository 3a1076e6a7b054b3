//! `cargo xtask hooks`: the node count of the bench in every commit message, where OpenBench reads
//! it.

use anyhow::{Context, Result, ensure};
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

/// Fails unless OpenBench would read the signature from the message of the last commit.
pub(crate) fn check_message(shell: &Shell) -> Result<()> {
    if cmd!(shell, "git rev-parse --quiet --verify HEAD^2").quiet().ignore_stdout().run().is_ok() {
        println!("skipped: a merge");
        return Ok(());
    }
    let message = cmd!(shell, "git log -1 --format=%B").quiet().read()?;
    let file = format!("HEAD:{SIGNATURE}");
    let signature = cmd!(shell, "git show {file}").quiet().read()?;
    let found = bench_of(&message);
    let found = found.context("the last commit has no line `Bench: N`: `cargo xtask hooks`")?;
    ensure!(
        found == signature.trim(),
        "the message of the last commit says {found} nodes, its {SIGNATURE} {signature}"
    );
    Ok(())
}

/// Returns the number that OpenBench reads: the last match of `(BENCH|NODES)[ :=]+[0-9,]+`, in any
/// case.
fn bench_of(message: &str) -> Option<String> {
    let message = message.to_ascii_lowercase();
    let words = ["bench", "nodes"].into_iter().flat_map(|word| message.match_indices(word));
    let number = |(at, word): (usize, &str)| {
        let rest = &message[at + word.len()..];
        let digits = rest.trim_start_matches([' ', ':', '=']);
        let length = digits.find(|c: char| !c.is_ascii_digit() && c != ',').unwrap_or(digits.len());
        (digits.len() < rest.len() && length > 0).then(|| (at, digits[..length].replace(',', "")))
    };
    words.filter_map(number).max().map(|(_, digits)| digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_number_counts() {
        let read = |message| bench_of(message);
        assert_eq!(
            read("Less pruning\n\n40 nodes 7,000 a move\n\nBench: 5,123\n").unwrap(),
            "5123"
        );
        assert_eq!(read("bench=12 and NODES : 34"), Some("34".to_owned()));
        assert_eq!(read("The bench of 40 nodes"), None);
        assert_eq!(read("bench12"), None);
    }

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
            assert_eq!(bench_of(&message).as_deref(), Some("42"));
        }
    }
}
