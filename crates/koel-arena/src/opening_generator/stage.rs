//! Stages of the game in which a set of openings may begin.

use std::fmt;
use std::str::FromStr;

use shakmaty::{Bitboard, Board, Color};

/// The stage of the game of a set of openings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OpeningStage {
    /// Directly after the random moves.
    #[default]
    Opening,
    /// No queens, at most two pieces on each side beside the king, and at least one pawn.
    Endgame,
    /// At least three pairs of pawns block each other, at most one file is open, and each side has at
    /// least three pieces beside the king.
    Closed,
}

impl OpeningStage {
    const ALL: [OpeningStage; 3] =
        [OpeningStage::Opening, OpeningStage::Endgame, OpeningStage::Closed];

    /// Returns true if a position is of this stage.
    #[must_use]
    pub fn contains(self, board: &Board) -> bool {
        let [black, white] = [Color::Black, Color::White].map(|side| pieces(board, side));
        match self {
            OpeningStage::Opening => true,
            OpeningStage::Endgame => {
                board.queens().is_empty()
                    && black.max(white) <= 2
                    && black + white > 0
                    && !board.pawns().is_empty()
            }
            OpeningStage::Closed => {
                rams(board) >= 3 && open_files(board) <= 1 && black.min(white) >= 3
            }
        }
    }
}

/// Counts the pieces that are neither king nor pawn.
fn pieces(board: &Board, side: Color) -> usize {
    (board.by_color(side) & !board.pawns() & !board.kings()).count()
}

/// Counts the pairs of pawns that block each other.
fn rams(board: &Board) -> usize {
    let [white, black] = [board.white(), board.black()].map(|side| board.pawns() & side);
    (white.shift(8) & black).count()
}

fn open_files(board: &Board) -> usize {
    shakmaty::File::ALL
        .into_iter()
        .filter(|&file| (board.pawns() & Bitboard::from_file(file)).is_empty())
        .count()
}

impl fmt::Display for OpeningStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OpeningStage::Opening => "opening",
            OpeningStage::Endgame => "endgame",
            OpeningStage::Closed => "closed",
        })
    }
}

impl FromStr for OpeningStage {
    type Err = String;

    fn from_str(text: &str) -> Result<OpeningStage, String> {
        let found = OpeningStage::ALL.into_iter().find(|stage| stage.to_string() == text);
        found.ok_or_else(|| format!("`{text}` is not a stage: opening, endgame or closed"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(text: &str) -> Board {
        Board::from_ascii_board_fen(text.as_bytes()).unwrap()
    }

    #[test]
    fn stages_are_recognised() {
        let usual = board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
        let endgame = board("2b3k1/2p5/1p1p4/1PnP2p1/p3P3/P2B4/1PKN4/8");
        let closed = board("r1bq1rk1/1p2npbn/3p4/p1pPp1p1/P1P1P1P1/2N2N2/1P2BP2/R1BQ1RK1");
        let stages = |board: &Board| OpeningStage::ALL.map(|stage| stage.contains(board));
        assert_eq!(stages(&usual), [true, false, false]);
        assert_eq!(stages(&endgame), [true, true, false]);
        assert_eq!(stages(&closed), [true, false, true]);
        // Pawns alone, a queen, a third piece.
        for other in
            ["4k3/pp6/8/8/8/8/PP6/4K3", "4k3/pp6/8/8/8/8/PP6/3QK3", "2bnkn2/pp6/8/8/8/8/PP6/3RK3"]
        {
            assert_eq!(stages(&board(other)), [true, false, false], "{other}");
        }
    }

    #[test]
    fn names_are_read_back() {
        for stage in OpeningStage::ALL {
            assert_eq!(stage.to_string().parse(), Ok(stage));
        }
        assert!("middle".parse::<OpeningStage>().is_err());
    }
}
