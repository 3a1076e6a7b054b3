//! `cargo xtask bench`: compares the node count of `koel bench`, the signature of the search.

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use xshell::{Cmd, Shell, cmd};

/// The file with the signature.
pub(crate) const SIGNATURE: &str = "tests/bench.signature";

#[derive(Args, Default)]
pub(crate) struct Bench {
    /// Write the node count to tests/bench.signature instead of comparing with it
    #[arg(long)]
    update: bool,
}

impl Bench {
    pub(crate) fn run(self, shell: &Shell) -> Result<()> {
        let nodes = count(shell)?;
        if self.update {
            shell.write_file(SIGNATURE, format!("{nodes}\n"))?;
            println!("{SIGNATURE} is now {nodes}; put `Bench: {nodes}` into the commit message");
            return Ok(());
        }
        compare_with_signature(shell, nodes)
    }
}

/// Returns the nodes of the bench, the same in two runs.
fn count(shell: &Shell) -> Result<u64> {
    let cargo = crate::cargo();
    cmd!(shell, "{cargo} build --release --bin koel").quiet().run()?;
    let run = || measure(cmd!(shell, "{cargo} run --quiet --release --bin koel -- bench").quiet());
    same_nodes(run()?, run()?)
}

/// Runs a bench, prints its last line and returns its nodes.
pub(crate) fn measure(bench: Cmd<'_>) -> Result<u64> {
    let output = bench.ignore_stderr().read()?;
    println!("{}", last_line(&output));
    nodes(&output)
}

/// Returns the nodes of a bench, whose last line is `<nodes> nodes <nps> nps`.
fn nodes(output: &str) -> Result<u64> {
    let line = last_line(output);
    match line.split_whitespace().collect::<Vec<_>>()[..] {
        [nodes, "nodes", _, "nps"] => Ok(nodes.parse()?),
        _ => bail!("the last line is not `<nodes> nodes <nps> nps` but `{line}`"),
    }
}

fn last_line(output: &str) -> &str {
    output.trim_end().lines().last().unwrap_or_default()
}

fn same_nodes(one: u64, other: u64) -> Result<u64> {
    ensure!(
        one == other,
        "two runs differ: {one} and {other} nodes; the bench is not reproducible"
    );
    Ok(one)
}

/// Fails unless the node count is that of the file.
pub(crate) fn compare_with_signature(shell: &Shell, nodes: u64) -> Result<()> {
    let signature = shell
        .read_file(SIGNATURE)
        .context("the signature cannot be read; `cargo xtask bench --update` writes a new one")?;
    compare(nodes, &signature)?;
    println!("{nodes} nodes as in {SIGNATURE}");
    Ok(())
}

fn compare(nodes: u64, signature: &str) -> Result<()> {
    ensure!(
        signature.trim() == nodes.to_string(),
        "{nodes} nodes, but {SIGNATURE} says {signature}: the search has changed. \
         If that is intended, run `cargo xtask bench --update`."
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_counts() {
        assert_eq!(nodes("position 1\n9 nodes 9 nps\n123 nodes 456 nps\n").unwrap(), 123);
        assert!(nodes("123 nodes 456 nps\nbye\n").is_err());
        assert!(nodes("").is_err());
    }

    #[test]
    fn runs_that_differ_are_an_error() {
        assert_eq!(same_nodes(5, 5).unwrap(), 5);
        assert!(same_nodes(5, 6).is_err());
    }

    #[test]
    fn a_changed_signature_is_an_error_that_says_what_to_do() {
        assert!(compare(5, "5\n").is_ok());
        assert!(compare(6, "5\n").unwrap_err().to_string().contains("--update"));
        assert!(compare(5, "five").is_err());
    }
}
