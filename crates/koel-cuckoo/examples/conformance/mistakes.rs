//! Known mistakes in the detection of upcoming repetitions, and the records that find each of them.

use std::collections::{BTreeMap, HashMap};

use shakmaty::attacks::{attacks, between};
use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{
    Bitboard, CastlingSide, Chess, Color, EnPassantMode, Piece, Position, Role, Square,
};

use crate::oracle::Line;
use crate::record::Record;
use crate::truth::play;

/// A form of the detector. [`EXACT`] is right; each other one deviates in one way.
#[derive(Clone, Copy)]
struct Form {
    name: &'static str,
    /// The pieces of the opponent must stand where they stood in the earlier position. Without this
    /// test a position after the root counts also if a move of the *opponent* connects the two.
    tests_opponent: bool,
    /// The key of the side to move is removed from each move of the opponent.
    removes_side: bool,
    /// The squares between the two ends of the move must be empty.
    tests_path: bool,
    at_root: AtRoot,
    /// A null move ends the reach.
    null_move_ends: bool,
    en_passant: EnPassantMode,
    has_castling: bool,
}

/// The rule for positions at or before the root.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AtRoot {
    /// A position counts if it was itself a repetition; otherwise the scan goes on.
    Twice,
    /// A position counts if it was itself a repetition; the first one ends the scan.
    TwiceOrEnd,
    /// Every position counts.
    Once,
}

const EXACT: Form = Form {
    name: "exact",
    tests_opponent: true,
    removes_side: true,
    tests_path: true,
    at_root: AtRoot::Twice,
    null_move_ends: true,
    en_passant: EnPassantMode::Legal,
    has_castling: true,
};

const FORMS: &[Form] = &[
    EXACT,
    Form { name: "opponent's pieces not tested", tests_opponent: false, ..EXACT },
    Form { name: "side key not removed", removes_side: false, ..EXACT },
    Form { name: "path not tested", tests_path: false, ..EXACT },
    Form { name: "one occurrence before the root counts", at_root: AtRoot::Once, ..EXACT },
    Form { name: "scan ends at the first before the root", at_root: AtRoot::TwiceOrEnd, ..EXACT },
    Form { name: "null move does not end the reach", null_move_ends: false, ..EXACT },
    Form { name: "every en-passant square in the key", en_passant: EnPassantMode::Always, ..EXACT },
    Form { name: "castling rights not in the key", has_castling: false, ..EXACT },
];

/// The results of one form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mistakes {
    pub(crate) name: &'static str,
    /// The records for which it claims an upcoming repetition.
    pub(crate) claims: usize,
    /// Those of them in which there is none.
    pub(crate) false_claims: usize,
    /// The records with an upcoming repetition that it does not find.
    pub(crate) missed: usize,
    /// Wrong answers by kind.
    pub(crate) kinds: BTreeMap<String, usize>,
}

/// Applies every form to every record.
pub(crate) fn count(records: &[Record]) -> Vec<Mistakes> {
    let moves = connecting_moves();
    let lines = records.iter().filter_map(|record| Some((record, play(record).ok()?)));
    let lines = lines.collect::<Vec<_>>();
    let count = |form: &Form| {
        let mut mistakes = Mistakes { name: form.name, ..Mistakes::default() };
        for (record, line) in &lines {
            let claims = form.claims(line, line.plies() - record.root, &moves);
            let is_true = record.truth.upcoming.is_some();
            mistakes.claims += usize::from(claims);
            mistakes.false_claims += usize::from(claims && !is_true);
            mistakes.missed += usize::from(!claims && is_true);
            if claims != is_true {
                *mistakes.kinds.entry(record.kind().to_owned()).or_default() += 1;
            }
        }
        mistakes
    };
    FORMS.iter().map(count).collect()
}

impl Form {
    /// Returns true if the form claims that the side to move can repeat a position.
    fn claims(&self, line: &Line, ply: usize, moves: &HashMap<u64, [Square; 2]>) -> bool {
        let key = |plies_ago| self.key(&line.ago(plies_ago).position);
        // Positions before a pawn move or a capture have other keys.
        let limit = if self.null_move_ends { line.now().reversible_plies } else { line.plies() };
        let position = &line.now().position;
        let side = Zobrist64::zobrist_for_white_turn().0;
        let removed = if self.removes_side { side } else { 0 };
        let mut theirs = key(0) ^ removed;
        for plies in 1..=limit {
            theirs ^= key(plies) ^ if plies % 2 == 1 { 0 } else { removed };
            if plies < 3 || plies % 2 == 0 || (self.tests_opponent && theirs != 0) {
                continue;
            }
            let Some(&[first, second]) = moves.get(&(key(0) ^ key(plies))) else { continue };
            if self.tests_path && (between(first, second) & position.board().occupied()).any() {
                continue;
            }
            if plies < ply || self.at_root == AtRoot::Once {
                return true;
            }
            let piece = position.board().color_at(first).or(position.board().color_at(second));
            let is_repeated = || (plies + 1..=limit).any(|other| key(other) == key(plies));
            if piece == Some(position.turn()) && is_repeated() {
                return true;
            }
            if self.at_root == AtRoot::TwiceOrEnd {
                return false;
            }
        }
        false
    }

    fn key(&self, position: &Chess) -> u64 {
        let mut key = Zobrist64::zobrist_for_white_turn().0 * u64::from(position.turn().is_white());
        for (square, piece) in position.board().clone() {
            key ^= Zobrist64::zobrist_for_piece(square, piece).0;
        }
        if self.has_castling {
            for (color, side) in Color::ALL
                .into_iter()
                .flat_map(|color| CastlingSide::ALL.into_iter().map(move |side| (color, side)))
            {
                if position.castles().has(color, side) {
                    key ^= Zobrist64::zobrist_for_castling_right(color, side).0;
                }
            }
        }
        if let Some(square) = position.ep_square(self.en_passant) {
            key ^= Zobrist64::zobrist_for_en_passant_file(square.file()).0;
        }
        key
    }
}

/// Returns the two squares of each reversible move by its key.
fn connecting_moves() -> HashMap<u64, [Square; 2]> {
    let roles = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
    let mut moves = HashMap::new();
    for piece in Color::ALL.into_iter().flat_map(|color| roles.map(|role| Piece { color, role })) {
        for from in Square::ALL {
            for to in attacks(from, piece, Bitboard::EMPTY) {
                let [from_key, to_key] =
                    [from, to].map(|square| Zobrist64::zobrist_for_piece(square, piece).0);
                let key = from_key ^ to_key ^ Zobrist64::zobrist_for_white_turn().0;
                moves.insert(key, [from, to]);
            }
        }
    }
    moves
}
