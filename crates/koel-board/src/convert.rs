//! Conversions from and to shakmaty's positions and moves, which its SAN, FEN and tablebase code
//! works on.

use shakmaty::fen::Fen;
use shakmaty::{
    CastlingMode, Chess, EnPassantMode, FromSetup, Move as ShakmatyMove, PositionError, Role, Setup,
};

use crate::fen_error::FenError;
use crate::moves::{Move, MoveKind};
use crate::position::Position;

impl Position {
    /// Returns the position as shakmaty's unchecked setup.
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

    /// Returns the position as shakmaty's `Chess`, with the castling rules of Chess960.
    ///
    /// # Panics
    /// Never: shakmaty accepts every position that [`Position::from_fen`] accepts.
    ///
    /// ```
    /// use koel_board::{Position, shakmaty::Position as _};
    ///
    /// let chess = Position::start().to_shakmaty();
    /// assert_eq!(chess.legal_moves().len(), 20);
    /// ```
    #[must_use]
    pub fn to_shakmaty(&self) -> Chess {
        Chess::from_setup(self.to_setup(), CastlingMode::Chess960)
            .or_else(PositionError::ignore_impossible_check)
            .expect("every `Position` is legal for shakmaty")
    }

    /// Converts a position of shakmaty.
    ///
    /// # Errors
    /// If a side has more pieces than eight promotions allow, or a counter of moves is greater than
    /// [`MAX_CLOCK`](crate::MAX_CLOCK): shakmaty can be made to accept both.
    ///
    /// ```
    /// use koel_board::{Position, shakmaty::Chess};
    ///
    /// assert_eq!(Position::from_shakmaty(&Chess::default())?, Position::start());
    /// # Ok::<(), koel_board::FenError>(())
    /// ```
    pub fn from_shakmaty(chess: &Chess) -> Result<Position, FenError> {
        Position::from_fen(&Fen::from_position(chess, EnPassantMode::Legal).to_string())
    }

    /// Converts a legal move to shakmaty's move type.
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

    /// Converts a legal move from shakmaty's move type.
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
