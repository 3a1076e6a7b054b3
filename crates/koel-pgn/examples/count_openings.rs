//! Counts the openings of a PGN file, by the first plies of its games. Arguments: the file, and the
//! number of plies (4).
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example")]

use std::collections::BTreeMap;
use std::path::Path;

use koel_pgn::{GameReader, PgnEntry, open_text};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("expected a PGN file")?;
    let plies = arguments.next().map_or(Ok(4), |text| text.parse())?;
    let mut counts = BTreeMap::<String, u32>::new();
    for entry in GameReader::new(open_text(Path::new(&path))?) {
        match entry? {
            PgnEntry::Game(pgn) => {
                let played = pgn.game.positions().zip(pgn.game.moves()).take(plies);
                let line: Vec<_> = played.map(|(position, m)| position.san(m)).collect();
                *counts.entry(line.join(" ")).or_default() += 1;
            }
            PgnEntry::Faulty(fault) => eprintln!("line {}: {}", fault.line, fault.error),
            PgnEntry::Text(_) => {}
        }
    }
    let mut rows: Vec<_> = counts.into_iter().collect();
    rows.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    rows.iter().for_each(|(line, count)| println!("{count:>6} {line}"));
    Ok(())
}
