#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod fault;
mod movetext;
mod reader;
mod text;
mod token;
mod variation;
mod written_move;

use koel_board::{Game, Position};

pub use fault::PgnFault;
pub use movetext::MovetextWriter;
pub use reader::{GameReader, PgnEntry};
pub use text::{TextLines, checked_text, open_text};
pub use token::{Token, is_zero_width};
pub use variation::{Variation, VariationMove};
pub use written_move::find_move;

/// The tag pairs of a game.
#[derive(Clone, Default, Debug)]
pub struct Tags(pub Vec<(String, String)>);

impl Tags {
    /// Returns the value of the first tag with this name, if it is known (not `?`).
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&str> {
        let mut tags = self.0.iter();
        let (_, value) = tags.find(|(found, _)| found.eq_ignore_ascii_case(name))?;
        Some(value.as_str()).filter(|value| !value.is_empty() && *value != "?")
    }

    /// Returns the tag section as text.
    #[must_use]
    pub fn text(&self) -> String {
        let escaped = |value: &str| value.replace('\\', "\\\\").replace('"', "\\\"");
        self.0.iter().map(|(name, value)| format!("[{name} \"{}\"]\n", escaped(value))).collect()
    }
}

/// A game of a PGN file.
#[derive(Debug)]
#[non_exhaustive]
pub struct PgnGame {
    /// The number of its first line in the file, from 1.
    pub line: usize,
    /// The tag section as it stands in the file, with comments before and between the tags.
    pub(crate) header: String,
    /// The tag pairs. What is changed in them is not written: a game keeps its tag section.
    pub tags: Tags,
    /// The moves of the main line.
    pub game: Game,
    /// All that was read between the tags and the result.
    pub movetext: Vec<Token>,
    /// The game termination marker.
    pub result: &'static str,
    /// The comments directly after the result.
    pub(crate) trailer: Vec<Token>,
    /// True if the main line goes on with a null move, up to which it is read.
    pub ends_at_null_move: bool,
    /// The text from a fault on, up to which the game is read.
    pub(crate) rest: Option<String>,
}

/// A game that cannot be read.
#[derive(Debug)]
#[non_exhaustive]
pub struct FaultyGame {
    /// The tag pairs.
    pub tags: Tags,
    /// The game as it stands in the file.
    pub text: String,
    /// The number of the line of the fault in the file, from 1.
    pub line: usize,
    /// The fault.
    pub error: PgnFault,
    /// The game up to the fault, with the rest as it stands, or the whole game if the fault is a
    /// word in a variation. `None` if not even a move can be read.
    pub readable: Option<Box<PgnGame>>,
}

impl FaultyGame {
    /// Returns the fault of a text without tags that begins on this line.
    #[must_use]
    pub fn of_line(text: &str, line: usize, error: PgnFault) -> FaultyGame {
        FaultyGame { tags: Tags::default(), text: text.to_owned(), line, error, readable: None }
    }
}

/// The additions to a game at one ply.
#[derive(Default)]
pub struct Annotation {
    /// A glyph for the move that led to the position.
    pub nag: Option<u32>,
    /// The words of a comment on the position; empty for none.
    pub comment: Vec<String>,
    /// The tokens of variations in place of the move, which follow the comments on it.
    pub variations: Vec<Vec<Token>>,
}

impl PgnGame {
    /// Creates a game without moves and result, with a comment unless that is empty.
    #[must_use]
    pub fn without_moves(tags: Tags, game: Game, comment: &str) -> PgnGame {
        let comment = Some(comment).filter(|text| !text.is_empty());
        let movetext = comment.map(|text| Token::Comment(text.replace('}', ")")));
        PgnGame {
            line: 1,
            header: tags.text().trim_end().to_owned(),
            tags,
            game,
            movetext: movetext.into_iter().collect(),
            result: "*",
            trailer: Vec::new(),
            ends_at_null_move: false,
            rest: None,
        }
    }

    /// Returns true if the game goes on behind a fault, up to which it is read.
    #[must_use]
    pub fn is_cut_off(&self) -> bool {
        self.rest.is_some()
    }

    /// Returns the text from a fault on, up to which the game is read.
    #[must_use]
    pub fn unread(&self) -> Option<&str> {
        self.rest.as_deref()
    }

    /// Returns the game as PGN with annotations beside those of the game. The function returns them
    /// for each ply and position of the main line, given the numeric glyphs of the move before it.
    #[must_use]
    pub fn with_annotations(
        &self,
        mut annotate: impl FnMut(usize, &Position, &[u32]) -> Annotation,
    ) -> String {
        let mut writer = MovetextWriter::new(self.game.start());
        let mut position = self.game.start().clone();
        let mut played = (1..).zip(self.game.moves());
        let mut variations = write_annotation(&mut writer, annotate(0, &position, &[]));
        let mut tokens = self.movetext.iter().peekable();
        while let Some(token) = tokens.next() {
            if !token.is_comment() {
                write_variations(&mut writer, &mut variations);
            }
            let is_played = writer.is_main_line() && matches!(token, Token::Move(_));
            let Some((ply, m)) = is_played.then(|| played.next()).flatten() else {
                writer.token(token);
                continue;
            };
            writer.san(&position.san(m));
            position.play(m);
            let mut nags = Vec::new();
            let is_glyph = |next: &&Token| matches!(next, Token::Nag(_) | Token::Glyph(_));
            while let Some(glyph) = tokens.next_if(is_glyph) {
                writer.token(glyph);
                nags.extend(if let Token::Nag(nag) = glyph { Some(*nag) } else { None });
            }
            variations = write_annotation(&mut writer, annotate(ply, &position, &nags));
        }
        let ends_with_variation = !variations.is_empty();
        write_variations(&mut writer, &mut variations);
        if self.rest.is_none() {
            writer.token(&Token::Result(self.result));
            self.trailer.iter().for_each(|token| writer.token(token));
        }
        let gap = if self.header.is_empty() { "" } else { "\n\n" };
        format!(
            "{}{gap}{}{}\n\n",
            self.header,
            writer.finish(),
            self.rest_after(ends_with_variation)
        )
    }

    /// Returns the text from a fault on, as it follows the movetext.
    fn rest_after(&self, variation: bool) -> String {
        let Some(rest) = &self.rest else { return String::new() };
        let ends_line = !variation
            && matches!(self.movetext.last(), Some(Token::LineComment(_) | Token::Escape(_)));
        // At the start of a line these would be a tag and an escape.
        let separator = if rest.starts_with(['[', '%']) && !ends_line { ' ' } else { '\n' };
        format!("{separator}{rest}")
    }
}

/// Writes the glyph and the comment. Returns the variations, which are not due yet.
fn write_annotation(writer: &mut MovetextWriter, annotation: Annotation) -> Vec<Vec<Token>> {
    if let Some(nag) = annotation.nag {
        writer.nag(nag);
    }
    if !annotation.comment.is_empty() {
        writer.comment(annotation.comment);
    }
    annotation.variations
}

fn write_variations(writer: &mut MovetextWriter, variations: &mut Vec<Vec<Token>>) {
    for variation in variations.drain(..) {
        writer.token(&Token::VariationStart);
        variation.iter().for_each(|token| writer.token(token));
        writer.token(&Token::VariationEnd);
    }
}

#[cfg(test)]
mod tests;
