//! Tests of the evaluation and of the option `EvalFile`.

use koel_eval::SearchNetwork;

use crate::support::{Scratch, dialogue, errors};

/// A middlegame with a knight more for White.
const POSITION: &str =
    "position fen r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";

/// Returns the last report of a search, without the time.
fn last_report(lines: &[String]) -> &str {
    let last = lines.iter().rfind(|line| line.starts_with("info depth")).unwrap();
    last.split(" time ").next().unwrap()
}

fn without_time(lines: &[String]) -> (String, String) {
    let report = last_report(lines);
    let line = lines.iter().rfind(|line| line.starts_with("info depth")).unwrap();
    let cut = report.split(" nps ").next().unwrap();
    (cut.to_owned(), line.split(" pv ").nth(1).unwrap().to_owned())
}

#[test]
fn eval_shows_the_selected_evaluation() {
    let plain = dialogue(format!("setoption name EvalFile value plain\n{POSITION}\neval\n"));
    assert_eq!(plain[0], "info string evaluation: material and piece-square tables");
    assert!(plain[1].starts_with("Material and squares: "), "{plain:#?}");
    let file = Scratch::new("zero.koelnet");
    std::fs::write(&file.0, SearchNetwork::zero().to_bytes()).unwrap();
    let path = file.0.display();
    let lines = dialogue(format!("setoption name EvalFile value {path}\n{POSITION}\neval\n"));
    assert_eq!(lines.last().unwrap(), "Evaluation for White: +0.00", "{lines:#?}");
    let named = format!("info string evaluation: network {path} with the hash ");
    assert!(lines[0].starts_with(&named) && lines[0].ends_with(" kernel"), "{lines:#?}");
}

#[test]
fn the_first_search_names_the_network_and_the_kernel() {
    let named = |input: &str| {
        let lines = dialogue(input);
        let named = lines.iter().filter(|line| line.contains("evaluation: ")).cloned();
        named.collect::<Vec<_>>()
    };
    let twice = named("go depth 1\nwait\ngo depth 1\nwait\n");
    assert_eq!(twice.len(), 1, "{twice:#?}");
    assert!(
        twice[0]
            .contains(&format!("network {}, 4 king buckets, 512 neurons, ", koel_eval::BUILT_IN)),
        "{twice:#?}"
    );
    assert!(twice[0].ends_with(" kernel"), "{twice:#?}");
    // A file is confirmed when it is loaded, not once more by the search.
    assert_eq!(named("setoption name EvalFile value plain\ngo depth 1\nwait\n").len(), 1);
    assert_eq!(named("uci\nisready\nd\neval\n").len(), 0);
}

#[test]
fn searches_use_the_evaluation_set_last() {
    let go = format!("{POSITION}\ngo depth 8\nwait\n");
    let first = without_time(&dialogue(go.clone()));
    let option = |value: &str| format!("setoption name EvalFile value {value}\n");
    let plain = without_time(&dialogue(format!("{}{go}", option("plain"))));
    assert_ne!(plain, first);
    // The results of the other evaluation are cleared.
    for threads in [1, 2] {
        let back = format!("{}{go}{}{go}", option("plain"), option(""));
        let lines = dialogue(format!("setoption name Threads value {threads}\n{back}"));
        assert!(errors(&lines).is_empty(), "{lines:#?}");
        assert!(threads > 1 || without_time(&lines) == first, "{lines:#?}");
    }
}

#[test]
fn a_file_that_is_no_network_is_refused_and_the_old_one_kept() {
    let go = format!("{POSITION}\ngo depth 8\nwait\n");
    let first = without_time(&dialogue(go.clone()));
    let wrong = Scratch::new("wrong.koelnet");
    let mut damaged = SearchNetwork::zero().to_bytes();
    damaged[5000] ^= 1;
    let other = vec![1; damaged.len()];
    for (bytes, reason) in [
        (&b"short"[..], "expected a file of"),
        (&other, "not a network file"),
        (&[&damaged[..], b"x"].concat(), "expected a file of"),
        (&damaged, "damaged"),
    ] {
        std::fs::write(&wrong.0, bytes).unwrap();
        let option = format!("setoption name EvalFile value {}", wrong.0.display());
        let lines = dialogue(format!("{option}\n{go}"));
        let errors = errors(&lines);
        assert!(errors.len() == 1 && errors[0].contains(reason), "{errors:#?}");
        assert_eq!(without_time(&lines), first);
    }
    let lines = dialogue("setoption name EvalFile value no/where\nwait\n");
    assert!(lines[0].contains("no/where") && lines[0].contains("old evaluation is kept"));
    // What is named afterwards is what is in use.
    let lines = dialogue("setoption name EvalFile value no/where\nwait\ngo depth 1\nwait\n");
    let network = format!("evaluation: network {}, ", koel_eval::BUILT_IN);
    assert!(lines.iter().any(|line| line.contains(&network)), "{lines:#?}");
}
