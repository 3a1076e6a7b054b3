//! The command `bench` of an engine program.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

/// The result of one run of the bench.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BenchRun {
    pub(crate) nodes: u64,
    pub(crate) seconds: f64,
}

/// Runs the bench of a program once with a UCI option, to its default depth if none is given.
pub(crate) fn run(
    program: &Path,
    option: Option<&(String, String)>,
    depth: Option<u32>,
) -> Result<BenchRun> {
    let set = option.map(|(name, value)| format!("setoption name {name} value {value}"));
    let depth = depth.map_or_else(String::new, |depth| format!(" {depth}"));
    let output = Command::new(program)
        .args(set)
        .arg(format!("bench{depth}"))
        .stdin(Stdio::null())
        .output()
        .with_context(|| program.display().to_string())?;
    ensure!(output.status.success(), "{} failed", program.display());
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().find_map(parse).context("the program has no bench")
}

/// Parses `<nodes> nodes <nps> nps`, the last line of the bench.
fn parse(line: &str) -> Option<BenchRun> {
    let words: Vec<_> = line.split_whitespace().collect();
    let [nodes, "nodes", nodes_per_second, "nps"] = words[..] else { return None };
    let nodes: u64 = nodes.parse().ok()?;
    let nodes_per_second: u64 = nodes_per_second.parse().ok()?;
    Some(BenchRun { nodes, seconds: nodes as f64 / nodes_per_second.max(1) as f64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_line_of_the_bench_is_parsed() {
        let run = BenchRun { nodes: 1200, seconds: 2.0 };
        assert_eq!(parse("1200 nodes 600 nps"), Some(run));
        for line in [" 1    1200 nodes  8/8/8/8", "1200 nodes", "bestmove e2e4", ""] {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
