//! `cargo xtask bench`: compares the node count of `koel bench`, the signature of the search.

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use xshell::{Shell, cmd};

/// The file with the signature.
pub(crate) const SIGNATURE: &str = "tests/bench.signature";

#[derive(Args)]
pub(crate) struct Bench {
    /// The number of runs; all must search the same number of nodes
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Write the node count to tests/bench.signature instead of comparing with it
    #[arg(long)]
    update: bool,
}

impl Default for Bench {
    fn default() -> Bench {
        Bench { runs: 2, update: false }
    }
}

/// The last line of the output of `koel bench`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BenchResult {
    pub(crate) nodes: u64,
    pub(crate) nodes_per_second: u64,
}

impl Bench {
    pub(crate) fn run(self, shell: &Shell) -> Result<()> {
        let nodes = self.nodes(shell)?;
        if self.update {
            shell.write_file(SIGNATURE, format!("{nodes}\n"))?;
            println!("{SIGNATURE} is now {nodes}; put `Bench: {nodes}` into the commit message");
            return Ok(());
        }
        compare_with_signature(shell, nodes)
    }

    /// Returns the node count of the runs.
    fn nodes(&self, shell: &Shell) -> Result<u64> {
        let cargo = crate::cargo();
        cmd!(shell, "{cargo} build --release --bin koel").quiet().run()?;
        let mut outcomes = Vec::new();
        for run in 1..=self.runs {
            let output = cmd!(shell, "{cargo} run --quiet --release --bin koel -- bench")
                .quiet()
                .ignore_stderr()
                .read()?;
            let outcome = parse(&output)?;
            println!("run {run}: {} nodes, {} nps", outcome.nodes, outcome.nodes_per_second);
            outcomes.push(outcome);
        }
        same_nodes(&outcomes)
    }
}

/// Parses `<nodes> nodes <nps> nps`, the last line of the output.
pub(crate) fn parse(output: &str) -> Result<BenchResult> {
    let line = output.trim_end().lines().last().unwrap_or_default();
    match line.split_whitespace().collect::<Vec<_>>()[..] {
        [nodes, "nodes", nodes_per_second, "nps"] => {
            Ok(BenchResult { nodes: nodes.parse()?, nodes_per_second: nodes_per_second.parse()? })
        }
        _ => bail!("the last line is not `<nodes> nodes <nps> nps` but `{line}`"),
    }
}

fn same_nodes(outcomes: &[BenchResult]) -> Result<u64> {
    let first = outcomes.first().context("no run")?.nodes;
    let other = outcomes.iter().find(|outcome| outcome.nodes != first);
    if let Some(other) = other {
        bail!("two runs differ: {first} and {} nodes; the bench is not reproducible", other.nodes);
    }
    Ok(first)
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
    let expected: u64 = signature
        .trim()
        .parse()
        .with_context(|| format!("{SIGNATURE} holds `{}`, not a number", signature.trim()))?;
    ensure!(
        nodes == expected,
        "{nodes} nodes, but {SIGNATURE} says {expected}: the search has changed. \
         If that is intended, run `cargo xtask bench --update`."
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_counts() {
        let outcome = BenchResult { nodes: 123, nodes_per_second: 456 };
        assert_eq!(parse("position 1\n9 nodes 9 nps\n123 nodes 456 nps\n").unwrap(), outcome);
        assert!(parse("123 nodes 456 nps\nbye\n").is_err());
        assert!(parse("").is_err());
    }

    #[test]
    fn runs_that_differ_are_an_error() {
        let outcome = |nodes| BenchResult { nodes, nodes_per_second: 1 };
        assert_eq!(same_nodes(&[outcome(5), outcome(5)]).unwrap(), 5);
        assert!(same_nodes(&[outcome(5), outcome(5), outcome(6)]).is_err());
    }

    #[test]
    fn a_changed_signature_is_an_error_that_says_what_to_do() {
        assert!(compare(5, "5\n").is_ok());
        assert!(compare(6, "5\n").unwrap_err().to_string().contains("--update"));
        assert!(compare(5, "five").is_err());
    }
}
