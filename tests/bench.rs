//! Tests of the benchmark and its signature: the node count changes only when the play is meant to
//! change.

#![allow(clippy::unwrap_used, reason = "a test may fail by a panic")]

mod support;

use support::koel;

const SIGNATURE: &str = include_str!("bench.signature");

#[test]
fn the_signature_holds() {
    let (output, ..) = koel(&["bench"]);
    assert_eq!(
        output.split(' ').next(),
        Some(SIGNATURE.trim()),
        "the node count of `koel bench` has changed, which a refactoring must not do. If the play \
         was meant to change, `cargo xtask bench --update` writes the new number into \
         tests/bench.signature; put `Bench: N` into the commit message."
    );
}

#[test]
fn the_output_has_the_format_of_test_frameworks() {
    let (output, log, is_success) = koel(&["bench", "3"]);
    assert!(is_success);
    let last = output.lines().last().unwrap();
    let words = last.split(' ').collect::<Vec<_>>();
    let [nodes, "nodes", speed, "nps"] = words[..] else { panic!("{last}") };
    assert!(nodes.parse::<u64>().unwrap() > 0 && speed.parse::<u64>().unwrap() > 0);
    assert!(log.contains("Total time (ms) : "), "{log}");
    assert!(log.contains(&format!("Nodes searched  : {nodes}\n")), "{log}");
    assert!(log.contains(&format!("Nodes/second    : {speed}\n")), "{log}");
    assert_eq!(koel(&["bench", "3"]).0.split(' ').next(), Some(nodes), "not reproducible");
}

#[test]
fn five_processes_at_once_visit_the_same_nodes() {
    let runs: Vec<_> = (0..5).map(|_| std::thread::spawn(|| koel(&["bench", "7"]).0)).collect();
    let nodes = |output: String| {
        output.lines().last().and_then(|line| line.split(' ').next().map(str::to_owned))
    };
    let nodes: Vec<_> = runs.into_iter().map(|run| nodes(run.join().unwrap())).collect();
    assert!(nodes[0].is_some() && nodes.iter().all(|other| *other == nodes[0]), "{nodes:?}");
}
