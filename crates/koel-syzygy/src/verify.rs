//! The verification of a folder of tables.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use koel_files::ANY_SIZE;
use koel_random::Rng;
use sha2::{Digest, Sha256};
use shakmaty::{CastlingMode, Chess, Color, Piece, Role, Setup, Square};

use crate::tables::SyzygyTables;

/// The SHA-256 of all tables of up to four pieces.
const CHECKSUMS: &str = include_str!("checksums.txt");

/// Pieces in the order of the names of tables.
const PIECES: &str = "QRBNP";

/// The greatest number of pieces of a table.
const MAX_PIECES: usize = 7;

/// The positions that are probed in a table without a stored checksum.
const SAMPLES: usize = 300;

/// A table with its state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifiedTable {
    /// The name of the file, such as `KQvK.rtbz`.
    pub name: String,
    /// The state.
    pub state: TableState,
}

/// The state of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TableState {
    /// Its checksum is the stored one.
    Intact,
    /// Size, header and a sample of probes are in order; there is no stored checksum.
    Readable,
    /// It is damaged, for this reason.
    Damaged(String),
    /// There is no such file, although there are tables of as many pieces.
    Missing,
}

impl fmt::Display for VerifiedTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match &self.state {
            TableState::Intact => write!(f, "{name}: intact"),
            TableState::Readable => write!(f, "{name}: readable, no checksum is stored"),
            TableState::Damaged(reason) => write!(f, "{name}: damaged: {reason}"),
            TableState::Missing => write!(f, "{name}: missing"),
        }
    }
}

/// Verifies the tables of a folder, with as many pieces as the largest has. Other files are passed
/// over.
///
/// # Errors
/// The folder cannot be read.
#[allow(clippy::disallowed_methods, reason = "lists the files of tables")]
pub fn verify_folder(folder: &Path) -> io::Result<Vec<VerifiedTable>> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        found.insert(entry?.file_name().to_string_lossy().into_owned());
    }
    let names: Vec<(usize, String)> = (3..=MAX_PIECES).flat_map(names).collect();
    let is_table = |name: &str| found.contains(name);
    let largest = names.iter().rev().find(|(_, name)| is_table(name)).map_or(0, |(size, _)| *size);
    let checksums = checksums();
    let check = |(_, name): (usize, String)| {
        let state = if is_table(&name) {
            check_table(folder, &name, checksums.get(name.as_str()).copied())
        } else {
            TableState::Missing
        };
        VerifiedTable { name, state }
    };
    Ok(names.into_iter().filter(|(size, _)| *size <= largest).map(check).collect())
}

/// Returns the names of all tables with this number of pieces, with that number.
fn names(pieces: usize) -> Vec<(usize, String)> {
    let others = pieces - 2;
    let mut names = Vec::new();
    for black in 0..=others / 2 {
        let white = others - black;
        for white_pieces in selections(white) {
            for black_pieces in selections(black) {
                // Sorted by value, the stronger of two equally long sides comes first.
                if white > black || white_pieces <= black_pieces {
                    let name = format!("K{}vK{}", letters(&white_pieces), letters(&black_pieces));
                    names.extend(
                        ["rtbw", "rtbz"].map(|ending| (pieces, format!("{name}.{ending}"))),
                    );
                }
            }
        }
    }
    names
}

/// Returns all selections of this many pieces as sorted indices into [`PIECES`].
fn selections(count: usize) -> Vec<Vec<usize>> {
    (0..count).fold(vec![Vec::new()], |shorter, _| {
        let longer = |selection: &Vec<usize>| {
            let first = selection.last().copied().unwrap_or(0);
            let longer = (first..PIECES.len()).map(|piece| [&selection[..], &[piece]].concat());
            longer.collect::<Vec<_>>()
        };
        shorter.iter().flat_map(longer).collect()
    })
}

fn letters(selection: &[usize]) -> String {
    selection.iter().map(|&piece| &PIECES[piece..=piece]).collect()
}

/// The stored checksums by the name of the file.
fn checksums() -> BTreeMap<String, &'static str> {
    let lines = CHECKSUMS.lines().filter(|line| !line.starts_with('#'));
    let tables = lines.filter_map(|line| {
        let mut words = line.split(' ');
        let (pieces, wdl, dtz) = (words.next()?, words.next()?, words.next()?);
        Some([(format!("{pieces}.rtbw"), wdl), (format!("{pieces}.rtbz"), dtz)])
    });
    tables.flatten().collect()
}

fn check_table(folder: &Path, name: &str, checksum: Option<&str>) -> TableState {
    match try_check_table(folder, name, checksum) {
        Ok(state) => state,
        Err(error) => TableState::Damaged(error.to_string()),
    }
}

fn try_check_table(folder: &Path, name: &str, checksum: Option<&str>) -> io::Result<TableState> {
    let mut file = koel_files::open(&folder.join(name), ANY_SIZE)?;
    let size = file.metadata()?.len();
    if size % 64 != 16 {
        let reason = format!("its size is {size} bytes, expected 16 more than a multiple of 64");
        return Ok(TableState::Damaged(reason));
    }
    let Some(expected) = checksum else { return probe_sample(folder, name) };
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match io::Read::read(&mut file, &mut buffer)? {
            0 => break,
            read => hasher.update(&buffer[..read]),
        }
    }
    let found: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    if found == expected {
        Ok(TableState::Intact)
    } else {
        Ok(TableState::Damaged(format!("its SHA-256 is {found}, expected {expected}")))
    }
}

/// Probes random positions of a table, all with the same seed.
fn probe_sample(folder: &Path, name: &str) -> io::Result<TableState> {
    let mut tables = SyzygyTables::new();
    tables.add_folder(folder)?;
    let pieces = name.split('.').next().unwrap_or_default();
    let mut rng = Rng::new(1);
    for _ in 0..SAMPLES {
        if let Some(position) = random_position(pieces, &mut rng) {
            // The results do not matter, only that they can be read.
            let _ = (tables.probe_wdl_after_zeroing(&position), tables.probe_dtz(&position));
        }
        let mut damaged = tables.take_damaged().into_iter();
        if let Some(table) = damaged.find(|table| table.name == name) {
            return Ok(TableState::Damaged(table.reason));
        }
    }
    Ok(TableState::Readable)
}

/// Returns a random legal position with these pieces; `None` if the attempt gives an illegal one.
fn random_position(pieces: &str, rng: &mut Rng) -> Option<Chess> {
    let mut setup = Setup::empty();
    setup.turn = Color::from_white(rng.below(2) == 0);
    let mut color = Color::White;
    for letter in pieces.chars() {
        let Some(role) = Role::from_char(letter.to_ascii_lowercase()) else {
            color = Color::Black;
            continue;
        };
        let square = Square::new(rng.below(64) as u32);
        if setup.board.occupied().contains(square) {
            return None;
        }
        setup.board.set_piece_at(square, Piece { color, role });
    }
    setup.position(CastlingMode::Standard).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::write_constant_table;

    #[test]
    fn the_names_are_those_of_the_published_tables() {
        let count = |pieces| names(pieces).len() / 2;
        assert_eq!((3..=7).map(count).collect::<Vec<_>>(), [5, 30, 110, 365, 1001]);
        let known: BTreeSet<String> = checksums().into_keys().collect();
        let small: BTreeSet<String> = (3..=4).flat_map(names).map(|(_, name)| name).collect();
        assert_eq!(small, known);
        for name in ["KRBvKN.rtbw", "KBBvKQ.rtbz", "KQRvK.rtbw"] {
            assert!(names(name.len() - 6).iter().any(|(_, other)| other == name), "{name}");
        }
    }

    #[test]
    fn damaged_and_missing_tables_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        write_constant_table(folder, "KPvK.rtbw", 0, 0);
        fs::write(folder.join("KRvK.rtbw"), [0; 81]).unwrap();
        fs::write(folder.join("notes.txt"), b"").unwrap();
        let state = |name: &str| {
            let tables = verify_folder(folder).unwrap();
            assert_eq!(tables.len(), 10);
            tables.into_iter().find(|table| table.name == name).unwrap().to_string()
        };
        assert!(state("KPvK.rtbw").starts_with("KPvK.rtbw: damaged: its SHA-256 is "));
        assert!(state("KRvK.rtbw").contains("81 bytes, expected 16 more than a multiple of 64"));
        assert_eq!(state("KQvK.rtbz"), "KQvK.rtbz: missing");
        assert!(verify_folder(&folder.join("nowhere")).is_err());
    }

    #[test]
    fn a_table_without_a_checksum_is_probed() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("KQRvKR.rtbw"), [3; 144]).unwrap();
        let tables = verify_folder(folder.path()).unwrap();
        let found = tables.iter().find(|table| table.name == "KQRvKR.rtbw").unwrap();
        assert!(matches!(found.state, TableState::Damaged(_)), "{found}");
        let missing = tables.iter().filter(|table| table.state == TableState::Missing);
        assert_eq!(missing.count(), 2 * (5 + 30 + 110) - 1);
    }
}
