//! Small tables for tests.

use std::fs;
use std::path::Path;

/// Writes a table with pawns in which every position has the same value.
pub(crate) fn write_constant_table(folder: &Path, name: &str, flags: u8, value: u8) {
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
    fs::write(folder.join(name), bytes).unwrap();
}
