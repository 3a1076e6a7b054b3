//! Tests of the limits of `go`.

use std::time::{Duration, Instant};

use koel_uci::{Info, Reply, UciScore};

use crate::support::{Engine, SOON, best_move, dialogue};

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

/// Returns the time until the best move.
fn time_of(engine: &mut Engine, go: &str) -> Duration {
    engine.sync();
    let start = Instant::now();
    engine.send(go);
    engine.receive_until("bestmove", SOON);
    start.elapsed()
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
fn the_node_limit_is_nearly_exact_with_many_threads() {
    let lines = dialogue("setoption name Threads value 2\ngo nodes 50000\nwait\n");
    let searched = last_report(&lines).nodes.unwrap();
    assert!(searched < 80_000, "{searched}");
}

#[test]
fn movetime() {
    let mut engine = Engine::start();
    let time = time_of(&mut engine, "go movetime 300");
    assert!(time >= Duration::from_millis(250) && time < Duration::from_millis(900), "{time:?}");
    let time = time_of(&mut engine, "go movetime 0");
    assert!(time < Duration::from_millis(500), "{time:?}");
}

#[test]
fn clocks() {
    let mut engine = Engine::start();
    let at_once = Duration::from_millis(500);
    for go in [
        "go wtime 0 btime 0",
        "go wtime -5000 btime -5000 winc 0 binc 0",
        "go wtime 1 btime 1 movestogo 1",
        "go btime 60000",
        "go wtime 100 winc -100 movestogo 0",
    ] {
        let time = time_of(&mut engine, go);
        assert!(time < at_once, "{go}: {time:?}");
    }
    let time = time_of(&mut engine, "go wtime 1000 btime 1000 winc 10 binc 10");
    assert!(time < Duration::from_millis(700), "{time:?}");
}

#[test]
fn mate_ends_when_it_is_found() {
    let mate_in_two = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    let lines = dialogue(format!("position fen {mate_in_two}\ngo mate 2\nwait\n"));
    assert_eq!(last_report(&lines).score, Some(UciScore::Mate(2).into()), "{lines:#?}");
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
