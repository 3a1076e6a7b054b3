//! Probes of damaged tables end. `KOEL_SYZYGY_PATH` names a folder with the tables of up to four
//! pieces; without it the test is skipped. `KOEL_SYZYGY_DAMAGES` is the number of damaged folders.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test")]

use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;
use std::{env, fs, thread};

use koel_random::Rng;
use koel_syzygy::SyzygyTables;
use shakmaty::{CastlingMode, Chess, Color, Piece, Position, Role, Setup, Square};

/// The limit for the probes of one folder, which only ends a probe that would hang.
const LIMIT: Duration = Duration::from_secs(60);

/// Positions that are probed in each folder.
const POSITIONS: usize = 40;

#[test]
fn probes_of_damaged_tables_end() {
    let Some(path) = env::var_os("KOEL_SYZYGY_PATH") else {
        println!("skipped: KOEL_SYZYGY_PATH is not set");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for entry in fs::read_dir(path).unwrap() {
        let path = entry.unwrap().path();
        let is_table = path.extension().is_some_and(|ending| ending == "rtbw" || ending == "rtbz");
        if is_table {
            let copy = folder.path().join(path.file_name().unwrap());
            fs::write(&copy, fs::read(&path).unwrap()).unwrap();
            files.push((path, copy));
        }
    }
    files.sort();
    let damages = env::var("KOEL_SYZYGY_DAMAGES").map_or(30, |count| count.parse().unwrap());
    let mut reported = 0;
    for seed in 0..damages {
        let mut rng = Rng::for_stream(1, seed);
        let (original, copy) = &files[rng.below(files.len())];
        let intact = fs::read(original).unwrap();
        fs::write(copy, damaged(&intact, &mut rng)).unwrap();
        let (sender, receiver) = mpsc::channel();
        let (probed, table) = (folder.path().to_owned(), copy.clone());
        thread::spawn(move || sender.send(probe(&probed, &table, &mut rng)));
        reported +=
            receiver.recv_timeout(LIMIT).unwrap_or_else(|_| panic!("{copy:?}: seed {seed}"));
        fs::write(copy, intact).unwrap();
    }
    println!("{damages} damages, {reported} tables reported");
    assert!(reported > damages as usize / 20, "{reported} of {damages}");
}

/// Changes some bytes, half of them at the beginning, where the header is.
fn damaged(intact: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = intact.to_vec();
    for _ in 0..1 + rng.below(20) {
        let end = if rng.below(2) == 0 { bytes.len().min(300) } else { bytes.len() };
        let at = 4 + rng.below(end - 4);
        bytes[at] ^= 1 << rng.below(8);
    }
    bytes
}

/// Probes random positions of a table and returns the number of tables that are reported.
fn probe(folder: &Path, table: &Path, rng: &mut Rng) -> usize {
    let mut tables = SyzygyTables::new();
    tables.add_folder(folder).unwrap();
    let pieces = table.file_stem().unwrap().to_str().unwrap();
    let mut probed = 0;
    while probed < POSITIONS {
        if let Some(position) = random_position(pieces, rng) {
            let _ = (tables.probe_wdl_after_zeroing(&position), tables.probe_dtz(&position));
            probed += 1;
        }
    }
    let damaged = tables.take_damaged();
    // A wrong result may also make the intact distance table of the same pieces fail.
    assert!(damaged.iter().all(|table| table.name.starts_with(pieces)), "{damaged:?}");
    damaged.len()
}

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
    let position: Option<Chess> = setup.position(CastlingMode::Standard).ok();
    position.filter(|position| !position.legal_moves().is_empty())
}
