//! The positions in which the lines begin: a pattern with some random pieces around it.

use koel_random::Rng;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Piece, Position, Role, Square};

use crate::random_line::{CHESS960, STANDARD};

/// A set of patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Starts {
    /// Positions in which much repeats, and positions a few moves later.
    Standard,
    /// Long-range pieces.
    Sliders,
    /// Castling rights that can be lost in a cycle.
    Castling,
    /// Castling rights of Chess960.
    Chess960,
    /// An en-passant square on which no pawn may capture.
    IllegalEnPassant,
    /// An en-passant square on which a pawn may capture.
    LegalEnPassant,
}

const SLIDERS: &[&str] = &[
    "6k1/8/8/8/8/p7/P7/R5K1 w - - 0 1",
    "6k1/5p2/8/8/8/8/8/Q5K1 w - - 0 1",
    "3q2k1/5p2/8/8/8/8/5P2/3B2K1 b - - 0 1",
    "r5k1/r4p2/8/8/8/8/5P2/R5K1 w - - 0 1",
    "2b3k1/p7/P7/8/8/8/8/2B3KR w - - 0 1",
];

const CASTLING: &[&str] = &[
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b KQkq - 0 1",
    "4k2r/7p/8/8/8/8/P7/R3K3 w Qk - 0 1",
    "4k3/8/8/8/8/8/4q3/R3K2R w KQ - 0 1",
    "r3k3/1p6/8/8/8/8/6P1/4K2R w Kq - 0 1",
];

/// Nobody stands beside the pawn, or the capture would expose the king: on the rank, on a file, on
/// a diagonal, or to a check that it does not end.
const ILLEGAL_EN_PASSANT: &[&str] = &[
    "4k3/8/8/8/1p2P3/8/8/4K3 b - e3 0 1",
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 1",
    "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1",
    "8/6b1/8/r3PpKn/8/8/8/7k w - f6 0 1",
    "5kbq/3Q2n1/6p1/r3PpKn/2n5/8/8/q7 w - f6 0 1",
    "3k4/8/8/8/3pP3/8/8/3RK3 b - e3 0 1",
    "b3k3/8/8/3pP3/8/8/6K1/8 w - d6 0 1",
    "4r1k1/8/8/3pP3/8/8/4K3/8 w - d6 0 1",
    "7k/8/8/2pP4/8/5b2/8/3K4 w - c6 0 1",
];

const LEGAL_EN_PASSANT: &[&str] = &[
    "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    "rnbqkbnr/ppp2ppp/4p3/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 1",
    "r3k2r/p6p/8/1pP5/8/8/P6P/R3K2R w KQkq b6 0 1",
];

impl Starts {
    pub(crate) fn mode(self) -> CastlingMode {
        if self == Self::Chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard }
    }

    /// Returns a random position, or `None` if the random pieces did not fit. Half of the positions
    /// with an en-passant square are given before the double push, with that move.
    pub(crate) fn draw(self, rng: &mut Rng) -> Option<(Chess, Option<Move>)> {
        let patterns: &[&str] = match self {
            Self::Standard => &STANDARD,
            Self::Sliders => SLIDERS,
            Self::Castling => CASTLING,
            Self::Chess960 => &CHESS960,
            Self::IllegalEnPassant => ILLEGAL_EN_PASSANT,
            Self::LegalEnPassant => LEGAL_EN_PASSANT,
        };
        let fen = patterns[rng.below(patterns.len())].parse::<Fen>().ok()?;
        let start = scatter(fen, self.mode(), rng)?;
        let has_legal_ep = start.ep_square(EnPassantMode::Legal).is_some();
        let is_wanted = match self {
            Self::IllegalEnPassant => {
                !has_legal_ep && start.ep_square(EnPassantMode::Always).is_some()
            }
            Self::LegalEnPassant => has_legal_ep,
            _ => true,
        };
        if !is_wanted || start.is_insufficient_material() {
            return None;
        }
        let is_en_passant = matches!(self, Self::IllegalEnPassant | Self::LegalEnPassant);
        match start.ep_square(EnPassantMode::Always) {
            Some(square) if is_en_passant && rng.below(2) == 0 => {
                before_double_push(&start, square)
            }
            _ => Some((start, None)),
        }
    }
}

/// Returns the position before the double push over an en-passant square, and the push.
fn before_double_push(position: &Chess, over: Square) -> Option<(Chess, Option<Move>)> {
    let mut setup = position.to_setup(EnPassantMode::Always);
    setup.swap_turn();
    setup.ep_square = None;
    let forward = if setup.turn.is_white() { 8 } else { -8 };
    let (from, to) = (over.offset(-forward)?, over.offset(forward)?);
    let pawn = setup.board.remove_piece_at(to)?;
    setup.board.set_piece_at(from, pawn);
    setup.fullmoves = core::num::NonZeroU32::MIN;
    let position = setup.position::<Chess>(CastlingMode::Standard).ok()?;
    let push = Move::Normal { role: Role::Pawn, from, capture: None, to, promotion: None };
    position.is_legal(push).then_some((position, Some(push)))
}

/// Adds up to four random pieces to a position.
fn scatter(fen: Fen, mode: CastlingMode, rng: &mut Rng) -> Option<Chess> {
    let mut setup = fen.into_setup();
    for _ in 0..rng.below(5) {
        let square = Square::ALL[rng.below(64)];
        let role = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen][rng.below(4)];
        let color = Color::ALL[rng.below(2)];
        if setup.board.piece_at(square).is_none() {
            setup.board.set_piece_at(square, Piece { color, role });
        }
    }
    setup.position(mode).ok()
}
