//! Moves as people and programs write them.

use koel_board::{File, Move, Position, Rank, Role, Square};

/// Writings of a null move.
const NULL_MOVES: [&str; 6] = ["--", "Z0", "0000", "@@@@", "null", "pass"];

/// The figurines of the pieces and the letters of the same pieces in SAN.
const FIGURINES: [(&str, &str); 6] =
    [("♔♚", "K"), ("♕♛", "Q"), ("♖♜", "R"), ("♗♝", "B"), ("♘♞", "N"), ("♙♟", "")];

/// A word that has the form of a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum WrittenMove {
    /// `--` and the like: the player passes.
    Null,
    /// `O-O` or `O-O-O`.
    Castling(String),
    /// A move to a square.
    Normal(Letters),
}

/// The letters of a move to a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Letters {
    /// The kind of the piece; `None` for any, of which both squares are written.
    role: Option<Role>,
    file: Option<File>,
    rank: Option<Rank>,
    is_capture: bool,
    is_en_passant: bool,
    to: Square,
    promotion: Option<Role>,
}

/// The reason why no move was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FindError {
    /// No legal move is written like this.
    Illegal,
    /// More than one is.
    Ambiguous,
}

/// Returns the legal move that a word names in any notation: SAN with letters or figurines, long
/// algebraic notation or UCI notation. `None` if there is none, or more than one.
///
/// ```
/// use koel_board::Position;
///
/// let start = Position::start();
/// let written = ["Nf3", "♘f3!", "Ng1-f3", "g1f3"];
/// assert!(written.iter().all(|word| koel_pgn::find_move(&start, word).is_some()));
/// assert!(koel_pgn::find_move(&start, "Nf4").is_none());
/// ```
#[must_use]
pub fn find_move(position: &Position, word: &str) -> Option<Move> {
    WrittenMove::parse(word.trim_end_matches(['!', '?']))?.find(position).ok()
}

impl WrittenMove {
    /// Reads a word; `None` if it does not have the form of a move in any notation: SAN with
    /// letters or figurines, long algebraic notation or UCI notation. Signs of check and `e.p.` may
    /// follow.
    pub(crate) fn parse(word: &str) -> Option<WrittenMove> {
        if NULL_MOVES.contains(&word) {
            return Some(WrittenMove::Null);
        }
        let signs = ['+', '#', '†', '‡'];
        let word = plain(word);
        let word = word.trim_end_matches(signs);
        let without_en_passant = word.strip_suffix("e.p.").or_else(|| word.strip_suffix("ep"));
        let is_en_passant = without_en_passant.is_some();
        let word = without_en_passant.unwrap_or(word).trim_end_matches(signs);
        let castling = word.replace(['0', 'o'], "O");
        if matches!(castling.as_str(), "O-O" | "O-O-O") && !is_en_passant {
            return Some(WrittenMove::Castling(castling));
        }
        if word == "--" {
            return Some(WrittenMove::Null);
        }
        let (piece, rest) = split_prefix(word, "KQRBNP");
        let (rest, promotion) = split_promotion(rest);
        // The square to which the piece moves is at the end.
        let (before, to) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
        let is_capture = before.ends_with(['x', ':', '×']);
        let from = before.trim_end_matches(['x', ':', '×', '-']);
        if before.chars().count() - from.chars().count() > 1 {
            return None;
        }
        let (file, rank) = split_prefix(from, "abcdefgh");
        let (rank, nothing) = split_prefix(rank, "12345678");
        let has_square = !file.is_empty() && !rank.is_empty();
        // A hyphen or a colon stands between two names.
        let is_named = !piece.is_empty() || !from.is_empty() || matches!(before, "" | "x");
        let role = match piece {
            "" if has_square => None,
            "" => Some(Role::Pawn),
            _ => Role::from_char(piece.chars().next()?.to_ascii_lowercase()),
        };
        let promotion = promotion.chars().next().and_then(Role::from_char);
        (nothing.is_empty() && is_named).then_some(WrittenMove::Normal(Letters {
            role,
            file: file.chars().next().and_then(File::from_char),
            rank: rank.chars().next().and_then(Rank::from_char),
            is_capture,
            is_en_passant,
            to: to.parse().ok()?,
            promotion,
        }))
    }

    /// Finds the move in a position. A null move is not legal.
    ///
    /// # Errors
    /// None or several legal moves are written like this.
    pub(crate) fn find(&self, position: &Position) -> Result<Move, FindError> {
        let letters = match self {
            WrittenMove::Null => return Err(FindError::Illegal),
            WrittenMove::Castling(san) => {
                return position.parse_san(san).map_err(|_| FindError::Illegal);
            }
            WrittenMove::Normal(letters) => letters,
        };
        let moves = position.legal_moves();
        let mut found = moves.iter().copied().filter(|&m| letters.are_true_of(m, position));
        match (found.next(), found.next()) {
            (Some(m), None) => Ok(m),
            (Some(_), Some(_)) => Err(FindError::Ambiguous),
            (None, _) => letters.castling(position).ok_or(FindError::Illegal),
        }
    }
}

impl Letters {
    /// Returns true if a move that is not castling is written like this. Every letter must be true
    /// of it, and a capture by a pawn and a promotion must be written.
    fn are_true_of(&self, m: Move, position: &Position) -> bool {
        let role = position.role_at(m.from());
        let is_silent_capture = role == Some(Role::Pawn) && m.is_capture() && self.file.is_none();
        !m.is_castling()
            && m.to() == self.to
            && self.role.is_none_or(|written| role == Some(written))
            && self.file.is_none_or(|file| file == m.from().file())
            && self.rank.is_none_or(|rank| rank == m.from().rank())
            && (m.is_capture() || !self.is_capture)
            && (m.is_en_passant() || !self.is_en_passant)
            && (self.is_capture || !is_silent_capture)
            && m.promotion() == self.promotion
    }

    /// Returns castling that is written by two squares, of the king and either its destination or
    /// the rook.
    fn castling(&self, position: &Position) -> Option<Move> {
        let has_other_letters = self.is_capture || self.is_en_passant || self.promotion.is_some();
        let is_of_king = self.role.is_none_or(|role| role == Role::King) && !has_other_letters;
        let from = self.file.zip(self.rank).filter(|_| is_of_king);
        let from = from.map(|(file, rank)| Square::from_coords(file, rank))?;
        position.parse_uci(&format!("{from}{}", self.to)).ok().filter(|m| m.is_castling())
    }
}

/// Returns a word with letters for figurines and hyphens for dashes.
pub(crate) fn plain(word: &str) -> String {
    let mut plain = String::with_capacity(word.len());
    for character in word.chars() {
        match character {
            // They select the style of the figurine before them.
            '\u{fe0e}' | '\u{fe0f}' => {}
            '–' | '—' | '‐' | '‑' | '−' => plain.push('-'),
            _ => match FIGURINES.iter().find(|(figurines, _)| figurines.contains(character)) {
                Some((_, letter)) => plain.push_str(letter),
                None => plain.push(character),
            },
        }
    }
    plain
}

/// Splits an ASCII character off the start of a text if it is one of a set.
fn split_prefix<'a>(text: &'a str, set: &str) -> (&'a str, &'a str) {
    text.split_at(usize::from(text.starts_with(|character| set.contains(character))))
}

/// Splits `=Q`, `/Q`, `Q` or the like off the end of a text.
fn split_promotion(text: &str) -> (&str, &str) {
    let last = text.len().saturating_sub(1);
    match text.split_at_checked(last) {
        Some((rest, letter)) if "QRBNqrn".contains(letter) && !letter.is_empty() => {
            (rest.strip_suffix(['=', '/']).unwrap_or(rest), letter)
        }
        // A lower-case `b` is a file, except after a square.
        Some((rest, "b")) if rest.ends_with(['1', '8', '=', '/']) => {
            (rest.strip_suffix(['=', '/']).unwrap_or(rest), "b")
        }
        _ => (text, ""),
    }
}

#[cfg(test)]
mod tests {
    use koel_board::CastlingNotation;
    use koel_random::Rng;

    use super::*;

    #[test]
    fn writings_of_moves() {
        let start = Position::start().to_string();
        let promotion = "1n1k4/P7/8/3pP3/8/8/8/R3K2R w KQ d6 0 1";
        let captures = "rnbqkb1r/ppp1pppp/8/3n4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 3";
        for (fen, words, uci) in [
            (&*start, "Nf3 ♘f3 ♞f3 ♘\u{fe0e}f3 Ng1f3 Ng1-f3 Ngf3 N1f3 g1f3 g1-f3", "g1f3"),
            (&*start, "e4 e2e4 e2-e4 e2–e4 Pe4 Pe2-e4 ♙e4 ♟e2-e4", "e2e4"),
            (promotion, "a8=Q a8Q a8=Q+ a8Q++ a8/Q a8q a7a8q a7-a8=Q a7-a8Q a8Q#", "a7a8q"),
            (promotion, "axb8=N+ ab8N a:b8=N axb8n a7xb8N a7b8n axb8♘", "a7b8n"),
            (promotion, "axb8=B axb8b a7b8b", "a7b8b"),
            (promotion, "exd6 exd6e.p. exd6ep exd6e.p.+ e5xd6 e5d6 ed6 e:d6 e×d6", "e5d6"),
            (promotion, "O-O 0-0 o-o O–O 0−0 e1g1 O-O+", "e1g1"),
            (promotion, "O-O-O 0-0-0 0‑0‑0 e1c1", "e1c1"),
            (promotion, "Rxa7 Ra7", ""),
            (promotion, "Rd1 Rad1 Ra1d1 Ra1-d1+ ♖d1+ Rd1†", "a1d1"),
            (promotion, "Ke1g1 Ke1-g1", "e1g1"),
            // A letter that is not true of the only move that is meant.
            (promotion, "Rxd1 a1xd1 Rbd1 R2d1 Rd1=Q Qd1 e1xg1 Ke1xg1 Kg1 exe6 de6 e5 d6 e4xd6", ""),
            (promotion, "a8 a8=K a7xa8Q Na8Q bxa8Q e6ep exd6=Q axb8 Re1g1 0-0-0ep Pa1d1", ""),
            (captures, "dxe5 dxe4 bc4 exf5 bxc4 e4ep Bxc4 e2xe4 e2-e5", ""),
            (captures, "e4xd5 exd5 ed5 e4d5 Pexd5 xd5", "e4d5"),
        ] {
            let position = Position::from_fen(fen).unwrap();
            for word in words.split(' ') {
                let found =
                    WrittenMove::parse(word).and_then(|written| written.find(&position).ok());
                let found = found.map(|m| position.uci(m, CastlingNotation::Standard));
                assert_eq!(found.unwrap_or_default(), uci, "{word}");
            }
        }
    }

    /// The words of the random test without `KOEL_TOKENS`.
    const TOKENS: usize = 20_000;

    /// The starts of random games, with castling and promotions near.
    const STARTS: [&str; 4] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/pPppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q2/PPPBBPpP/R3K2R w KQkq - 0 1",
        "1n1rk3/P1P3P1/8/3pP3/3Pp3/8/1p4p1/R3K2R w KQ d6 0 1",
        "3k4/1Q4Q1/8/N3N3/2b1b3/8/1q4q1/3K1R1R w - - 0 1",
    ];

    /// Returns a word: a legal move in one of the notations, often with a character or two changed.
    fn random_word(position: &Position, moves: &[Move], random: &mut Rng) -> String {
        const CHARACTERS: &[u8] = b"abcdefgh12345678KQRBNPqrnbx:-=/+#O0.@ep";
        let m = moves[random.below(moves.len())];
        let (san, uci) = (position.san(m), position.uci(m, CastlingNotation::Standard));
        let piece = position.role_at(m.from()).map_or('P', Role::upper_char);
        let mut word = match random.below(6) {
            0 | 1 => san,
            2 => uci,
            3 => format!("{piece}{uci}"),
            4 => format!("{piece}{}x{}", &uci[..2], &uci[2..]),
            _ => san.replace(['x', '+', '#', '='], ""),
        }
        .into_bytes();
        for _ in 0..random.below(4) {
            let character = CHARACTERS[random.below(CHARACTERS.len())];
            let at = random.below(word.len() + 1);
            match random.below(3) {
                0 => word.insert(at, character),
                _ if at == word.len() => {}
                1 => word[at] = character,
                _ => drop(word.remove(at)),
            }
        }
        String::from_utf8(word).unwrap()
    }

    /// Checks each letter of a word from its end on, without looking at how it was read.
    fn assert_true(word: &str, m: Move, position: &Position) {
        let is_true = || -> Option<bool> {
            let word = word.trim_end_matches(['+', '#']);
            if matches!(word.replace('0', "O").as_str(), "O-O" | "O-O-O") {
                let is_short = m.to().file() > m.from().file();
                return Some(m.is_castling() && is_short == (word.len() == 3));
            }
            let en_passant = word.strip_suffix("e.p.").or_else(|| word.strip_suffix("ep"));
            let mut letters: Vec<char> =
                en_passant.unwrap_or(word).trim_end_matches(['+', '#']).chars().collect();
            let mut promotion = None;
            if !letters.last()?.is_ascii_digit() {
                promotion = Role::from_char(letters.pop()?);
                letters.pop_if(|last| matches!(last, '=' | '/'));
            }
            let (rank, file) = (letters.pop()?, letters.pop()?);
            let to: Square = format!("{file}{rank}").parse().ok()?;
            let is_at_end = [CastlingNotation::Standard, CastlingNotation::Chess960]
                .into_iter()
                .any(|notation| m.uci_to(notation) == to);
            let sign = letters.pop_if(|last| matches!(last, 'x' | ':' | '-'));
            let is_capture = m.is_capture() || !matches!(sign, Some('x' | ':'));
            let from = letters.iter().all(|&letter| match letter {
                'a'..='h' => m.from().file().char() == letter,
                '1'..='8' => m.from().rank().char() == letter,
                'P' => position.role_at(m.from()) == Some(Role::Pawn),
                _ => position.role_at(m.from()).map(Role::upper_char) == Some(letter),
            });
            let is_promotion = promotion == m.promotion();
            let is_en_passant = en_passant.is_none() || m.is_en_passant();
            Some(is_at_end && is_capture && from && is_promotion && is_en_passant)
        };
        assert_eq!(is_true(), Some(true), "`{word}` is read as {m} in {position}");
    }

    #[test]
    fn every_letter_is_true_of_the_move() {
        let count = std::env::var("KOEL_TOKENS").map_or(TOKENS, |text| text.parse().unwrap());
        let mut random = Rng::new(5);
        let (mut read, mut strictly_read) = (0, 0);
        let mut position = Position::start();
        for number in 0..count {
            let moves = position.legal_moves();
            if moves.is_empty() || number % 200 == 0 {
                position = Position::from_fen(STARTS[random.below(STARTS.len())]).unwrap();
                continue;
            }
            let word = random_word(&position, &moves, &mut random);
            let found = WrittenMove::parse(&word).and_then(|written| written.find(&position).ok());
            if let Some(m) = found {
                assert!(position.is_legal(m), "{word}");
                assert_true(&word, m, &position);
                read += 1;
            }
            if let Ok(m) = position.parse_san(&word) {
                assert_eq!(found, Some(m), "`{word}` in {position}");
                strictly_read += 1;
            }
            if random.below(3) == 0 {
                position.play(moves[random.below(moves.len())]);
            }
        }
        println!("{count} words: {read} read, {strictly_read} of them by the strict reader");
        assert!(read > count / 4 && strictly_read > count / 8 && read < count * 3 / 4);
    }

    #[test]
    fn other_words_are_no_moves() {
        for word in [
            "", "N", "e", "e9", "i4", "Sf3", "Qz9", "Nf3x", "e4e", "eeee4", "Nxxf3", "N@f3",
            "e.p.", "O-O-", "=", "+", "+-", "1-0", "½", "♘", "♘f3x", "é4", "xe4x", "-e4", ":e4",
            "Nf3=", "QQe4", "0-0ep",
        ] {
            assert_eq!(WrittenMove::parse(word), None, "{word}");
        }
        for word in NULL_MOVES.iter().chain(&["––"]) {
            assert_eq!(WrittenMove::parse(word), Some(WrittenMove::Null), "{word}");
        }
    }
}
