//! Moves as people and programs write them.

use koel_board::{Move, ParseMoveError, Position};

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
    Normal {
        /// The letter of the piece, nothing for a pawn.
        piece: String,
        /// The file, the rank or the square from which it moves, as far as written.
        from: String,
        is_capture: bool,
        to: String,
        /// The letter of the new piece in upper case, or nothing.
        promotion: String,
    },
}

impl WrittenMove {
    /// Reads a word; `None` if it does not have the form of a move in any notation: SAN with letters
    /// or figurines, long algebraic notation or UCI notation. Signs of check and `e.p.` may follow.
    pub(crate) fn parse(word: &str) -> Option<WrittenMove> {
        if NULL_MOVES.contains(&word) {
            return Some(WrittenMove::Null);
        }
        let signs = ['+', '#', '†', '‡'];
        let word = plain(word);
        let word = word.trim_end_matches(signs);
        let word = word.strip_suffix("e.p.").or_else(|| word.strip_suffix("ep")).unwrap_or(word);
        let word = word.trim_end_matches(signs);
        let castling = word.replace(['0', 'o'], "O");
        if matches!(castling.as_str(), "O-O" | "O-O-O") {
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
        let has_one_sign = before.chars().count() - from.chars().count() <= 1;
        let (file, rank) = split_prefix(from, "abcdefgh");
        let is_from = split_prefix(rank, "12345678").1.is_empty();
        let piece = piece.trim_matches('P');
        let is_pawn = piece.is_empty();
        // A pawn is named by its file if it captures, and by nothing else.
        let is_named = if is_pawn { !file.is_empty() || before.is_empty() } else { true };
        (is_square(to) && is_from && has_one_sign && is_named).then(|| WrittenMove::Normal {
            piece: piece.to_owned(),
            is_capture: is_capture || is_pawn && rank.is_empty() && !file.is_empty(),
            from: from.to_owned(),
            to: to.to_owned(),
            promotion: promotion.to_ascii_uppercase(),
        })
    }

    /// Finds the move in a position. A null move is not legal.
    ///
    /// # Errors
    /// The words `not a legal move`, or `ambiguous`.
    pub(crate) fn find(&self, position: &Position) -> Result<Move, &'static str> {
        const ILLEGAL: &str = "not a legal move";
        let WrittenMove::Normal { piece, from, is_capture, to, promotion } = self else {
            let WrittenMove::Castling(san) = self else { return Err(ILLEGAL) };
            return position.parse_san(san).map_err(|_| ILLEGAL);
        };
        if piece.is_empty() && from.len() == 2 {
            // As in UCI notation: any piece.
            let uci = format!("{from}{to}{}", promotion.to_ascii_lowercase());
            return position.parse_uci(&uci).map_err(|_| ILLEGAL);
        }
        let equals = if promotion.is_empty() { "" } else { "=" };
        let find = |is_capture| {
            let sign = if is_capture { "x" } else { "" };
            // Only a capture by a pawn names its file.
            let from = if piece.is_empty() && !is_capture { "" } else { from };
            position.parse_san(&format!("{piece}{from}{sign}{to}{equals}{promotion}"))
        };
        // A capture need not be marked as one.
        find(*is_capture).or_else(|error| find(!is_capture).map_err(|_| error)).map_err(|error| {
            if matches!(error, ParseMoveError::Ambiguous { .. }) { "ambiguous" } else { ILLEGAL }
        })
    }
}

/// Returns a word with letters for figurines and hyphens for dashes.
fn plain(word: &str) -> String {
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

fn is_square(text: &str) -> bool {
    matches!(text.as_bytes(), [b'a'..=b'h', b'1'..=b'8'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writings_of_moves() {
        let start = Position::start().to_string();
        let promotion = "1n1k4/P7/8/3pP3/8/8/8/R3K2R w KQ d6 0 1";
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
            (promotion, "Rd1 Rad1 Ra1d1 Ra1-d1+ ♖d1+ Rd1† Rxd1", "a1d1"),
        ] {
            let position = Position::from_fen(fen).unwrap();
            for word in words.split(' ') {
                let found =
                    WrittenMove::parse(word).and_then(|written| written.find(&position).ok());
                let found = found.map(|m| position.uci(m, koel_board::CastlingNotation::Standard));
                assert_eq!(found.unwrap_or_default(), uci, "{word}");
            }
        }
    }

    #[test]
    fn other_words_are_no_moves() {
        for word in [
            "", "N", "e", "e9", "i4", "Sf3", "Qz9", "Nf3x", "e4e", "eeee4", "Nxxf3", "N@f3",
            "e.p.", "O-O-", "=", "+", "+-", "1-0", "½", "♘", "♘f3x", "é4", "xe4x", "xe4", "4e5",
            "-e4", "Nf3=", "QQe4",
        ] {
            assert_eq!(WrittenMove::parse(word), None, "{word}");
        }
        for word in NULL_MOVES.iter().chain(&["––"]) {
            assert_eq!(WrittenMove::parse(word), Some(WrittenMove::Null), "{word}");
        }
    }
}
