//! A check of the header of distance tables that shakmaty-syzygy lacks.
//!
//! A distance (DTZ) table holds one side to move; for the other side, the positions after all moves
//! are probed. The header has a flag for the side. With the same pieces on both sides the table is
//! the same for both, and the flag must not be set: if it is, both sides seem to be missing, and
//! the probe goes from position to position without end.

use std::io::{self, ErrorKind};

use shakmaty_syzygy::filesystem::{RandomAccessFile, ReadHint};

/// The flag of the side to move.
const BLACK_TO_MOVE: u8 = 1;
/// The flag of a subtable in which all values are the same.
const SINGLE_VALUE: u8 = 128;
/// The subtables of a table with pawns, for the files of the leading pawn.
const SUBTABLES: usize = 4;

/// Checks the flags of the side to move in a table with the same pieces, pawns among them, on both
/// sides. Other tables have nothing to check: those without pawns ignore the flag, and those with
/// different pieces hold one side whatever the flag says.
///
/// # Errors
/// A flag is wrong, or the file is too short.
pub(crate) fn check_sides(name: &str, file: &dyn RandomAccessFile) -> io::Result<()> {
    let Some(pieces) = name.strip_suffix(".rtbz") else { return Ok(()) };
    let is_symmetric = pieces.split_once('v').is_some_and(|(white, black)| white == black);
    if !is_symmetric || !pieces.contains('P') {
        return Ok(());
    }
    let byte = |at| file.read_u8_at(at, ReadHint::Header);
    // Each subtable has two bytes for the order of its pieces, and its pieces.
    let orders = SUBTABLES * (2 + pieces.len() - 1);
    let mut at = (5 + orders as u64).next_multiple_of(2);
    for _ in 0..SUBTABLES {
        let flags = byte(at)?;
        if flags & BLACK_TO_MOVE != 0 {
            let message = "the header states one side to move, expected both";
            return Err(io::Error::new(ErrorKind::InvalidData, message));
        }
        if flags & SINGLE_VALUE != 0 {
            at += 2;
            continue;
        }
        let (longest, shortest) = (u64::from(byte(at + 8)?), u64::from(byte(at + 9)?));
        at += 10 + 2 * (longest + 1).saturating_sub(shortest);
        let symbols = u64::from(file.read_u16_le_at(at, ReadHint::Header)?);
        at += 2 + 3 * symbols + symbols % 2;
    }
    Ok(())
}
