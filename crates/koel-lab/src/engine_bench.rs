//! The command `bench` of an engine program.

use std::io::{BufRead, BufReader, Read, Write};
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
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| program.display().to_string())?;
    let input = child.stdin.take().context("the input was piped")?;
    let output = child.stdout.take().context("the output was piped")?;
    let run = converse(input, output, option, depth)?;
    ensure!(child.wait()?.success(), "the engine failed");
    run.context("the bench did not finish")
}

/// Runs the bench in a UCI session; `None` if it knows no bench.
fn converse(
    mut input: impl Write,
    output: impl Read,
    option: Option<&(String, String)>,
    depth: Option<u32>,
) -> Result<Option<BenchRun>> {
    if let Some((name, value)) = option {
        writeln!(input, "setoption name {name} value {value}")?;
    }
    let depth = depth.map_or_else(String::new, |depth| format!(" {depth}"));
    // `uci` is answered after the bench, and at once by an engine without the command `bench`.
    writeln!(input, "bench{depth}\nwait\nuci")?;
    // The input stays open until the bench ends, because the end of input would stop it.
    let mut lines = BufReader::new(output).lines().map_while(Result::ok);
    let run = lines.by_ref().take_while(|line| line != "uciok").find_map(|line| parse(&line));
    // Programs other than Koel may need `quit` to end.
    let _ = writeln!(input, "quit");
    drop(input);
    // An engine that writes into a closed pipe fails.
    lines.for_each(drop);
    Ok(run)
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
    use std::{io, thread};

    use super::*;

    #[test]
    fn a_session_of_koel_runs_the_bench() {
        let (commands, input) = io::pipe().unwrap();
        let (output, replies) = io::pipe().unwrap();
        let session = thread::spawn(move || koel::run(BufReader::new(commands), replies));
        let option = ("Hash".to_owned(), "1".to_owned());
        let run = converse(input, output, Some(&option), Some(1)).unwrap().unwrap();
        assert!(run.nodes > 0);
        session.join().unwrap().unwrap();
    }

    #[test]
    fn only_the_last_line_of_the_bench_is_parsed() {
        let run = BenchRun { nodes: 1200, seconds: 2.0 };
        assert_eq!(parse("1200 nodes 600 nps"), Some(run));
        for line in [" 1    1200 nodes  8/8/8/8", "1200 nodes", "bestmove e2e4", ""] {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
