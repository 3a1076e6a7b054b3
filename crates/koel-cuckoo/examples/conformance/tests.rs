//! The published file against brute force, this crate, python-chess and the generator.
//!
//! `KOEL_CONFORMANCE_RECORDS` sets the number of records of each kind (22 by default) that are
//! generated again and checked with python-chess.
#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use super::kinds::KINDS;
use super::record::{Record, read, write};
use super::truth::{NoProgress, Upcoming};
use super::{SUITE, detectors, find_errors, generate, mistakes, oracle, truth};

fn suite() -> Vec<Record> {
    read(&fs::read_to_string(SUITE).unwrap()).unwrap()
}

fn records_of_each_kind() -> usize {
    std::env::var("KOEL_CONFORMANCE_RECORDS").map_or(22, |text| text.parse().unwrap())
}

/// Returns the first records of each kind.
fn sample() -> Vec<Record> {
    let (suite, limit) = (suite(), records_of_each_kind());
    let of_kind = |name: &str| {
        suite.iter().filter(|record| record.kind() == name).take(limit).cloned().collect::<Vec<_>>()
    };
    KINDS.iter().flat_map(|kind| of_kind(kind.name)).collect()
}

#[test]
fn every_record_agrees_with_brute_force_and_with_the_crate() {
    let records = suite();
    assert_eq!(find_errors(&records), [""; 0]);
    assert!(records.len() >= 5_000);
    for kind in KINDS {
        let count = records.iter().filter(|record| record.kind() == kind.name).count();
        assert_eq!(count, kind.count, "{}", kind.name);
    }
    let lines =
        records.iter().map(|record| (record.kind(), &record.fen, record.root, &record.moves));
    assert_eq!(lines.collect::<BTreeSet<_>>().len(), records.len(), "each line once in its kind");
}

#[test]
fn the_generator_writes_the_same_records_again() {
    let (again, published) = (generate::generate(records_of_each_kind()), sample());
    assert!(again.len() >= 500);
    if let Some((a, b)) = again.iter().zip(&published).find(|(a, b)| a != b) {
        panic!("generated {a:?}\npublished {b:?}");
    }
    assert_eq!(again.len(), published.len());
    if again.len() == suite().len() {
        assert_eq!(write(&again).unwrap(), fs::read_to_string(SUITE).unwrap(), "byte for byte");
    }
}

/// A right record, and a change that makes it wrong.
type Wrong<'record> = (&'record Record, fn(&mut Record));

/// Returns records with one wrong field each.
fn wrong_records() -> Vec<Record> {
    let records = suite();
    let with = |is_met: fn(&Record) -> bool| records.iter().find(|record| is_met(record)).unwrap();
    let returning = with(|record| record.truth.upcoming.is_some() && record.root > 1);
    let shifted = with(|record| record.truth.no_progress.is_some());
    let empty = with(|record| record.kind() == "none" && record.moves.len() > 30);
    let wrong: [Wrong<'_>; 14] = [
        (returning, |record| record.truth.occurrences += 1),
        (returning, |record| record.truth.threefold ^= true),
        (returning, |record| record.truth.draw ^= true),
        (returning, |record| record.truth.returns.clear()),
        (returning, |record| record.truth.returns[0].draw ^= true),
        (returning, |record| record.truth.returns[0].plies[0] += 2),
        (returning, |record| record.truth.returns[0].played = "a1b1".to_owned()),
        (returning, |record| record.truth.upcoming = None),
        (returning, |record| record.truth.upcoming.as_mut().unwrap().plies += 2),
        (empty, |record| {
            record.truth.upcoming = Some(Upcoming { played: "a1b1".to_owned(), plies: 3 });
        }),
        (shifted, |record| record.truth.no_progress = None),
        (shifted, |record| record.truth.no_progress.as_mut().unwrap().origin += 2),
        (empty, |record| {
            record.truth.no_progress = Some(NoProgress { origin: 1, played: "a1b1".to_owned() });
        }),
        (empty, |record| record.moves += " a1h7"),
    ];
    let spoil = |(index, (record, spoil)): (usize, Wrong<'_>)| {
        let mut record = record.clone();
        record.id = format!("wrong/{index}");
        spoil(&mut record);
        record
    };
    wrong.into_iter().enumerate().map(spoil).collect()
}

#[test]
fn every_wrong_record_is_found() {
    let table = oracle::shakmaty_table();
    for record in wrong_records() {
        assert!(truth::check(&record).is_err(), "brute force: {record:?}");
        assert!(detectors::check(&table, &record).is_err(), "the crate: {record:?}");
    }
}

#[test]
fn the_suite_finds_every_known_mistake() {
    let counts = mistakes::count(&suite());
    let [exact, others @ ..] = &counts[..] else { panic!("no forms") };
    assert_eq!((exact.false_claims, exact.missed), (0, 0));
    for form in others {
        let wrong = form.false_claims + form.missed;
        assert!(wrong >= 100, "{form:?}");
        assert_eq!(wrong, form.kinds.values().sum::<usize>());
    }
}

#[test]
fn a_file_of_another_format_is_refused() {
    let text = write(&suite()[..2]).unwrap();
    assert_eq!(read(&text).unwrap().len(), 2);
    let refused = |text: &str| read(text).unwrap_err().to_string();
    assert!(refused("").starts_with("line 1: no header"));
    assert!(refused(&text.replace("\"version\":1", "\"version\":2")).starts_with("line 1"));
    assert!(refused(&text.replace("\"records\":2", "\"records\":3")).starts_with("line 1"));
    assert!(
        refused(&text.replace("cycle-4/2\",\"fen\"", "cycle-4/2\",\"FEN\"")).starts_with("line 3")
    );
}

/// Runs the Python checker on these records. `None` without Python or python-chess; otherwise the
/// success and the output.
fn check_with_python(records: &[Record]) -> Option<(bool, String)> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/conformance/check.py");
    let mut command = Command::new("python3");
    command.args([script, "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let output = command.spawn().and_then(|mut python| {
        // Without python-chess it ends before it has read everything.
        let _ = python.stdin.take().unwrap().write_all(write(records).unwrap().as_bytes());
        python.wait_with_output()
    });
    let Some(output) = output.ok().filter(|output| output.status.code() != Some(2)) else {
        println!("skipped: no python3 with python-chess");
        return None;
    };
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    Some((output.status.success(), text.into_owned()))
}

#[test]
fn python_chess_agrees() {
    let sample = sample();
    if let Some((is_success, output)) = check_with_python(&sample) {
        println!("{output}");
        assert!(is_success, "{output}");
        assert!(output.contains(&format!("{} of {0} records checked", sample.len())), "{output}");
    }
}

#[test]
fn every_wrong_record_is_found_with_python_chess() {
    let wrong = wrong_records();
    if let Some((is_success, output)) = check_with_python(&wrong) {
        assert!(!is_success);
        for record in wrong {
            assert!(output.contains(&format!("{}: ", record.id)), "{record:?}\n{output}");
        }
    }
}
