//! The rules of chess: legal moves, and the end of a game.

use koel_board::FIFTY_MOVE_PLIES;
use koel_uci::MoveText;
use shakmaty::san::{San, SanPlus, Suffix};
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Position};

use crate::record::Ending;

/// A game in progress, of which the rules are enforced.
#[derive(Clone, Debug)]
pub(crate) struct Referee {
    position: Chess,
    mode: CastlingMode,
    /// The keys since the last irreversible move; the current position is the last.
    keys: Vec<u64>,
}

/// A legal move that was played.
#[derive(Clone, Debug)]
pub(crate) struct RefereedMove {
    /// The move in standard algebraic notation.
    pub san: SanPlus,
    /// True for castling in the notation of the other variant (standard chess or Chess960).
    pub is_foreign_castling: bool,
    /// The end of the game by this move, if it is one.
    pub end: Option<Ending>,
}

impl Referee {
    pub(crate) fn new(position: Chess, mode: CastlingMode) -> Referee {
        let keys = vec![key(&position)];
        Referee { position, mode, keys }
    }

    pub(crate) fn position(&self) -> &Chess {
        &self.position
    }

    pub(crate) fn turn(&self) -> Color {
        self.position.turn()
    }

    /// Plays a move. Returns `None` and plays nothing if it is not legal.
    pub(crate) fn play(&mut self, text: MoveText) -> Option<RefereedMove> {
        let m = self.legal(text)?;
        let san = San::from_move(&self.position, m);
        let is_foreign_castling = self.play_legal(m, text);
        let end = self.end();
        let suffix = match end {
            Some(Ending::Checkmate) => Some(Suffix::Checkmate),
            _ => self.position.is_check().then_some(Suffix::Check),
        };
        Some(RefereedMove { san: SanPlus { san, suffix }, is_foreign_castling, end })
    }

    /// Plays a move like [`play`](Self::play), without its algebraic notation. Returns true for
    /// castling in the notation of the other variant.
    pub(crate) fn play_without_san(&mut self, text: MoveText) -> Option<bool> {
        let m = self.legal(text)?;
        Some(self.play_legal(m, text))
    }

    /// Returns moves in standard algebraic notation, up to the first illegal one.
    pub(crate) fn line(&self, moves: &[MoveText]) -> Vec<String> {
        let mut game = self.clone();
        moves.iter().map_while(|&m| Some(game.play(m)?.san.to_string())).collect()
    }

    fn legal(&self, text: MoveText) -> Option<Move> {
        let uci: UciMove = text.as_str().parse().ok()?;
        uci.to_move(&self.position).ok()
    }

    fn play_legal(&mut self, m: Move, text: MoveText) -> bool {
        let is_foreign_castling =
            m.is_castle() && UciMove::from_move(m, self.mode).to_string() != text.as_str();
        if self.position.is_irreversible(m) {
            self.keys.clear();
        }
        self.position.play_unchecked(m);
        self.keys.push(key(&self.position));
        is_foreign_castling
    }

    /// Returns the end of the game, if it is over. Checkmate takes precedence over every draw.
    pub(crate) fn end(&self) -> Option<Ending> {
        if self.position.legal_moves().is_empty() {
            let is_check = self.position.is_check();
            return Some(if is_check { Ending::Checkmate } else { Ending::Stalemate });
        }
        if self.position.is_insufficient_material() {
            return Some(Ending::InsufficientMaterial);
        }
        if self.has_had_fifty_moves() {
            return Some(Ending::FiftyMoves);
        }
        self.is_threefold().then_some(Ending::Threefold)
    }

    /// Returns true if the game is drawn by repetition or the fifty-move rule, unless it is mate.
    /// This needs no move generation.
    pub(crate) fn may_be_drawn(&self) -> bool {
        self.has_had_fifty_moves() || self.is_threefold()
    }

    fn has_had_fifty_moves(&self) -> bool {
        self.position.halfmoves() >= FIFTY_MOVE_PLIES.into()
    }

    fn is_threefold(&self) -> bool {
        let current = self.keys.last();
        self.keys.iter().filter(|&key| Some(key) == current).count() >= 3
    }
}

fn key(position: &Chess) -> u64 {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;

    use super::*;

    fn end_after(fen: &str, moves: &str) -> Option<Ending> {
        let fen: Fen = fen.parse().unwrap();
        let mode = CastlingMode::Standard;
        let mut referee = Referee::new(fen.into_position(mode).unwrap(), mode);
        for word in moves.split_whitespace() {
            assert_eq!(referee.end(), None, "{word}");
            assert!(referee.play(word.parse().unwrap()).is_some(), "{word}");
        }
        referee.end()
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn every_end_is_recognised() {
        assert_eq!(end_after(START, "f2f3 e7e5 g2g4 d8h4"), Some(Ending::Checkmate));
        assert_eq!(end_after("7k/8/6K1/8/8/8/8/5Q2 w - -", "f1f7"), Some(Ending::Stalemate));
        let bare = Some(Ending::InsufficientMaterial);
        assert_eq!(end_after("7k/8/8/8/8/8/6q1/7K w - -", "h1g2"), bare);
        let shuffle = "g1f3 g8f6 f3g1 f6g8 ";
        assert_eq!(end_after(START, shuffle), None);
        assert_eq!(end_after(START, &shuffle.repeat(2)), Some(Ending::Threefold));
        let fifty = Some(Ending::FiftyMoves);
        assert_eq!(end_after("7k/8/8/8/8/8/8/R6K w - - 99 80", "a1a2"), fifty);
        let mate = Some(Ending::Checkmate);
        assert_eq!(end_after("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1a8"), mate);
    }

    #[test]
    fn illegal_moves_change_nothing() {
        let mode = CastlingMode::Standard;
        let mut referee = Referee::new(Chess::new(), mode);
        for word in ["e2e5", "e7e5", "0000", "e2e4q"] {
            assert!(referee.play(word.parse().unwrap()).is_none(), "{word}");
        }
        assert_eq!(referee.position(), &Chess::new());
    }

    #[test]
    fn each_variant_has_its_castling_notation() {
        let fen: Fen = "4k3/8/8/8/8/8/8/4K2R w K -".parse().unwrap();
        for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
            for (word, is_standard) in [("e1g1", true), ("e1h1", false)] {
                let position = fen.clone().into_position(mode).unwrap();
                let played = Referee::new(position, mode).play(word.parse().unwrap()).unwrap();
                let is_expected = is_standard == (mode == CastlingMode::Standard);
                assert_eq!(played.is_foreign_castling, !is_expected, "{mode:?} {word}");
                assert_eq!(played.san.to_string(), "O-O");
            }
        }
    }
}
