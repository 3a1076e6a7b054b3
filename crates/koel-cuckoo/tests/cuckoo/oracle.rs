//! The reference implementation: plain positions compared piece by piece, every legal move tried.

use shakmaty::fen::Fen;
use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, Move, Piece};
use shakmaty::{Position, Role, Square};

use koel_cuckoo::{CycleTable, ZobristKey};

/// Returns the table for shakmaty's keys.
pub(crate) fn shakmaty_table() -> CycleTable {
    let mut keys = [[0; 64]; 10];
    let roles = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
    for (index, keys) in keys.iter_mut().enumerate() {
        let piece = Piece { color: Color::ALL[index / 5], role: roles[index % 5] };
        for square in Square::ALL {
            keys[square as usize] = Zobrist64::zobrist_for_piece(square, piece).0;
        }
    }
    CycleTable::new(&keys, Zobrist64::zobrist_for_white_turn().0)
}

pub(crate) fn key(position: &Chess) -> ZobristKey {
    ZobristKey(position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0)
}

pub(crate) fn occupied(position: &Chess) -> u64 {
    position.board().occupied().0
}

/// Returns true for reversible moves. Castling is irreversible too, but need not be passed as such.
pub(crate) fn is_reversible(played: Move) -> bool {
    !played.is_zeroing() && !played.is_castle()
}

pub(crate) fn parse(fen: &str, mode: CastlingMode) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(mode).unwrap()
}

/// The features that make two positions equal by the rules, without keys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Plain {
    board: Board,
    turn: Color,
    castling: Bitboard,
    en_passant: Option<Square>,
}

impl Plain {
    pub(crate) fn new(position: &Chess) -> Self {
        Self {
            board: position.board().clone(),
            turn: position.turn(),
            castling: position.castles().castling_rights(),
            en_passant: position.legal_ep_square(),
        }
    }
}

/// A legal move and the position after it.
pub(crate) struct Step {
    pub(crate) played: Move,
    pub(crate) reversible: bool,
    pub(crate) after: Plain,
}

/// Returns the squares of a move in the numbering of the crate: a1 is 0.
pub(crate) fn squares(played: Move) -> [usize; 2] {
    [played.from().unwrap() as usize, played.to() as usize]
}

/// A position of the line with its legal moves.
pub(crate) struct LinePosition {
    pub(crate) position: Chess,
    pub(crate) plain: Plain,
    pub(crate) steps: Vec<Step>,
    /// The number of consecutive reversible plies before the position.
    pub(crate) reversible_plies: usize,
}

impl LinePosition {
    fn new(position: Chess, reversible_plies: usize) -> Self {
        let steps = position.legal_moves().into_iter().map(|played| {
            let mut after = position.clone();
            after.play_unchecked(played);
            Step { played, reversible: is_reversible(played), after: Plain::new(&after) }
        });
        Self { plain: Plain::new(&position), steps: steps.collect(), position, reversible_plies }
    }
}

/// The positions of a line, the current one last.
pub(crate) struct Line {
    positions: Vec<LinePosition>,
}

impl Line {
    pub(crate) fn new(start: Chess) -> Self {
        Self { positions: vec![LinePosition::new(start, 0)] }
    }

    pub(crate) fn push(&mut self, played: Move) {
        let mut position = self.now().position.clone();
        position.play_unchecked(played);
        let plies = if is_reversible(played) { self.now().reversible_plies + 1 } else { 0 };
        self.positions.push(LinePosition::new(position, plies));
    }

    /// Plays a null move; returns false and does nothing in check.
    pub(crate) fn push_null(&mut self) -> bool {
        let swapped = self.now().position.clone().swap_turn();
        swapped.is_ok_and(|position| {
            self.positions.push(LinePosition::new(position, 0));
            true
        })
    }

    pub(crate) fn pop(&mut self) {
        self.positions.pop();
    }

    pub(crate) fn plies(&self) -> usize {
        self.positions.len() - 1
    }

    pub(crate) fn ago(&self, plies: usize) -> &LinePosition {
        &self.positions[self.positions.len() - 1 - plies]
    }

    pub(crate) fn now(&self) -> &LinePosition {
        self.ago(0)
    }

    /// Returns the distances of the earlier occurrences of a position, counted from the position
    /// `plies_ago`, within this many reversible plies.
    pub(crate) fn occurrences(
        &self,
        plain: &Plain,
        plies_ago: usize,
        reversible_plies: usize,
    ) -> Vec<usize> {
        (1..=reversible_plies)
            .filter(|&plies| self.ago(plies_ago + plies).plain == *plain)
            .collect()
    }

    /// Returns the distances of the occurrences before the position this many plies ago.
    pub(crate) fn earlier(&self, plies_ago: usize) -> Vec<usize> {
        let earlier = self.ago(plies_ago);
        self.occurrences(&earlier.plain, plies_ago, earlier.reversible_plies)
    }

    /// Returns the moves into an earlier position, with their distances.
    pub(crate) fn returns(&self) -> Vec<Return> {
        let now = self.now();
        let back = |step: &Step| {
            let reversible_plies = if step.reversible { now.reversible_plies } else { 0 };
            // Distance 0 is the current position, which no move can reach.
            let plies = self.occurrences(&step.after, 0, reversible_plies);
            let repeated = plies.iter().map(|&plies| !self.earlier(plies).is_empty()).collect();
            Return { played: step.played, plies, repeated }
        };
        now.steps.iter().map(back).filter(|found| !found.plies.is_empty()).collect()
    }

    /// Returns the earlier positions with one reversible move into the current one, the nearest
    /// first, with equal castling rights and no legal en passant in both.
    pub(crate) fn shortcuts(&self) -> Vec<(usize, Move)> {
        let now = self.now();
        let mut found = Vec::new();
        // From one ply ago, the move was just played.
        for plies in 2..=now.reversible_plies {
            let earlier = self.ago(plies);
            let comparable = earlier.plain.castling == now.plain.castling
                && earlier.plain.en_passant.is_none()
                && now.plain.en_passant.is_none();
            let step = |step: &&Step| step.reversible && step.after == now.plain;
            if let Some(step) = earlier.steps.iter().find(step).filter(|_| comparable) {
                found.push((plies, step.played));
            }
        }
        found
    }

    pub(crate) fn repetitions(&self) -> Vec<usize> {
        self.earlier(0)
    }
}

/// A legal move into a position that has been on the board.
pub(crate) struct Return {
    pub(crate) played: Move,
    /// The distances of the occurrences in plies, ascending.
    pub(crate) plies: Vec<usize>,
    /// True for each of those that was itself a repetition.
    pub(crate) repeated: Vec<bool>,
}

impl Return {
    /// Returns true if the position after the move, at `ply` + 1, is a draw by repetition.
    pub(crate) fn is_draw(&self, ply: usize) -> bool {
        draws(&self.plies.iter().map(|plies| plies + 1).collect::<Vec<_>>(), ply + 1)
    }

    /// Returns the nearest occurrence that makes it a draw.
    pub(crate) fn nearest(&self, ply: usize) -> Option<usize> {
        let counts = |&(&plies, &repeated): &(&usize, &bool)| plies < ply || repeated;
        self.plies.iter().zip(&self.repeated).find(counts).map(|(&plies, _)| plies)
    }
}

/// The draw rule: one occurrence strictly after the root, or two anywhere.
pub(crate) fn draws(distances: &[usize], ply: usize) -> bool {
    distances.iter().any(|&plies| plies < ply) || distances.len() >= 2
}
