//! To and from shakmaty, whose parsers, SAN and tablebases work on its own positions.

use shakmaty::fen::Fen;
use shakmaty::{
    CastlingMode, Chess, EnPassantMode, FromSetup, Move as ShakmatyMove, PositionError, Role, Setup,
};

use crate::fen_error::FenError;
use crate::moves::{Move, MoveKind};
use crate::position::Position;

impl Position {
    /// The position as shakmaty describes any arrangement of pieces.
    #[must_use]
    pub fn to_setup(&self) -> Setup {
        let mut setup = Setup::empty();
        for square in self.occupied() {
            if let Some(piece) = self.piece_at(square) {
                setup.board.set_piece_at(square, piece);
            }
        }
        setup.turn = self.turn;
        setup.castling_rights = self.castling_rooks;
        setup.ep_square = self.en_passant;
        setup.halfmoves = u32::from(self.halfmove_clock);
        setup.fullmoves = self.fullmove_number.try_into().unwrap_or(setup.fullmoves);
        setup
    }

    /// The position as shakmaty plays it, with Chess960 rules for castling.
    ///
    /// # Panics
    /// Never: shakmaty accepts every position that gets past [`Position::from_fen`].
    #[must_use]
    pub fn to_shakmaty(&self) -> Chess {
        Chess::from_setup(self.to_setup(), CastlingMode::Chess960)
            .or_else(PositionError::ignore_impossible_check)
            .expect("a position of ours is legal for shakmaty")
    }

    /// A position of shakmaty's as one of ours.
    ///
    /// # Errors
    /// The position has more pieces than eight promotions allow, which shakmaty accepts on demand.
    pub fn from_shakmaty(chess: &Chess) -> Result<Position, FenError> {
        Position::from_fen(&Fen::from_position(chess, EnPassantMode::Legal).to_string())
    }

    /// One of our moves, legal here, in shakmaty's form.
    #[must_use]
    pub fn to_shakmaty_move(&self, m: Move) -> ShakmatyMove {
        let (from, to) = (m.from(), m.to());
        if m.is_castling() {
            ShakmatyMove::Castle { king: from, rook: to }
        } else if m.is_en_passant() {
            ShakmatyMove::EnPassant { from, to }
        } else {
            let role = self.role_at(from).unwrap_or(Role::Pawn);
            let capture = self.role_at(to);
            ShakmatyMove::Normal { role, from, capture, to, promotion: m.promotion() }
        }
    }

    /// A move of shakmaty's, legal here, in our form.
    #[must_use]
    pub fn from_shakmaty_move(&self, m: ShakmatyMove) -> Move {
        match m {
            ShakmatyMove::Normal { role, from, capture, to, promotion } => {
                let is_double_push =
                    role == Role::Pawn && u32::abs_diff(from.into(), to.into()) == 16;
                let kind = match (promotion, capture) {
                    (Some(role), None) => MoveKind::Promotion(role),
                    (Some(role), Some(_)) => MoveKind::PromotionCapture(role),
                    (None, Some(_)) => MoveKind::Capture,
                    (None, None) if is_double_push => MoveKind::DoublePush,
                    (None, None) => MoveKind::Quiet,
                };
                Move::new(from, to, kind)
            }
            ShakmatyMove::EnPassant { from, to } => Move::new(from, to, MoveKind::EnPassant),
            ShakmatyMove::Castle { king, rook } => Move::castling(king, rook),
            ShakmatyMove::Put { .. } => Move::NONE,
        }
    }
}
