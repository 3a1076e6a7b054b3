//! Tests of experimental builds: `cargo test -p koel --features tune,switches --test uci
//! experiments`. Standard builds have none of their options.

use crate::support::{Engine, SOON};

fn options() -> Vec<String> {
    let mut engine = Engine::start();
    engine.send("uci");
    engine.receive_until("uciok", SOON)
}

#[cfg(not(any(feature = "tune", feature = "switches")))]
#[test]
fn standard_builds_have_no_such_options() {
    let options = options();
    assert!(options.iter().any(|line| line.starts_with("option name Hash ")));
    let is_experimental = |line: &&String| line.contains("Switch_") || line.contains("null_move");
    assert_eq!(options.iter().find(is_experimental), None);
}

/// Returns the node count of some searches after these commands.
#[cfg(any(feature = "tune", feature = "switches"))]
fn nodes(engine: &mut Engine, lines: &str) -> u64 {
    engine.send(format!("{lines}\nucinewgame"));
    let mut sum = 0;
    // Among them a mate, and a locked ending near the fifty-move rule.
    for (fen, depth) in [
        ("r1bq1r1k/1pp1n1pp/1p1p4/4p2Q/4Pp2/1BNP4/PPP2PPP/3R1RK1 w - - 2 14", 14),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 80 50", 11),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 20 31", 15),
        ("8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 60 80", 15),
        ("1k5r/pP3ppp/3p2b1/1BN1n3/1Q2P3/P1B5/KP3P1P/7q w - - 1 1", 11),
    ] {
        engine.send(format!("position fen {fen}\ngo depth {depth}"));
        let replies = engine.receive_until("bestmove", 6 * SOON);
        let last = replies.iter().rev().find(|line| line.contains(" nodes ")).unwrap();
        let words: Vec<&str> = last.split(' ').collect();
        let place = words.iter().position(|&word| word == "nodes").unwrap();
        sum += words[place + 1].parse::<u64>().unwrap();
    }
    sum
}

#[cfg(feature = "switches")]
#[test]
fn every_switch_changes_the_search_and_back() {
    let mut engine = Engine::start();
    let usual = nodes(&mut engine, "");
    let mut switches = 0;
    for line in options() {
        let Some(rest) = line.strip_prefix("option name Switch_") else { continue };
        let (name, rest) = rest.split_once(" type check default ").unwrap();
        // There are no tables here, no second thread, and no second search of the same game.
        if ["tablebases", "deferred_move", "tt_refresh"].contains(&name) {
            continue;
        }
        let default: bool = rest.parse().unwrap();
        let set = |is_on: bool| format!("setoption name Switch_{name} value {is_on}");
        let other = nodes(&mut engine, &set(!default));
        assert_ne!(other, usual, "{name} changes nothing");
        assert_eq!(nodes(&mut engine, &set(default)), usual, "{name} does not come back");
        switches += 1;
    }
    assert!(switches >= 25, "{switches}");
}

#[cfg(feature = "tune")]
#[test]
fn parameters_can_be_set_and_are_printed_for_spsa() {
    let (printed, _, is_success) = crate::support::koel(&["spsa"]);
    assert!(is_success);
    let options = options();
    for line in printed.lines() {
        let fields: Vec<&str> = line.split(", ").collect();
        let [name, "int", value, low, high, _, _] = fields[..] else { panic!("{line}") };
        let declared = format!(
            "option name {name} type spin default {} min {} max {}",
            value.trim_end_matches(".0"),
            low.trim_end_matches(".0"),
            high.trim_end_matches(".0")
        );
        assert!(options.contains(&declared), "{declared}");
    }
    assert!(printed.lines().count() > 80);
    let mut engine = Engine::start();
    let usual = nodes(&mut engine, "");
    let name = "late_move_reduction_base";
    let declared =
        options.iter().find_map(|line| line.strip_prefix("option name ")?.strip_prefix(name));
    let default: i32 = declared.unwrap().split(' ').nth(4).unwrap().parse().unwrap();
    let set = |value: i32| format!("setoption name {name} value {value}");
    assert_ne!(nodes(&mut engine, &set(default / 2)), usual);
    assert_eq!(nodes(&mut engine, &set(default)), usual);
}
