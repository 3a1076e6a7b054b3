//! The tokens of PGN text, read line by line. Nothing is dropped: what is not PGN is a token too.

use std::io::{self, BufRead};

use crate::text::{MAX_BYTES, TextLines, invalid};
use crate::written_move::{WrittenMove, plain};

/// A token of a PGN file.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Token {
    /// A tag pair of the header.
    Tag(String, String),
    /// A move number.
    Number {
        /// The number; `None` for dots alone.
        value: Option<u32>,
        /// True for `1.`.
        is_first: bool,
    },
    /// A move as written, without move number and glyphs.
    Move(String),
    /// A numeric annotation glyph: `$2`, or `?` for the same.
    Nag(u32),
    /// Any other glyph, such as `+/=` or `e.p.`.
    Glyph(String),
    /// The text of a comment in braces.
    Comment(String),
    /// The text of a comment from `;` to the end of the line.
    LineComment(String),
    /// A line that begins with `%`, without the sign.
    Escape(String),
    /// The start of a variation.
    VariationStart,
    /// The end of a variation.
    VariationEnd,
    /// A game termination marker, as PGN writes it, or `0-0` of a game that both players lose.
    Result(&'static str),
    /// Any other text between white space.
    Unknown(String),
    /// The first line of a comment or tag that is not closed.
    Unclosed(&'static str),
    /// A line in brackets that is no tag pair, such as `[WhiteElo 2000]`.
    MalformedTag(String),
}

impl Token {
    /// Returns true for text that may stand anywhere and is not part of the game.
    #[must_use]
    pub fn is_comment(&self) -> bool {
        matches!(self, Token::Comment(_) | Token::LineComment(_) | Token::Escape(_))
    }
}

/// The glyphs that are written as punctuation, with their numbers.
const GLYPHS: [(&str, u32); 6] = [("!", 1), ("?", 2), ("!!", 3), ("??", 4), ("!?", 5), ("?!", 6)];

/// Glyphs of books and programs that stand between moves.
const SYMBOLS: &[&str] = &[
    "e.p.", "ep", "+", "++", "#", "†", "‡", "=", "+=", "=+", "+/=", "=/+", "+/-", "-/+", "+-",
    "-+", "+--", "--+", "⩲", "⩱", "±", "∓", "∞", "=∞", "~", "⇆", "→", "↑", "□", "⊙", "⨀", "○", "⇔",
    "⊥", "N", "TN", "D",
];

/// The sides of a result as people write them, with the half points of the player.
const POINTS: [(&str, u8); 6] = [("1/2", 1), ("0.5", 1), ("0,5", 1), ("½", 1), ("1", 2), ("0", 0)];

/// Characters that end a word.
const DELIMITERS: &str = "{}()[];!?$*";

/// Returns true for characters that are not seen: joiners, marks of direction and the like, which
/// texts that were copied from web pages have in and between words, and the end of a file of DOS.
#[must_use]
pub fn is_zero_width(character: char) -> bool {
    matches!(
        character,
        '\u{1a}'
            | '\u{ad}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}'
            | '\u{feff}'
    )
}

/// Returns true for characters between tokens.
pub(crate) fn is_blank(character: char) -> bool {
    character.is_whitespace() || is_zero_width(character)
}

/// An iterator over the tokens of a text, which keeps the text until it is taken. Offsets are those
/// in the text that is not taken.
pub(crate) struct Tokens<R> {
    lines: TextLines<R>,
    /// The text as far as it is read, with some that is taken before it.
    text: String,
    /// The end of what is taken.
    start: usize,
    /// The end of the last token, or of the blanks after it.
    at: usize,
    /// The number of the line there, from 1.
    line: usize,
    /// True if only blanks stand before on the line.
    is_line_start: bool,
    /// True if only blanks and tags stand before on the line.
    is_place_of_tag: bool,
    /// The end of a text in which no brace is closed.
    open_until: usize,
}

impl<R: BufRead> Tokens<R> {
    pub(crate) fn new(source: R) -> Tokens<R> {
        Tokens {
            lines: TextLines::new(source),
            text: String::new(),
            start: 0,
            at: 0,
            line: 1,
            is_line_start: true,
            is_place_of_tag: true,
            open_until: 0,
        }
    }

    /// Returns the offset of the end of the last token, or of the blanks after it.
    pub(crate) fn offset(&self) -> usize {
        self.at - self.start
    }

    /// Returns the number of the line at this offset in the file, from 1.
    pub(crate) fn line(&self) -> usize {
        self.line
    }

    /// Takes the text up to an offset. The next token is the first after it.
    pub(crate) fn take_text(&mut self, end: usize) -> String {
        let end = self.start + end;
        let taken = self.text[self.start..end].to_owned();
        self.line -= count_lines(&self.text[end..self.at]);
        (self.start, self.at) = (end, end);
        (self.is_line_start, self.is_place_of_tag) = (true, true);
        // Not at once: what is moved is never longer than what is removed.
        if self.start > self.text.len() / 2 {
            self.text.drain(..self.start);
            self.at -= self.start;
            self.open_until = self.open_until.saturating_sub(self.start);
            self.start = 0;
        }
        taken
    }

    /// Skips blanks up to the next token, and returns the number of line ends among them; `None` at
    /// the end of the text.
    pub(crate) fn skip_blanks(&mut self) -> io::Result<Option<usize>> {
        let mut line_ends = 0;
        loop {
            let blank = take_while(&self.text[self.at..], is_blank);
            let ends = count_lines(blank);
            self.at += blank.len();
            self.line += ends;
            line_ends += ends;
            if ends > 0 {
                (self.is_line_start, self.is_place_of_tag) = (true, true);
            }
            if self.at < self.text.len() {
                return Ok(Some(line_ends));
            }
            if !self.append_line()? {
                return Ok(None);
            }
        }
    }

    /// Takes the token to which [`Tokens::skip_blanks`] has come.
    pub(crate) fn next(&mut self) -> io::Result<Token> {
        let rest = &self.text[self.at..];
        let (length, token) = match rest.chars().next().unwrap_or_default() {
            '{' => self.braced_comment()?,
            '%' if self.is_line_start => {
                let line = line_of(rest);
                (line.len(), Token::Escape(line[1..].trim_end().to_owned()))
            }
            ';' => {
                let line = line_of(rest);
                (line.len(), Token::LineComment(line[1..].trim_end().to_owned()))
            }
            '[' if self.is_place_of_tag => tag(rest),
            '(' => (1, Token::VariationStart),
            ')' => (1, Token::VariationEnd),
            '*' => (1, Token::Result("*")),
            '$' => nag(rest),
            '!' | '?' => glyph(rest),
            '}' | ']' | '[' => unknown(rest),
            _ => word(rest),
        };
        self.line += count_lines(&self.text[self.at..self.at + length]);
        self.at += length;
        self.is_line_start = false;
        self.is_place_of_tag &= matches!(token, Token::Tag(..));
        Ok(token)
    }

    /// Returns the comment in braces that begins here, and its length. It is not closed if the file
    /// ends before, or if a tag section begins in it after an empty line; the token is then the
    /// rest of its first line.
    fn braced_comment(&mut self) -> io::Result<(usize, Token)> {
        let start = self.at + 1;
        let mut line_start = start;
        let mut is_after_empty_line = false;
        loop {
            let is_known = self.at < self.open_until;
            let is_ended = is_known || line_start == self.text.len() && !self.append_line()?;
            let rest = &self.text[line_start..];
            if is_ended || is_after_empty_line && matches!(tag(rest).1, Token::Tag(..)) {
                self.open_until = self.open_until.max(line_start);
                let length = line_of(&self.text[self.at..]).len();
                return Ok((length, Token::Unclosed("comment")));
            }
            let length = rest.find(['}', '\n']).unwrap_or(rest.len());
            let end = line_start + length;
            if rest[length..].starts_with('}') {
                let comment = self.text[start..end].to_owned();
                return Ok((end + 1 - self.at, Token::Comment(comment)));
            }
            is_after_empty_line = length == 0 && line_start > start;
            line_start = self.text.len().min(end + 1);
        }
    }

    fn append_line(&mut self) -> io::Result<bool> {
        if self.text.len() - self.start > MAX_BYTES {
            return Err(invalid("a game of more than 64 MiB"));
        }
        self.lines.append(&mut self.text)
    }
}

fn count_lines(text: &str) -> usize {
    text.bytes().filter(|&byte| byte == b'\n').count()
}

/// Returns the start of a text whose characters satisfy a condition.
fn take_while(text: &str, belongs: impl Fn(char) -> bool) -> &str {
    &text[..text.find(|character| !belongs(character)).unwrap_or(text.len())]
}

/// Returns the first line of a text without its line end.
fn line_of(text: &str) -> &str {
    take_while(text, |character| character != '\n')
}

/// Returns the tag pair at the start of a text, and its length. Its value ends with a quotation
/// mark before a bracket, because people write quotation marks in it. A backslash before the last
/// of the line is one, because people write names of folders too.
fn tag(text: &str) -> (usize, Token) {
    let unclosed = || {
        let line = line_of(text);
        let is_closed = line.trim_end_matches(is_blank).ends_with(']');
        let name = text.strip_prefix('[').unwrap_or_default();
        let is_named = name.starts_with(|character: char| character.is_ascii_alphabetic());
        let malformed = || Token::MalformedTag(line.trim_matches(is_blank).to_owned());
        (line.len(), if is_closed && is_named { malformed() } else { Token::Unclosed("tag") })
    };
    let quote = text.find(['"', '\n']).filter(|&at| text[at..].starts_with('"'));
    let Some(quote) = quote.filter(|_| text.starts_with('[')) else { return unclosed() };
    let pair = |value, after: &str| {
        let name = text[1..quote].trim_matches(is_blank).to_owned();
        (text.len() - after.len(), Token::Tag(name, value))
    };
    let mut value = String::new();
    let mut rest = &text[quote + 1..];
    while let Some(character) = rest.chars().next().filter(|&character| character != '\n') {
        rest = &rest[character.len_utf8()..];
        match character {
            '"' => match after_bracket(rest) {
                Some(after) => return pair(value, after),
                None => value.push(character),
            },
            '\\' if rest.starts_with(['"', '\\']) => {
                let after = rest.strip_prefix('"').and_then(after_bracket);
                if let Some(after) = after.filter(|after| !has_quote(after)) {
                    value.push(character);
                    return pair(value, after);
                }
                value.push_str(&rest[..1]);
                rest = &rest[1..];
            }
            _ => value.push(character),
        }
    }
    unclosed()
}

/// Returns the text after a bracket on the same line, before which blanks may stand.
fn after_bracket(text: &str) -> Option<&str> {
    text.trim_start_matches(|character| is_blank(character) && character != '\n').strip_prefix(']')
}

/// Returns true if a quotation mark stands in the first line of a text.
fn has_quote(text: &str) -> bool {
    text.find(['"', '\n']).is_some_and(|at| text[at..].starts_with('"'))
}

fn nag(text: &str) -> (usize, Token) {
    let digits = take_while(&text[1..], |character| character.is_ascii_digit());
    match digits.parse() {
        Ok(number) => (1 + digits.len(), Token::Nag(number)),
        Err(_) => unknown(text),
    }
}

fn glyph(text: &str) -> (usize, Token) {
    let glyph = take_while(text, |character| matches!(character, '!' | '?'));
    let known = GLYPHS.iter().find(|(text, _)| *text == glyph);
    let token = known.map_or_else(|| Token::Glyph(glyph.to_owned()), |(_, nag)| Token::Nag(*nag));
    (glyph.len(), token)
}

fn unknown(text: &str) -> (usize, Token) {
    let word = take_while(text, |character| !character.is_whitespace());
    (word.len(), Token::Unknown(word.to_owned()))
}

/// Returns the result, number, move or glyph at the start of a text, and its length.
fn word(text: &str) -> (usize, Token) {
    if let Some((length, result)) = result(text) {
        return (length, Token::Result(result));
    }
    if let Some((length, number)) = move_number(text) {
        return (length, number);
    }
    let word = take_while(text, is_in_word);
    if word.contains(is_zero_width) {
        let seen: String = word.chars().filter(|&character| !is_zero_width(character)).collect();
        let (length, token) = self::word(&seen);
        return (length_with_unseen(word, length), token);
    }
    let token = match word {
        _ if WrittenMove::parse(word).is_some() => Token::Move,
        _ if SYMBOLS.contains(&word) => Token::Glyph,
        _ => Token::Unknown,
    };
    (word.len(), token(word.to_owned()))
}

/// Returns the length of the start of a word that has so many bytes without those that are not
/// seen.
fn length_with_unseen(word: &str, seen: usize) -> usize {
    let mut left = seen;
    for (at, character) in word.char_indices() {
        if left == 0 {
            return at;
        }
        left -= if is_zero_width(character) { 0 } else { character.len_utf8() };
    }
    word.len()
}

fn is_in_word(character: char) -> bool {
    !character.is_whitespace() && !DELIMITERS.contains(character)
}

/// Returns the move number at the start of a text, and its length.
fn move_number(text: &str) -> Option<(usize, Token)> {
    let digits = take_while(text, |character| character.is_ascii_digit());
    let after_digits = &text[digits.len()..];
    let dots = take_while(after_digits, |character| matches!(character, '.' | '…'));
    let is_number = match dots.is_empty() {
        true => !digits.is_empty() && digits != "0000" && !after_digits.starts_with(is_in_word),
        false => true,
    };
    let value = digits.parse().ok();
    let number = Token::Number { value, is_first: digits == "1" && dots == "." };
    is_number.then_some((digits.len() + dots.len(), number))
}

/// Returns true for a result of no point for either player. Between moves it is castling.
pub(crate) fn is_double_forfeit(text: &str) -> bool {
    let seen = |character: &char| !is_blank(*character);
    plain(text).chars().filter(seen).collect::<String>() == "0-0"
}

/// Returns the result at the start of a text but `*`, and its length. Blanks may stand around the
/// dash, and a half alone is a draw.
pub(crate) fn result(text: &str) -> Option<(usize, &'static str)> {
    let blank = |character| matches!(character, ' ' | '\t');
    let points = |text: &str| POINTS.into_iter().find(|(side, _)| text.starts_with(side));
    let ends_word = |text: &str| !text.trim_start_matches(is_zero_width).starts_with(is_in_word);
    let (white, half_points) = points(text)?;
    let after_white = &text[white.len()..];
    let dash = after_white.trim_start_matches(blank);
    let after_dash = dash.strip_prefix(['-', '–', '—', '‐', '‑', '−', ':']);
    let after_dash = after_dash.map(|rest| rest.trim_start_matches(blank));
    let both = after_dash.and_then(|rest| {
        let (black, other_half_points) = points(rest)?;
        let rest = &rest[black.len()..];
        (half_points + other_half_points == 2 && ends_word(rest)).then_some(rest)
    });
    let is_half_alone = matches!(white, "1/2" | "½") && ends_word(after_white);
    let rest = both.or_else(|| is_half_alone.then_some(after_white))?;
    let result = match half_points {
        0 => "0-1",
        1 => "1/2-1/2",
        _ => "1-0",
    };
    Some((text.len() - rest.len(), result))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token> {
        let mut tokens = Tokens::new(text.as_bytes());
        let mut found = Vec::new();
        while tokens.skip_blanks().unwrap().is_some() {
            let start = tokens.offset();
            assert_eq!(tokens.line(), 1 + count_lines(&text[..start]), "{text}");
            found.push(tokens.next().unwrap());
            assert!(tokens.offset() > start, "{text}");
        }
        assert_eq!(tokens.take_text(tokens.offset()).trim_end(), text.trim_end());
        found
    }

    /// Returns the tokens without move numbers.
    fn movetext(text: &str) -> Vec<Token> {
        let mut tokens = tokens(text);
        tokens.retain(|token| !matches!(token, Token::Number { .. }));
        tokens
    }

    fn played(text: &str) -> Token {
        Token::Move(text.to_owned())
    }

    fn comment(text: &str) -> Token {
        Token::Comment(text.to_owned())
    }

    fn unknown(text: &str) -> Token {
        Token::Unknown(text.to_owned())
    }

    #[test]
    fn movetext_has_all_kinds_of_tokens() {
        let text = "1.f3! e5$71 2. g4 ?? (2... -- {x\ny}) 0-0-0+ 10...exd6 e.p. +/= \
                    ; to } the end\n% escaped\nO-O 1… ♘f3 1/2-1/2";
        let glyph = |text: &str| Token::Glyph(text.to_owned());
        let expected = [
            played("f3"),
            Token::Nag(1),
            played("e5"),
            Token::Nag(71),
            played("g4"),
            Token::Nag(4),
            Token::VariationStart,
            played("--"),
            comment("x\ny"),
            Token::VariationEnd,
            played("0-0-0+"),
            played("exd6"),
            glyph("e.p."),
            glyph("+/="),
            Token::LineComment(" to } the end".to_owned()),
            Token::Escape(" escaped".to_owned()),
            played("O-O"),
            played("♘f3"),
            Token::Result("1/2-1/2"),
        ];
        assert_eq!(movetext(text), expected);
    }

    #[test]
    fn other_words_are_unknown() {
        for text in [
            "Sf3", "♘f3x", "[%clk", "}", "]", "$", "$x", "<>", "N@f3", "0:05", "é", "1-0-1",
            "0-0-1", "%x", "½x", "1-1", "\\",
        ] {
            assert_eq!(movetext(&format!("e4 {text} e5"))[1], unknown(text), "{text}");
        }
        assert_eq!(movetext("e4 % no escape")[1], unknown("%"));
        assert_eq!(movetext("e4 [A \"1\"]")[1], unknown("[A"));
    }

    #[test]
    fn results_as_people_write_them() {
        for (texts, result) in [
            (&["1-0", "1–0", "1 - 0", "1:0", "1−0"][..], "1-0"),
            (&["0-1", "0 — 1", "0:1"], "0-1"),
            (
                &["1/2-1/2", "½–½", "½:½", "1/2", "½", "0.5-0.5", "0,5 : 0,5", "1/2 - 1/2"],
                "1/2-1/2",
            ),
            (&["*"], "*"),
        ] {
            for text in texts {
                let expected = [played("e4"), Token::Result(result), comment("x")];
                assert_eq!(movetext(&format!("e4 {text}{{x}}")), expected, "{text}");
            }
        }
        assert_eq!(movetext("e4*"), [played("e4"), Token::Result("*")]);
        // Not a result of Black with a move number.
        assert_eq!(movetext("1 0-0"), [played("0-0")]);
    }

    #[test]
    fn tags() {
        let tag = |name: &str, value: &str| Token::Tag(name.to_owned(), value.to_owned());
        assert_eq!(tokens(r#"[White "a \"b\" \\ ]"] *"#)[0], tag("White", r#"a "b" \ ]"#));
        assert_eq!(tokens("[A \"1\"][B \"\" ] \n"), [tag("A", "1"), tag("B", "")]);
        assert_eq!(tokens("[A \"the \"big\" one\"]"), [tag("A", "the \"big\" one")]);
        assert_eq!(tokens(r#"[A "C:\"]"#), [tag("A", r"C:\")]);
        assert_eq!(tokens(r#"[A "C:\" ] ; x"#)[0], tag("A", r"C:\"));
        assert_eq!(tokens(r#"[A "x\"] y"]"#), [tag("A", r#"x"] y"#)]);
        assert_eq!(tokens(r#"[A "\\"][B "\"b\""]"#), [tag("A", r"\"), tag("B", r#""b""#)]);
        let unclosed = Token::Unclosed("tag");
        assert_eq!(tokens("[A \"1\"\n]")[0], unclosed);
        let malformed = |line: &str| Token::MalformedTag(line.to_owned());
        assert_eq!(tokens("[A “1”] \n[B]\n"), [malformed("[A “1”]"), malformed("[B]")]);
        assert_eq!(tokens("[A \"1\n[C \"3\"]"), [unclosed.clone(), tag("C", "3")]);
        assert_eq!(tokens("[%clk 1]\n[]"), [unclosed.clone(), unclosed]);
    }

    #[test]
    fn an_open_comment_ends_with_its_line() {
        let unclosed = Token::Unclosed("comment");
        assert_eq!(tokens("e4 { open\ne5"), [played("e4"), unclosed.clone(), played("e5")]);
        let tag = Token::Tag("A".to_owned(), "1".to_owned());
        assert_eq!(tokens("{ open\n\n[A \"1\"]\n{x}"), [unclosed, tag, comment("x")]);
        assert_eq!(tokens("{ open\n[A \"1\"]\n}"), [comment(" open\n[A \"1\"]\n")]);
    }

    #[test]
    fn characters_that_are_not_seen_do_not_count() {
        let text = "\u{feff}[\u{200e}A \"1\"\u{200f}]\n\u{200b}1.\u{200b}e4\u{200e} N\u{200f}f6! \
                    \u{200b} 2.\u{200c}d\u{2060}4 {\u{200f}x} \
                    ($\u{200b} 1-\u{200b}0\u{200b} 1 - 0\u{200b}";
        let expected = [
            Token::Tag("A".to_owned(), "1".to_owned()),
            played("e4"),
            played("Nf6"),
            Token::Nag(1),
            played("d4"),
            comment("\u{200f}x"),
            Token::VariationStart,
            unknown("$\u{200b}"),
            Token::Result("1-0"),
            Token::Result("1-0"),
        ];
        // The text begins with a mark that is left out wherever it stands.
        assert_eq!(movetext(text.trim_start_matches('\u{feff}')), expected);
    }

    #[test]
    fn hostile_text_gives_tokens() {
        for text in [
            "", "é", "$", "$x", "!!!!", "]]}})))", "[", "[\"", "{", "½", "1", "1.", "–", "\\",
            "0 -",
        ] {
            tokens(text);
        }
    }
}
