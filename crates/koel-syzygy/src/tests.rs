//! Folders and small tables for tests.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process;

/// A folder that is removed in the end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        let folder = env::temp_dir().join(format!("koel-syzygy {name} {}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    pub(crate) fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    /// Writes a table with pawns in which every position has the same value.
    pub(crate) fn constant_table(&self, name: &str, flags: u8, value: u8) -> PathBuf {
        let (pieces, ending) = name.split_once('.').unwrap();
        let (white, black) = pieces.split_once('v').unwrap();
        let is_symmetric = white == black;
        let has_both_sides = ending == "rtbw" && !is_symmetric;
        let magic: [u8; 4] =
            if ending == "rtbw" { [0x71, 0xe8, 0x23, 0x5d] } else { [0xd7, 0x66, 0x0c, 0xa5] };
        let mut bytes = magic.to_vec();
        bytes.push(u8::from(!is_symmetric) | 2);
        let nibble = |letter: char| 1 + "PNBRQK".find(letter).unwrap() as u8;
        // The leading pawn comes first.
        let white = white.chars().rev().map(nibble);
        let list: Vec<u8> = white.chain(black.chars().rev().map(|c| 8 | nibble(c))).collect();
        let has_both_pawns = pieces.matches('P').count() == 2;
        let list = if has_both_pawns { vec![list[0], list[2], list[1], list[3]] } else { list };
        for _ in 0..4 {
            bytes.push(0);
            if has_both_pawns {
                bytes.push(0x11);
            }
            bytes.extend(list.iter().map(|&piece| piece << 4 | piece));
        }
        bytes.resize(bytes.len().next_multiple_of(2), 0);
        for _ in 0..4 * (1 + usize::from(has_both_sides)) {
            bytes.extend([flags | 128, value]);
        }
        bytes.resize(bytes.len().next_multiple_of(64) + 16, 0);
        self.file(name, &bytes)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
