//! Tests of the limits of `go`.

use koel_uci::{Info, Reply, Score};

use crate::support::{best_move, dialogue};

/// Returns the `info` lines with a score, in order.
fn reports(lines: &[String]) -> Vec<Info> {
    let read = |line: &String| match line.parse() {
        Ok(Reply::Info(info)) => info.score.map(|_| *info),
        _ => None,
    };
    lines.iter().filter_map(read).collect()
}

fn last_report(lines: &[String]) -> Info {
    reports(lines).pop().expect("a search reports")
}

#[test]
fn depth() {
    for depth in [1, 2, 7] {
        let lines = dialogue(format!("go depth {depth}\nwait\n"));
        assert_eq!(last_report(&lines).depth, Some(depth));
    }
    assert_ne!(best_move(&dialogue("go depth 0\nwait\n")), "(none)");
    // Deeper than any search can go; king against king is searched quickly.
    let lines = dialogue("position fen 8/8/8/3k4/8/3K4/8/8 w - - 0 1\ngo depth 4294967295\nwait\n");
    assert_ne!(best_move(&lines), "(none)");
}

#[test]
fn the_node_limit_is_exact_and_overrides_the_clock() {
    for nodes in [1, 2, 100, 5000, 20_000] {
        let lines = dialogue(format!(
            "go nodes {nodes} wtime 100000 btime 100000 winc 1000 binc 1000\nwait\n"
        ));
        assert_ne!(best_move(&lines), "(none)");
        let searched = last_report(&lines).nodes.unwrap();
        assert_eq!(searched, nodes);
    }
}

#[test]
fn all_threads_together_keep_the_node_limit() {
    for (threads, nodes) in [(1, 400_000_u64), (2, 400_000), (8, 400_000), (64, 400_000), (64, 20)]
    {
        let lines = dialogue(format!(
            "setoption name Hash value 4\nsetoption name Threads value {threads}\n\
             go nodes {nodes}\nwait\n"
        ));
        let searched = last_report(&lines).nodes.unwrap();
        let overshoot = (searched as f64 / nodes as f64 - 1.0) * 100.0;
        println!("{threads} threads: {searched} of {nodes} nodes, {overshoot:+.3} %");
        // Each thread may leave what it has drawn last, less than a check interval.
        assert!(searched <= nodes, "{threads} threads: {searched} of {nodes}");
        assert!(searched + 1024 * (threads - 1) >= nodes, "{threads}: {searched}");
        assert_ne!(best_move(&lines), "(none)");
    }
}

/// Returns the nodes of a search whose time is counted in nodes, a thousand for a millisecond.
fn nodes_of(go: &str) -> u64 {
    let lines = dialogue(format!("setoption name nodestime value 1000\n{go}\nwait\n"));
    last_report(&lines).nodes.unwrap()
}

#[test]
fn movetime() {
    // The time is checked every thousand nodes; the move overhead of 10 ms takes nothing of it.
    let nodes = nodes_of("go movetime 50");
    assert!((50_000..=53_000).contains(&nodes), "{nodes}");
    assert!(nodes_of("go movetime 0") <= 3000);
}

#[test]
fn clocks() {
    for go in [
        "go wtime 0 btime 0",
        "go wtime -5000 btime -5000 winc 0 binc 0",
        "go wtime 1 btime 1 movestogo 1",
        "go btime 60000",
        "go wtime 100 winc -100 movestogo 0",
    ] {
        let nodes = nodes_of(go);
        assert!(nodes <= 80_000, "{go}: {nodes}");
    }
    let go = "go wtime 5000 btime 5000 winc 50 binc 50";
    for none in ["movestogo 0", "movestogo -1", "movestogo -99999999999999999999"] {
        assert_eq!(nodes_of(&format!("{go} {none}")), nodes_of(go), "{none}");
    }
    let nodes = nodes_of("go wtime 400 btime 400 winc 10 binc 10");
    assert!((4000..=160_000).contains(&nodes), "{nodes}");
}

#[test]
fn mate_ends_when_it_is_found() {
    let mate_in_two = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    let lines = dialogue(format!("position fen {mate_in_two}\ngo mate 2\nwait\n"));
    assert_eq!(last_report(&lines).score, Some(Score::Mate(2).into()), "{lines:#?}");
    assert_eq!(best_move(&lines), "a1a6");
}

#[test]
fn searchmoves() {
    let lines = dialogue("go depth 4 searchmoves a2a3 h2h3\nwait\n");
    assert!(["a2a3", "h2h3"].contains(&best_move(&lines)));
    assert!(reports(&lines).iter().all(|info| ["a2a3", "h2h3"].contains(&info.pv[0].as_str())));
}

#[test]
fn ucinewgame_equals_a_new_engine() {
    let game = "position startpos moves d2d4 d7d5\ngo depth 7\nwait\n\
                position startpos moves d2d4 d7d5 c2c4 e7e6\ngo nodes 20000\nwait\n";
    let counts =
        |lines: &[String]| reports(lines).iter().map(|info| info.nodes).collect::<Vec<_>>();
    let once = counts(&dialogue(game));
    let twice = counts(&dialogue(format!("{game}ucinewgame\n{game}")));
    assert_eq!(twice, [once.as_slice(), &once].concat());
}
