//! The dull twin: a line of plain positions, compared piece by piece, every legal move tried.

use shakmaty::fen::Fen;
use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, Move, Piece};
use shakmaty::{Position, Role, Square};

use koel_cuckoo::{CycleTable, ZobristKey};

/// The table for shakmaty's own keys.
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

/// Castling is irreversible too, but only a capture or a pawn move must be told.
pub(crate) fn is_reversible(played: Move) -> bool {
    !played.is_zeroing() && !played.is_castle()
}

pub(crate) fn parse(fen: &str, mode: CastlingMode) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(mode).unwrap()
}

/// What makes two positions the same by the rules. No key has a part in it.
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

/// A legal move, and what it leads to.
pub(crate) struct Step {
    pub(crate) played: Move,
    pub(crate) reversible: bool,
    pub(crate) after: Plain,
}

impl Step {
    /// Squares in the numbering of the crate: a1 is 0.
    pub(crate) fn squares(&self) -> [usize; 2] {
        [self.played.from().unwrap() as usize, self.played.to() as usize]
    }
}

pub(crate) struct Place {
    pub(crate) position: Chess,
    pub(crate) plain: Plain,
    pub(crate) steps: Vec<Step>,
    /// Reversible moves in a row.
    pub(crate) reach: usize,
}

impl Place {
    fn new(position: Chess, reach: usize) -> Self {
        let steps = position.legal_moves().into_iter().map(|played| {
            let mut after = position.clone();
            after.play_unchecked(played);
            Step { played, reversible: is_reversible(played), after: Plain::new(&after) }
        });
        Self { plain: Plain::new(&position), steps: steps.collect(), position, reach }
    }
}

/// The positions of a line, the present one last.
pub(crate) struct Line {
    places: Vec<Place>,
}

impl Line {
    pub(crate) fn new(start: Chess) -> Self {
        Self { places: vec![Place::new(start, 0)] }
    }

    pub(crate) fn push(&mut self, played: Move) {
        let mut position = self.now().position.clone();
        position.play_unchecked(played);
        let reach = if is_reversible(played) { self.now().reach + 1 } else { 0 };
        self.places.push(Place::new(position, reach));
    }

    /// False, and nothing done, in check.
    pub(crate) fn push_null(&mut self) -> bool {
        let swapped = self.now().position.clone().swap_turn();
        swapped.is_ok_and(|position| {
            self.places.push(Place::new(position, 0));
            true
        })
    }

    pub(crate) fn pop(&mut self) {
        self.places.pop();
    }

    pub(crate) fn plies(&self) -> usize {
        self.places.len() - 1
    }

    pub(crate) fn ago(&self, plies: usize) -> &Place {
        &self.places[self.places.len() - 1 - plies]
    }

    pub(crate) fn now(&self) -> &Place {
        self.ago(0)
    }

    /// How many plies before the place so many plies ago this position occurred within its reach.
    pub(crate) fn occurrences(&self, plain: &Plain, plies_ago: usize, reach: usize) -> Vec<usize> {
        (1..=reach).filter(|&plies| self.ago(plies_ago + plies).plain == *plain).collect()
    }

    fn earlier(&self, plies_ago: usize) -> Vec<usize> {
        let place = self.ago(plies_ago);
        self.occurrences(&place.plain, plies_ago, place.reach)
    }

    /// Every way back: the moves into an earlier position, and how far back that lies.
    pub(crate) fn returns(&self) -> Vec<Return> {
        let now = self.now();
        let back = |step: &Step| {
            let reach = if step.reversible { now.reach } else { 0 };
            // Distance 0 is the present position, which no move can reach.
            let plies = self.occurrences(&step.after, 0, reach);
            let repeated = plies.iter().map(|&plies| !self.earlier(plies).is_empty()).collect();
            Return { squares: step.squares(), plies, repeated }
        };
        now.steps.iter().map(back).filter(|found| !found.plies.is_empty()).collect()
    }

    /// Every earlier position with one reversible move into the present one, the nearest first:
    /// castling rights equal in both, en passant legal in neither.
    pub(crate) fn shortcuts(&self) -> Vec<(usize, [usize; 2])> {
        let now = self.now();
        let mut found = Vec::new();
        // From one ply ago, the move was just played.
        for plies in 2..=now.reach {
            let earlier = self.ago(plies);
            let comparable = earlier.plain.castling == now.plain.castling
                && earlier.plain.en_passant.is_none()
                && now.plain.en_passant.is_none();
            let step = |step: &&Step| step.reversible && step.after == now.plain;
            if let Some(step) = earlier.steps.iter().find(step).filter(|_| comparable) {
                found.push((plies, step.squares()));
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
    pub(crate) squares: [usize; 2],
    /// Plies before the present position, ascending.
    pub(crate) plies: Vec<usize>,
    /// Whether each of those was itself a repetition.
    pub(crate) repeated: Vec<bool>,
}

impl Return {
    /// Whether the position after the move, at `ply` + 1, is a draw: by the rule, not by detector.
    pub(crate) fn is_draw(&self, ply: usize) -> bool {
        draws(&self.plies.iter().map(|plies| plies + 1).collect::<Vec<_>>(), ply + 1)
    }

    /// The nearest occurrence that makes it one.
    pub(crate) fn nearest(&self, ply: usize) -> Option<usize> {
        let counts = |&(&plies, &repeated): &(&usize, &bool)| plies < ply || repeated;
        self.plies.iter().zip(&self.repeated).find(counts).map(|(&plies, _)| plies)
    }
}

/// One occurrence strictly after the root, or two at all.
pub(crate) fn draws(distances: &[usize], ply: usize) -> bool {
    distances.iter().any(|&plies| plies < ply) || distances.len() >= 2
}
