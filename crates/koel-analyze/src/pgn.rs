//! Games in PGN: reading, and writing with annotations.
//!
//! A game is written with all that was read: tags, comments, variations and glyphs. Therefore games
//! are read from tokens of their text and not with a reader that reports known elements only.

mod movetext;
mod token;

use koel_board::{Game, Position};

use movetext::MovetextWriter;
use token::{Token, Tokens};

/// Decodes the text of a file: UTF-8, or else Latin-1, the character set of the PGN standard.
pub fn decode(bytes: Vec<u8>) -> String {
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect());
    text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)
}

/// The tag pairs of a game.
#[derive(Clone, Default, Debug)]
pub struct Tags(pub Vec<(String, String)>);

impl Tags {
    /// Returns the value of the first tag with this name, if it is known (not `?`).
    pub fn value(&self, name: &str) -> Option<&str> {
        let mut tags = self.0.iter();
        let (_, value) = tags.find(|(found, _)| found.eq_ignore_ascii_case(name))?;
        Some(value.as_str()).filter(|value| !value.is_empty() && *value != "?")
    }

    /// Returns the tag section as text.
    fn text(&self) -> String {
        let escaped = |value: &str| value.replace('\\', "\\\\").replace('"', "\\\"");
        self.0.iter().map(|(name, value)| format!("[{name} \"{}\"]\n", escaped(value))).collect()
    }
}

/// A game of a PGN file.
#[derive(Debug)]
pub struct PgnGame {
    /// The tag pairs.
    pub tags: Tags,
    /// The moves of the main line.
    pub game: Game,
    /// All that was read between the tags and the result.
    pub(crate) movetext: Vec<Token>,
    /// The game termination marker.
    pub result: String,
}

/// A game that cannot be read.
#[derive(Debug)]
pub struct FaultyGame {
    /// The tag pairs.
    pub tags: Tags,
    /// The game as it stands in the file.
    pub text: String,
    /// The fault, as a message for the user.
    pub error: String,
}

/// The additions to a game at one ply.
#[derive(Default)]
pub struct Annotation {
    /// A glyph for the move that led to the position.
    pub nag: Option<u32>,
    /// The words of a comment on the position; empty for none.
    pub comment: Vec<String>,
}

/// Reads the games of a text one by one.
pub fn read_games(text: &str) -> impl Iterator<Item = Result<PgnGame, FaultyGame>> {
    let mut tokens = Tokens::new(text);
    std::iter::from_fn(move || {
        let start = tokens.offset();
        let (tags, movetext, result) = next_game(&mut tokens)?;
        let faulty = |error| FaultyGame {
            tags: tags.clone(),
            text: text[start..tokens.offset()].trim().to_owned(),
            error,
        };
        let game = main_line(&tags, &movetext).map_err(faulty);
        Some(game.map(|game| PgnGame { tags, game, movetext, result }))
    })
}

/// Returns the tags, the movetext and the result of the next game. It ends with its result, or
/// before the tags of another game.
fn next_game(tokens: &mut Tokens<'_>) -> Option<(Tags, Vec<Token>, String)> {
    let (mut tags, mut movetext) = (Tags::default(), Vec::new());
    let mut depth = 0_usize;
    let result = loop {
        let before = tokens.clone();
        let token = tokens.next();
        match token {
            None => break None,
            // Comments may stand before the tags.
            Some(Token::Tag(..))
                if !(movetext.is_empty()
                    || tags.0.is_empty() && movetext.iter().all(is_comment)) =>
            {
                *tokens = before;
                break None;
            }
            Some(Token::Tag(name, value)) => tags.0.push((name, value)),
            Some(Token::Result(result)) if depth == 0 => break Some(result.to_owned()),
            Some(token) => {
                match token {
                    Token::VariationStart => depth += 1,
                    Token::VariationEnd => depth = depth.saturating_sub(1),
                    _ => {}
                }
                movetext.push(token);
            }
        }
    };
    let is_game = !tags.0.is_empty() || result.is_some() || !movetext.iter().all(is_comment);
    let result = result.or_else(|| tags.value("Result").map(str::to_owned));
    is_game.then(|| (tags, movetext, result.unwrap_or_else(|| "*".to_owned())))
}

fn is_comment(token: &Token) -> bool {
    matches!(token, Token::Comment(_))
}

/// Plays the moves outside of variations. The error is a message for the user.
fn main_line(tags: &Tags, movetext: &[Token]) -> Result<Game, String> {
    let start = tags.value("FEN").map_or_else(|| Ok(Position::start()), Position::from_fen);
    let mut game = Game::new(start.map_err(|error| error.to_string())?);
    let mut depth = 0_usize;
    for token in movetext {
        match token {
            Token::San(san) if depth == 0 => {
                let m = game.position().parse_san(san).map_err(|error| error.to_string())?;
                game.play(m).map_err(|error| error.to_string())?;
            }
            Token::VariationStart => depth += 1,
            Token::VariationEnd => {
                depth = depth.checked_sub(1).ok_or("a variation ends that did not begin")?;
            }
            Token::Unclosed(element) => return Err(format!("a {element} is not closed")),
            _ => {}
        }
    }
    if depth > 0 {
        return Err("a variation does not end".to_owned());
    }
    Ok(game)
}

impl PgnGame {
    /// Creates a game without moves and result, with a comment unless that is empty.
    pub fn without_moves(tags: Tags, game: Game, comment: &str) -> PgnGame {
        let comment = Some(comment).filter(|text| !text.is_empty());
        let movetext = comment.map(|text| Token::Comment(text.replace('}', ")")));
        PgnGame { tags, game, movetext: movetext.into_iter().collect(), result: "*".to_owned() }
    }

    /// Returns the game as PGN with the annotations that the function returns for each ply and
    /// position of the main line, beside those of the game.
    pub fn with_annotations(
        &self,
        mut annotate: impl FnMut(usize, &Position) -> Annotation,
    ) -> String {
        let mut writer = MovetextWriter::new(self.game.start());
        let mut position = self.game.start().clone();
        let mut played = (1..).zip(self.game.moves());
        write_annotation(&mut writer, annotate(0, &position), &[]);
        let mut tokens = self.movetext.iter().peekable();
        while let Some(token) = tokens.next() {
            let is_played = writer.is_main_line() && matches!(token, Token::San(_));
            let Some((ply, m)) = is_played.then(|| played.next()).flatten() else {
                writer.token(token);
                continue;
            };
            writer.san(&position.san(m));
            position.play(m);
            let mut nags = Vec::new();
            while let Some(Token::Nag(nag)) = tokens.next_if(|next| matches!(next, Token::Nag(_))) {
                writer.nag(*nag);
                nags.push(*nag);
            }
            write_annotation(&mut writer, annotate(ply, &position), &nags);
        }
        let tags = self.tags.text();
        let gap = if tags.is_empty() { "" } else { "\n" };
        format!("{tags}{gap}{}\n\n", writer.finish(&self.result))
    }
}

/// Writes an annotation of a move that has these glyphs.
fn write_annotation(writer: &mut MovetextWriter, annotation: Annotation, nags: &[u32]) {
    if let Some(nag) = annotation.nag.filter(|nag| !nags.contains(nag)) {
        writer.nag(nag);
    }
    if !annotation.comment.is_empty() {
        writer.comment(annotation.comment);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(pgn: &str) -> String {
        let games = read_games(pgn).map(|game| match game {
            Ok(game) => game.with_annotations(|_, _| Annotation::default()),
            Err(faulty) => panic!("{}", faulty.error),
        });
        games.collect()
    }

    #[test]
    fn all_that_was_read_is_written() {
        let game = "[White \"A \\\"B\\\" C\"]\n[X \"y\"]\n\n\
            {first\n  words} 1. e4 $1 {[%clk 0:00:10]} ( {instead} 1. d4 d5 $6 ( 1... Nf6 2. c4 )\n\
            2. c4 ) 1... e5 $14 2. Nf3 {one} {two} 2... Nc6 +/= 1-0\n\n";
        assert_eq!(rewritten(game), game);
        let black = "[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 0 30\"]\n\n30... Kd7 31. O-O *\n\n";
        assert_eq!(rewritten(black), black);
    }

    #[test]
    fn games_end_with_their_result_or_before_tags() {
        let text = "; a file\n[Event \"1\"]\n\n1. e4\n\n1... e5\n[Event \"2\"]\n1-0 d4 0-1";
        let games = read_games(text).map(Result::unwrap).collect::<Vec<_>>();
        let seen = games.iter().map(|game| (game.game.moves().len(), game.result.as_str()));
        assert_eq!(seen.collect::<Vec<_>>(), [(2, "*"), (0, "1-0"), (1, "0-1")]);
        assert_eq!(games[0].movetext[0], Token::Comment(" a file".to_owned()));
        assert_eq!(read_games(" ; nothing\n% else").count(), 0);
    }

    #[test]
    fn faults_are_named_and_the_text_is_kept() {
        for (text, error) in [
            ("1. e4 e5 2. Qz9 *", "`Qz9` is not a move"),
            ("1. e4 e4 *", "`e4` is not a legal move"),
            ("1. e4 { open\ne5 *", "a comment is not closed"),
            ("1. e4 ) *", "a variation ends that did not begin"),
            ("1. e4 ( 1. d4 *", "a variation does not end"),
            ("[FEN \"nonsense\"]\n\n1. e4 *", "side to move"),
        ] {
            let two = format!("{text}\n\n[Event \"good\"]\n\n1. d4 *\n");
            let mut games = read_games(&two);
            let faulty = games.next().unwrap().unwrap_err();
            assert!(faulty.error.contains(error), "{text}: {}", faulty.error);
            assert_eq!(faulty.text, text);
            assert_eq!(games.next().unwrap().unwrap().tags.value("event"), Some("good"));
            assert!(games.next().is_none());
        }
    }

    #[test]
    fn latin_1_and_utf_8_are_read() {
        assert_eq!(decode(b"M\xfcller".to_vec()), "Müller");
        assert_eq!(decode("\u{feff}Müller".into()), "Müller");
    }
}
