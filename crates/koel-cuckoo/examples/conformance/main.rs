//! Writes and checks the conformance suite: positions with the truth about their repetitions.
//!
//! `cargo run -p koel-cuckoo --example conformance -- check` compares
//! [`conformance/suite.jsonl`](../../conformance/suite.jsonl) with brute force over the legal
//! moves, and with this crate; `-- generate` writes the file again, byte for byte; `-- mistakes`
//! counts the wrong answers of detectors with a known mistake, on the suite or on random lines.
#![allow(clippy::print_stdout, reason = "an example prints its results")]

mod detectors; // a record against this crate
mod generate; // the records, from random lines
mod kinds; // the kinds of records
mod mistakes; // the records that find each known mistake of other engines
#[path = "../../tests/cuckoo/oracle.rs"]
#[expect(dead_code, reason = "the tests use the rest")]
#[allow(clippy::unwrap_used, reason = "part of the tests")]
mod oracle; // plain positions compared piece by piece
#[path = "../../tests/cuckoo/random_line.rs"]
mod random_line; // random lines in which positions repeat
mod record; // the format of the file
mod starts; // the first positions of the lines
#[cfg(test)]
mod tests; // the file against brute force, this crate, python-chess and the generator
mod truth; // the truth, by brute force

use std::error::Error;
use std::fs;

use record::Record;

/// The data file.
const SUITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/conformance/suite.jsonl");

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = std::env::args().skip(1).collect::<Vec<_>>();
    let arguments = arguments.iter().map(String::as_str).collect::<Vec<_>>();
    match arguments[..] {
        ["generate"] => {
            let records = generate::generate(usize::MAX);
            fs::write(SUITE, record::write(&records)?)?;
            print_counts(&records);
            Ok(())
        }
        ["check"] => check(SUITE),
        ["check", path] => check(path),
        ["mistakes"] => {
            print_mistakes(&record::read(&fs::read_to_string(SUITE)?)?);
            Ok(())
        }
        ["mistakes", "random", count] => {
            print_mistakes(&generate::generate_unselected(count.parse()?));
            Ok(())
        }
        _ => Err("usage: conformance check [FILE] | generate | mistakes [random COUNT]".into()),
    }
}

/// Compares every record of a file with brute force and with this crate.
fn check(path: &str) -> Result<(), Box<dyn Error>> {
    let records = record::read(&fs::read_to_string(path)?)?;
    let errors = find_errors(&records);
    errors.iter().for_each(|error| println!("{error}"));
    print_counts(&records);
    match errors.len() {
        0 => Ok(()),
        count => Err(format!("{count} records are wrong").into()),
    }
}

/// Returns a message for each disagreement of a record with brute force or with this crate.
fn find_errors(records: &[Record]) -> Vec<String> {
    let table = oracle::shakmaty_table();
    let check = |record| [truth::check(record), detectors::check(&table, record)];
    records.iter().flat_map(check).filter_map(Result::err).collect()
}

fn print_counts(records: &[Record]) {
    for kind in kinds::KINDS {
        let count = records.iter().filter(|record| record.kind() == kind.name).count();
        println!("{:>6} {}", count, kind.name);
    }
    println!("{:>6} records", records.len());
}

/// Prints the table of mistakes of `docs/conformance.md`.
fn print_mistakes(records: &[Record]) {
    println!("| detector | claims | false | missed | found by |");
    println!("|---|---|---|---|---|");
    for mistakes in mistakes::count(records) {
        let mut kinds = mistakes.kinds.into_iter().collect::<Vec<_>>();
        kinds.sort_by_key(|(_, count)| core::cmp::Reverse(*count));
        let kinds = kinds.iter().take(3).map(|(kind, count)| format!("{kind} {count}"));
        let kinds = kinds.collect::<Vec<_>>().join(", ");
        let (claims, false_claims, missed) =
            (mistakes.claims, mistakes.false_claims, mistakes.missed);
        println!("| {} | {claims} | {false_claims} | {missed} | {kinds} |", mistakes.name);
    }
}
