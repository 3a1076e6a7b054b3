//! Random positions of several kinds. Equal seeds give equal positions.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use koel_arena::DEFAULT_OPENINGS;
use koel_board::{Epd, Position, Role};
use koel_random::Rng;

/// A kind of random position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Kings and two to six pairs of blocked pawns, of which none can move or capture.
    LockedPawns,
    /// Locked pawns with one or two pieces on each side.
    LockedPieces,
    /// One or two pieces and up to two pawns on each side.
    PieceEndings,
    /// Eight random moves after an opening of Koel.
    Middlegames,
}

impl Kind {
    /// The kinds with their names.
    pub(super) const ALL: [(&str, Kind); 4] = [
        ("locked pawn endings", Kind::LockedPawns),
        ("locked with pieces", Kind::LockedPieces),
        ("piece endings", Kind::PieceEndings),
        ("middlegames", Kind::Middlegames),
    ];

    /// Generates so many different positions in which the side to move is not in check.
    pub(super) fn generate(self, count: usize, seed: u64) -> Vec<Position> {
        let mut rng = Rng::for_stream(seed, self as u64);
        let mut seen = HashSet::new();
        let mut positions = Vec::with_capacity(count);
        while positions.len() < count {
            if let Some(position) = self.position(&mut rng)
                && !position.is_check()
                && position.has_legal_moves()
                && seen.insert(position.key())
            {
                positions.push(position);
            }
        }
        positions
    }

    fn position(self, rng: &mut Rng) -> Option<Position> {
        let is_locked = matches!(self, Kind::LockedPawns | Kind::LockedPieces);
        let mut board = if is_locked { blocked_pawns(rng) } else { [None; 64] };
        let men = match self {
            Kind::LockedPawns => String::new(),
            Kind::LockedPieces => both_sides(rng, "NBR", 1..=2),
            Kind::PieceEndings => both_sides(rng, "NBRQ", 1..=2) + &both_sides(rng, "P", 0..=2),
            Kind::Middlegames => return middlegame(rng),
        };
        for man in "Kk".chars().chain(men.chars()) {
            place(&mut board, man, rng);
        }
        let position = position(&board, rng)?;
        (!is_locked || has_locked_pawns(&position)).then_some(position)
    }
}

/// Men by square, a1 first, as letters of FEN.
type Board = [Option<char>; 64];

/// Returns pawns of both sides that block each other, on two to six files.
fn blocked_pawns(rng: &mut Rng) -> Board {
    let mut board = [None; 64];
    let mut files: Vec<usize> = (0..8).collect();
    rng.shuffle(&mut files);
    let pairs = 2 + rng.below(5);
    for file in files.into_iter().take(pairs) {
        let square = 8 * (1 + rng.below(5)) + file;
        (board[square], board[square + 8]) = (Some('P'), Some('p'));
    }
    board
}

/// Places a man on a random free square, a pawn on the second to the seventh rank.
fn place(board: &mut Board, man: char, rng: &mut Rng) {
    let is_pawn = man.eq_ignore_ascii_case(&'p');
    let (first, count) = if is_pawn { (8, 48) } else { (0, 64) };
    loop {
        let square = first + rng.below(count);
        if board[square].is_none() {
            board[square] = Some(man);
            return;
        }
    }
}

/// Returns the position with a random side to move, if it is legal.
fn position(board: &Board, rng: &mut Rng) -> Option<Position> {
    let ranks = board.chunks(8).rev();
    let ranks = ranks.map(|rank| rank.iter().map(|man| man.unwrap_or('1')).collect::<String>());
    let placement = ranks.collect::<Vec<_>>().join("/");
    let placement =
        (2..=8).rev().fold(placement, |text, run| text.replace(&"1".repeat(run), &run.to_string()));
    let turn = if rng.below(2) == 0 { 'w' } else { 'b' };
    Position::from_fen(&format!("{placement} {turn} - - 0 1")).ok()
}

/// Draws some of these letters.
fn drawn(rng: &mut Rng, letters: &str, count: RangeInclusive<usize>) -> String {
    let letters: Vec<char> = letters.chars().collect();
    let count = count.start() + rng.below(count.end() - count.start() + 1);
    (0..count).map(|_| letters[rng.below(letters.len())]).collect()
}

/// Draws equally many letters for each side.
fn both_sides(rng: &mut Rng, letters: &str, count: RangeInclusive<usize>) -> String {
    let white = drawn(rng, letters, count);
    let black = drawn(rng, letters, white.len()..=white.len()).to_lowercase();
    white + &black
}

fn has_locked_pawns(position: &Position) -> bool {
    let moves = position.legal_moves();
    moves.iter().all(|m| position.role_at(m.from()) != Some(Role::Pawn))
}

fn middlegame(rng: &mut Rng) -> Option<Position> {
    let openings: Vec<&str> = DEFAULT_OPENINGS.lines().collect();
    let opening: Epd = openings[rng.below(openings.len())].parse().ok()?;
    let mut position = opening.position;
    for _ in 0..8 {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return None;
        }
        position = position.after(moves[rng.below(moves.len())]);
    }
    Some(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_give_equal_positions() {
        for (_, kind) in Kind::ALL {
            let keys = |seed| -> Vec<_> {
                kind.generate(5, seed).iter().map(|position| position.key()).collect()
            };
            assert_eq!(keys(1), keys(1));
            assert_ne!(keys(1), keys(2));
        }
    }

    #[test]
    fn positions_are_of_their_kind() {
        for position in Kind::LockedPawns.generate(20, 3) {
            let pawns = position.role(Role::Pawn).count();
            assert_eq!(position.occupied().count(), pawns + 2);
            assert!((4..=12).contains(&pawns) && has_locked_pawns(&position), "{position}");
        }
        for position in Kind::LockedPieces.generate(20, 3) {
            let pieces = position.occupied().count() - position.role(Role::Pawn).count();
            assert!([4, 6].contains(&pieces) && has_locked_pawns(&position), "{position}");
        }
        for position in Kind::Middlegames.generate(20, 3) {
            assert!(position.occupied().count() >= 20, "{position}");
        }
    }
}
