//! FEN parsing and printing, with castling rights in plain FEN, X-FEN or Shredder-FEN.
//!
//! Each field is parsed separately, so that an error names the field and the reason. Illegal
//! positions are rejected, and so is every writing that the standard (section 16.1 of the PGN
//! standard) does not have, such as two digits side by side for one run of empty squares, a sign
//! before a clock, a promotion mark or an underscore for a space. There are four exceptions, since
//! other programs write them: fields may be separated by any white space, both clocks or the last
//! may be missing, castling rights may be in any order and in three notations, and an en-passant
//! square on which no capture is possible is dropped.

use std::fmt;
use std::str::FromStr;

use shakmaty::attacks;
use shakmaty::fen::Fen;
use shakmaty::{Bitboard, Color, File, Piece, Rank, Role, Square};

use crate::fen_error::{FenError, MAX_CLOCK, PlacementError};
use crate::key::{Keys, role_index};
use crate::position::Position;

/// The starting position of standard chess.
pub const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

impl Position {
    /// Returns the starting position of standard chess.
    #[must_use]
    pub fn start() -> Position {
        Position::from_fen(START_FEN).expect("the starting position is legal")
    }

    /// Parses a FEN of four to six fields; missing clocks are `0 1`.
    ///
    /// Castling rights may be `KQkq` (the outermost rook on that side: X-FEN) or rook files
    /// (`HAha`: Shredder-FEN). An en-passant square on which no capture is legal is accepted and
    /// dropped, according to FIDE's definition of equal positions.
    ///
    /// # Errors
    /// If a field is malformed or the position is illegal; the error names the field and the
    /// reason.
    ///
    /// # Examples
    /// ```
    /// use koel_board::Position;
    ///
    /// let error = Position::from_fen("8/8/8/8/8/8/8/K7 w - - 0 1").unwrap_err();
    /// assert_eq!(error.to_string(), "placement: Black has no king");
    /// ```
    pub fn from_fen(fen: &str) -> Result<Position, FenError> {
        let mut fields = fen.split_ascii_whitespace();
        let mut field = |name| fields.next().ok_or(FenError::Missing(name));

        let placement = field("placement")?;
        let turn = field("side to move")?;
        let castling = field("castling rights")?;
        let en_passant = field("en-passant square")?;
        let halfmove_clock = field("halfmove clock").unwrap_or("0");
        let fullmove_number = field("move number").unwrap_or("1");
        if let Some(extra) = fields.next() {
            return Err(FenError::TooManyFields(extra.to_owned()));
        }

        let mut position = Position::empty(parse_turn(turn)?);
        position.parse_placement(placement)?;
        position.check_placement()?;
        position.parse_castling(castling)?;
        position.parse_en_passant(en_passant)?;
        position.halfmove_clock = parse_clock(halfmove_clock, "halfmove clock")? as u16;
        position.fullmove_number = parse_clock(fullmove_number, "move number")?.max(1);
        position.keys = position.keys_from_scratch();
        position.update_checkers_and_pins();
        Ok(position)
    }

    fn empty(turn: Color) -> Position {
        Position {
            by_role: [Bitboard::EMPTY; 6],
            by_color: [Bitboard::EMPTY; 2],
            roles: [None; 64],
            keys: Keys::default(),
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            castling_rooks: Bitboard::EMPTY,
            fullmove_number: 1,
            halfmove_clock: 0,
            en_passant: None,
            turn,
        }
    }

    fn parse_placement(&mut self, text: &str) -> Result<(), PlacementError> {
        let ranks: Vec<&str> = text.split('/').collect();
        if ranks.len() != 8 {
            return Err(PlacementError::Ranks(ranks.len()));
        }
        for (rank, row) in Rank::ALL.into_iter().rev().zip(ranks) {
            let mut file = 0;
            let mut follows_digit = false;
            for letter in row.chars() {
                match letter {
                    '1'..='8' if follows_digit => {
                        return Err(PlacementError::TwoDigits { rank: rank.char() });
                    }
                    '1'..='8' => file += letter as u32 - '0' as u32,
                    _ => {
                        let piece =
                            Piece::from_char(letter).ok_or(PlacementError::Letter(letter))?;
                        if file < 8 {
                            self.place(piece, Square::from_coords(File::new(file), rank));
                        }
                        file += 1;
                    }
                }
                follows_digit = letter.is_ascii_digit();
            }
            if file != 8 {
                return Err(PlacementError::RankLength { rank: rank.char(), squares: file });
            }
        }
        Ok(())
    }

    fn place(&mut self, piece: Piece, square: Square) {
        self.by_role[role_index(piece.role)] |= square;
        self.by_color[piece.color as usize] |= square;
        self.roles[square.to_usize()] = Some(piece.role);
    }

    fn check_placement(&self) -> Result<(), PlacementError> {
        for color in [Color::White, Color::Black] {
            let count = |role| self.pieces(color, role).count();
            match count(Role::King) {
                0 => return Err(PlacementError::NoKing(color)),
                1 => {}
                found => return Err(PlacementError::Kings { color, found }),
            }
            let extra = |role, usual: usize| count(role).saturating_sub(usual);
            let bishops = self.pieces(color, Role::Bishop);
            let promoted = extra(Role::Queen, 1)
                + extra(Role::Rook, 2)
                + (bishops & Bitboard::LIGHT_SQUARES).count().saturating_sub(1)
                + (bishops & Bitboard::DARK_SQUARES).count().saturating_sub(1)
                + extra(Role::Knight, 2);
            if count(Role::Pawn) + promoted > 8 {
                return Err(PlacementError::TooManyPieces(color));
            }
        }
        if (self.role(Role::Pawn) & Bitboard::BACKRANKS).any() {
            return Err(PlacementError::PawnOnBackRank);
        }
        let king = self.king(!self.turn);
        if (self.attackers(king, self.occupied()) & self.color(self.turn)).any() {
            return Err(PlacementError::OpponentInCheck(!self.turn));
        }
        Ok(())
    }

    fn parse_castling(&mut self, text: &str) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        for letter in text.chars() {
            let color = Color::from_white(letter.is_ascii_uppercase());
            let back_rank = color.backrank();
            let king = self.king(color);
            let rooks = self.pieces(color, Role::Rook) & Bitboard::from(back_rank);
            let rook = match letter.to_ascii_lowercase() {
                'k' => rooks.last().filter(|&rook| rook > king),
                'q' => rooks.first().filter(|&rook| rook < king),
                file @ 'a'..='h' => File::from_char(file)
                    .map(|file| Square::from_coords(file, back_rank))
                    .filter(|&rook| rooks.contains(rook)),
                _ => return Err(FenError::CastlingLetter(letter)),
            };
            let rook = rook
                .filter(|_| king.rank() == back_rank)
                .ok_or(FenError::ImpossibleCastling(letter))?;
            let is_on_same_side = |other: Square| (other > king) == (rook > king);
            let held = self.castling_rooks & self.color(color);
            if held.into_iter().any(is_on_same_side) {
                return Err(FenError::CastlingTwice(letter));
            }
            self.castling_rooks |= rook;
        }
        Ok(())
    }

    fn parse_en_passant(&mut self, text: &str) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        let square =
            Square::from_str(text).map_err(|_| FenError::EnPassantSquare(text.to_owned()))?;
        self.en_passant = Some(square).filter(|&square| self.can_take_en_passant(square));
        Ok(())
    }

    /// Returns true if the last move can have been a double push past `square` and an en-passant
    /// capture there is legal.
    fn can_take_en_passant(&self, square: Square) -> bool {
        let (us, them) = (self.turn, !self.turn);
        let sixth_rank = us.relative_rank(Rank::Sixth);
        if square.rank() != sixth_rank {
            return false;
        }
        let pushed = Square::new(square as u32 ^ 8);
        let origin = Square::new(square as u32 ^ 24);
        self.pieces(them, Role::Pawn).contains(pushed)
            && !self.occupied().contains(square)
            && !self.occupied().contains(origin)
            && (attacks::pawn_attacks(them, square) & self.pieces(us, Role::Pawn))
                .into_iter()
                .any(|from| self.en_passant_is_safe(from, square))
    }
}

fn parse_turn(text: &str) -> Result<Color, FenError> {
    match text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(FenError::SideToMove(text.to_owned())),
    }
}

fn parse_clock(text: &str, field: &'static str) -> Result<u32, FenError> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse()
        .ok()
        .filter(|_| is_number)
        .filter(|&clock| clock <= MAX_CLOCK)
        .ok_or_else(|| FenError::Clock { field, found: text.to_owned() })
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Position, FenError> {
        Position::from_fen(fen)
    }
}

impl fmt::Display for Position {
    /// Writes the FEN, with castling rights in the plain form where that is unambiguous and in
    /// X-FEN where it is not.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Fen::try_from(self.to_setup()).map_err(|_| fmt::Error)?.fmt(f)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}
