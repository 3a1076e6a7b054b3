//! The moves of a game with its variations, as a tree.

use koel_board::{Move, Position};

use crate::PgnGame;
use crate::token::Token;
use crate::written_move::WrittenMove;

/// The greatest number of variations around a move. What goes deeper is left out of the tree, whose
/// users would exhaust their stack.
const MAX_NESTING: usize = 200;

/// A line of moves: the main line of a game, or a variation.
///
/// ```
/// use koel_pgn::{GameReader, PgnEntry};
///
/// let file = "1. e4 (1. d4 d5 (1... Nf6)) e5 *";
/// let Some(PgnEntry::Game(game)) = GameReader::new(file.as_bytes()).next().transpose()? else {
///     panic!("a game")
/// };
/// let main_line = game.variations();
/// assert_eq!(main_line.moves.len(), 2);
/// let instead_of_e4 = &main_line.moves[0].variations[0];
/// assert_eq!(instead_of_e4.moves[0].text, "d4");
/// assert_eq!(instead_of_e4.moves[1].variations[0].moves[0].text, "Nf6");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Variation {
    /// The comments before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub moves: Vec<VariationMove>,
}

/// A move of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariationMove {
    /// The move as it is written.
    pub text: String,
    /// The move, if it is a legal one. Where one is not, none of its line behind it is known.
    pub played: Option<Move>,
    /// The numeric glyphs.
    pub nags: Vec<u32>,
    /// The comments behind the move.
    pub comments: Vec<String>,
    /// The variations in place of the move.
    pub variations: Vec<Variation>,
}

impl PgnGame {
    /// Returns the main line as a tree with its variations, as in the example of [`Variation`].
    /// Variations that are nested more than 200 deep are left out.
    #[must_use]
    pub fn variations(&self) -> Variation {
        let mut open = vec![Branch::new(Some(self.game.start().clone()))];
        // The number of variations around that are left out.
        let mut left_out = 0_usize;
        for token in &self.movetext {
            match token {
                Token::VariationStart if open.len() > MAX_NESTING => left_out += 1,
                Token::VariationEnd if left_out > 0 => left_out -= 1,
                _ if left_out > 0 => {}
                Token::VariationStart => {
                    let start = open.last().and_then(|branch| branch.before.clone());
                    open.push(Branch::new(start));
                }
                Token::VariationEnd if open.len() > 1 => close(&mut open),
                _ => open.last_mut().into_iter().for_each(|branch| branch.add(token)),
            }
        }
        while open.len() > 1 {
            close(&mut open);
        }
        open.pop().map(|branch| branch.line).unwrap_or_default()
    }
}

/// Ends the innermost line, which belongs to the last move of the one around it.
fn close(open: &mut Vec<Branch>) {
    let Some(ended) = open.pop() else { return };
    if let Some(around) = open.last_mut().and_then(|branch| branch.line.moves.last_mut()) {
        around.variations.push(ended.line);
    }
}

/// A line that is being read.
struct Branch {
    line: Variation,
    /// The position before the last move, from which a variation branches off; `None` if it is not
    /// known.
    before: Option<Position>,
    position: Option<Position>,
}

impl Branch {
    fn new(start: Option<Position>) -> Branch {
        Branch { line: Variation::default(), before: start.clone(), position: start }
    }

    fn add(&mut self, token: &Token) {
        match token {
            Token::Move(text) => self.play(text),
            Token::Nag(nag) => {
                self.line.moves.last_mut().into_iter().for_each(|m| m.nags.push(*nag))
            }
            Token::Comment(text) | Token::LineComment(text) => {
                let comments = match self.line.moves.last_mut() {
                    Some(m) => &mut m.comments,
                    None => &mut self.line.comments,
                };
                comments.push(text.trim().to_owned());
            }
            _ => {}
        }
    }

    fn play(&mut self, text: &str) {
        self.before = self.position.take();
        let found = WrittenMove::parse(text).zip(self.before.as_ref());
        let played = found.and_then(|(written, before)| written.find(before).ok());
        let after = |m| self.before.as_ref().map(|before| before.after(m));
        self.position = played.and_then(after);
        self.line.moves.push(VariationMove {
            text: text.to_owned(),
            played,
            nags: Vec::new(),
            comments: Vec::new(),
            variations: Vec::new(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameReader, PgnEntry};

    fn tree(text: &str) -> Variation {
        let Some(Ok(PgnEntry::Game(game))) = GameReader::new(text.as_bytes()).next() else {
            panic!("{text}")
        };
        game.variations()
    }

    fn texts(line: &Variation) -> Vec<&str> {
        line.moves.iter().map(|m| m.text.as_str()).collect()
    }

    #[test]
    fn variations_hang_at_the_moves_that_they_replace() {
        let line = tree(
            "{start} 1. e4 $1 {first} (1. d4 d5 (1... Nf6 $6) 2. c4) (1. c4) e5 {second} 2. Nf3 *",
        );
        assert_eq!(line.comments, ["start"]);
        assert_eq!(texts(&line), ["e4", "e5", "Nf3"]);
        let [first, second, _] = &line.moves[..] else { panic!() };
        assert_eq!((&first.nags[..], &first.comments[..]), (&[1][..], &["first".to_owned()][..]));
        assert_eq!(second.comments, ["second"]);
        let [queen, english] = &first.variations[..] else { panic!() };
        assert_eq!((texts(queen), texts(english)), (vec!["d4", "d5", "c4"], vec!["c4"]));
        let indian = &queen.moves[1].variations[0];
        assert_eq!((texts(indian), &indian.moves[0].nags[..]), (vec!["Nf6"], &[6][..]));
        let all = [&line, queen, english, indian];
        assert!(all.iter().all(|line| line.moves.iter().all(|m| m.played.is_some())));
    }

    #[test]
    fn variations_are_followed_only_so_deep() {
        let nested = "( 1. d4 ".repeat(20_000) + &") ".repeat(20_000);
        let line = tree(&format!("1. e4 {nested}e5 *"));
        assert_eq!(texts(&line), ["e4", "e5"]);
        let (mut depth, mut inner) = (0, &line.moves[0]);
        while let [variation] = &inner.variations[..] {
            (depth, inner) = (depth + 1, &variation.moves[0]);
        }
        assert_eq!(depth, MAX_NESTING);
    }

    #[test]
    fn behind_an_illegal_move_of_a_variation_nothing_is_known() {
        let line = tree("1. e4 (1. Ke3 e5 2. d4) e5 *");
        let known: Vec<_> = line.moves[0].variations[0].moves.iter().map(|m| m.played).collect();
        assert_eq!(known, [None; 3]);
        assert!(line.moves.iter().all(|m| m.played.is_some()));
    }
}
