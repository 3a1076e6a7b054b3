//! The tokens of PGN text. Nothing that a reader of the games could miss is dropped: comments of both
//! kinds, variations, glyphs and unknown symbols are tokens too, so that a game can be written again.

/// A token of a PGN file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    /// A tag pair of the header.
    Tag(String, String),
    /// A move as written, without move number and glyphs.
    San(String),
    /// A numeric annotation glyph: `$2`, or `?` for the same.
    Nag(u32),
    /// The text of a comment in braces, or to the end of the line.
    Comment(String),
    VariationStart,
    VariationEnd,
    /// A game termination marker.
    Result(&'static str),
    /// Any other text between white space.
    Symbol(String),
    /// A comment or tag that is not closed, up to the end of its line.
    Unclosed(&'static str),
}

/// The glyphs that are written as punctuation, with their numbers.
const GLYPHS: [(&str, u32); 6] = [("!", 1), ("?", 2), ("!!", 3), ("??", 4), ("!?", 5), ("?!", 6)];

/// The game termination markers, with dashes and fractions in Unicode as well.
const RESULTS: [(&str, &str); 7] = [
    ("1-0", "1-0"),
    ("0-1", "0-1"),
    ("1/2-1/2", "1/2-1/2"),
    ("*", "*"),
    ("1–0", "1-0"),
    ("0–1", "0-1"),
    ("½–½", "1/2-1/2"),
];

/// An iterator over the tokens of a text.
#[derive(Clone)]
pub(crate) struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(text: &'a str) -> Tokens<'a> {
        Tokens { text, at: 0 }
    }

    /// Returns the offset in bytes of the end of the last token.
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn is_line_start(&self) -> bool {
        self.at == 0 || self.text[..self.at].ends_with('\n')
    }

    /// Takes the text up to an offset of the rest.
    fn take(&mut self, length: usize) -> &'a str {
        let taken = &self.rest()[..length];
        self.at += length;
        taken
    }

    /// Takes the text as long as its characters satisfy a condition.
    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        self.take(rest.find(|c| !belongs(c)).unwrap_or(rest.len()))
    }

    fn take_line(&mut self) -> &'a str {
        self.take_while(|c| c != '\n')
    }

    /// Skips white space, and lines that begin with `%`.
    fn skip_blanks(&mut self) {
        loop {
            self.take_while(char::is_whitespace);
            if !(self.is_line_start() && self.rest().starts_with('%')) {
                return;
            }
            self.take_line();
        }
    }

    /// Takes a comment whose opening brace is taken.
    fn braced_comment(&mut self) -> Token {
        let Some(length) = self.rest().find('}') else {
            self.take_line();
            return Token::Unclosed("comment");
        };
        let comment = self.take(length).to_owned();
        self.take(1);
        Token::Comment(comment)
    }

    /// Takes a tag pair whose opening bracket is taken.
    fn tag(&mut self) -> Token {
        let line = self.rest().lines().next().unwrap_or_default();
        let Some((name, quoted)) = line.split_once('"') else {
            self.take_line();
            return Token::Unclosed("tag");
        };
        let mut value = String::new();
        let mut characters = quoted.chars();
        loop {
            match characters.next() {
                Some('"') => break,
                Some('\\') if characters.as_str().starts_with(['"', '\\']) => {
                    value.extend(characters.next());
                }
                Some(character) => value.push(character),
                None => {
                    self.take_line();
                    return Token::Unclosed("tag");
                }
            }
        }
        let after = line.len() - characters.as_str().len();
        self.take(after);
        if let Some(length) = characters.as_str().find(']') {
            self.take(length + 1);
        }
        Token::Tag(name.trim().to_owned(), value)
    }

    /// Takes a move, a result, a move number (which gives no token) or a symbol.
    fn word(&mut self) -> Option<Token> {
        let word = self.take_while(|c| !c.is_whitespace() && !"{}()[];!?$".contains(c));
        if let Some((_, result)) = RESULTS.iter().find(|(text, _)| *text == word) {
            return Some(Token::Result(result));
        }
        let without_digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_number = without_digits.is_empty() || without_digits.starts_with('.');
        let rest = if is_number { without_digits.trim_start_matches('.') } else { word };
        if rest.len() < word.len() {
            self.at -= rest.len();
            return None;
        }
        if word.starts_with("0-0") {
            return Some(Token::San(word.replace('0', "O")));
        }
        let is_move = word.starts_with(|c: char| c.is_ascii_alphabetic()) && word != "e.p.";
        let is_null_move = word == "--";
        let token = if is_move || is_null_move { Token::San } else { Token::Symbol };
        Some(token(word.to_owned()))
    }

    fn nag(&mut self) -> Option<Token> {
        if self.rest().starts_with('$') {
            self.take(1);
            return self.take_while(|c| c.is_ascii_digit()).parse().ok().map(Token::Nag);
        }
        let glyph = self.take_while(|c| c == '!' || c == '?');
        let known = GLYPHS.iter().find(|(text, _)| *text == glyph);
        Some(known.map_or_else(|| Token::Symbol(glyph.to_owned()), |(_, nag)| Token::Nag(*nag)))
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            self.skip_blanks();
            let first = self.rest().chars().next()?;
            if matches!(first, '{' | '(' | ')' | ';' | '[' | ']' | '}') {
                self.take(1);
            }
            let token = match first {
                '{' => Some(self.braced_comment()),
                // A brace would end the comment when it is written in braces.
                ';' => Some(Token::Comment(self.take_line().trim_end().replace('}', ")"))),
                '(' => Some(Token::VariationStart),
                ')' => Some(Token::VariationEnd),
                '[' => Some(self.tag()),
                ']' | '}' => None,
                '$' | '!' | '?' => self.nag(),
                _ => self.word(),
            };
            if token.is_some() {
                return token;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token> {
        Tokens::new(text).collect()
    }

    fn san(text: &str) -> Token {
        Token::San(text.to_owned())
    }

    fn comment(text: &str) -> Token {
        Token::Comment(text.to_owned())
    }

    #[test]
    fn movetext() {
        let text = "1.f3! e5$71 2. g4 ?? (2... -- {x\ny}) 0-0-0+ 10...exd6 e.p. +/= ; to } the end\n\
                    % escaped\nO-O 1/2-1/2";
        let symbol = |text: &str| Token::Symbol(text.to_owned());
        let expected = [
            san("f3"),
            Token::Nag(1),
            san("e5"),
            Token::Nag(71),
            san("g4"),
            Token::Nag(4),
            Token::VariationStart,
            san("--"),
            comment("x\ny"),
            Token::VariationEnd,
            san("O-O-O+"),
            san("exd6"),
            symbol("e.p."),
            symbol("+/="),
            comment(" to ) the end"),
            san("O-O"),
            Token::Result("1/2-1/2"),
        ];
        assert_eq!(tokens(text), expected);
    }

    #[test]
    fn tags() {
        let tag = |name: &str, value: &str| Token::Tag(name.to_owned(), value.to_owned());
        assert_eq!(tokens(r#"[White "a \"b\" \\ ]"] *"#)[0], tag("White", r#"a "b" \ ]"#));
        assert_eq!(tokens("[A \"1\"][B \"\"]\n"), [tag("A", "1"), tag("B", "")]);
        let unclosed = Token::Unclosed("tag");
        assert_eq!(tokens("[A \"1]\n[B]\n[C \"3\"]"), [unclosed.clone(), unclosed, tag("C", "3")]);
    }

    #[test]
    fn an_open_comment_ends_with_its_line() {
        assert_eq!(tokens("e4 { open\ne5"), [san("e4"), Token::Unclosed("comment"), san("e5")]);
    }

    #[test]
    fn hostile_text_gives_tokens() {
        for text in
            ["", "é", "$", "$x", "!!!!", "]]}})))", "[", "[\"", "{", "½", "1", "1.", "–", "\\"]
        {
            let mut tokens = Tokens::new(text);
            tokens.by_ref().for_each(drop);
            assert_eq!(tokens.offset(), text.len(), "{text}");
        }
    }
}
