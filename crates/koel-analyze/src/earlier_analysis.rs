//! The annotations of an earlier analysis by Koel: they are replaced, so that a file that is
//! analysed twice is as if it were analysed once.

use crate::assessment::Mark;
use koel_pgn::Token;

/// The word by which Koel knows a comment of its own that names no mark.
const OWN: &str = "[%koel]";

/// The content of a comment on a position.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct OwnComment {
    /// The score in the format of Lichess, and the depth; nothing where the game is over.
    pub(crate) eval: Option<(String, u32)>,
    /// The glyph of the move before if it was added with this comment.
    pub(crate) added: Option<Mark>,
    /// The move that should have been played instead of the one before.
    pub(crate) better: Option<String>,
}

impl OwnComment {
    /// Returns the words of the comment.
    pub(crate) fn words(self) -> Vec<String> {
        let mut words = Vec::new();
        words.extend(self.eval.map(|(score, depth)| format!("[%eval {score},{depth}]")));
        words.push(self.added.map_or(OWN.to_owned(), |mark| format!("[%mark {}]", mark.text())));
        words.extend(
            self.better.into_iter().flat_map(|san| [san, "was".to_owned(), "best".to_owned()]),
        );
        words
    }

    /// Reads the start of a comment, and returns what follows: other programs join comments. `None`
    /// if the start is not of an analysis.
    fn parse(text: &str) -> Option<(OwnComment, &str)> {
        let mut rest = text.trim_start();
        let eval = match command(&mut rest, "eval") {
            Some(eval) => Some(score_and_depth(eval)?),
            None => None,
        };
        let added = match command(&mut rest, "mark") {
            Some(mark) => Some(Mark::ALL.into_iter().find(|known| known.text() == mark)?),
            None => None,
        };
        let is_own = command(&mut rest, "koel").is_some_and(str::is_empty) || added.is_some();
        if !is_own {
            return None;
        }
        let better = better_move(&mut rest);
        Some((OwnComment { eval, added, better }, rest.trim_end()))
    }
}

/// Takes `[%name value]` off the start of a text and returns the value.
fn command<'a>(text: &mut &'a str, name: &str) -> Option<&'a str> {
    let value = text.strip_prefix("[%")?.strip_prefix(name)?;
    let (value, rest) = value.split_once(']')?;
    if !value.is_empty() && !value.starts_with(char::is_whitespace) {
        return None;
    }
    *text = rest.trim_start();
    Some(value.trim())
}

/// Takes `Qf6 was best` off the start of a text and returns the move.
fn better_move(text: &mut &str) -> Option<String> {
    let (san, rest) = text.split_once(char::is_whitespace)?;
    let rest = rest.trim_start().strip_prefix("was")?.trim_start().strip_prefix("best")?;
    *text = rest.trim_start();
    Some(san.to_owned())
}

/// Reads the score and the depth of an evaluation.
fn score_and_depth(eval: &str) -> Option<(String, u32)> {
    let (score, depth) = eval.split_once(',')?;
    score.strip_prefix('#').unwrap_or(score).parse::<f64>().ok()?;
    Some((score.to_owned(), depth.parse().ok()?))
}

/// Removes the annotations of an earlier analysis from the main line of a game: those of the moves
/// that are assessed again, and the scores where `has_eval` says that one will be written. There
/// the score of another program is kept as words, because readers know one for each move.
pub(crate) fn remove(
    movetext: &mut Vec<Token>,
    is_assessed: impl Fn(usize) -> bool,
    has_eval: impl Fn(usize) -> bool,
) {
    let mut kept: Vec<Token> = Vec::with_capacity(movetext.len());
    let (mut depth, mut ply) = (0_usize, 0);
    // The glyphs directly after the last move, from which one is removed at most.
    let mut glyphs = 0..0;
    let mut rest = movetext.drain(..);
    loop {
        while depth == 0 && is_assessed(ply) {
            let own = own_variation(rest.as_slice());
            if own == 0 {
                break;
            }
            rest.by_ref().take(own).for_each(drop);
        }
        let Some(mut token) = rest.next() else { break };
        match &mut token {
            Token::VariationStart => depth += 1,
            Token::VariationEnd => depth = depth.saturating_sub(1),
            Token::Move(_) if depth == 0 => {
                ply += 1;
                glyphs = kept.len() + 1..kept.len() + 1;
            }
            Token::Nag(_) | Token::Glyph(_) if kept.len() == glyphs.end => glyphs.end += 1,
            Token::Comment(text) if depth == 0 && (is_assessed(ply) || has_eval(ply)) => {
                if let Some((own, others)) = OwnComment::parse(text) {
                    let others = others.to_owned();
                    if is_assessed(ply) {
                        let added = own.added.map(|mark| Token::Nag(mark.nag()));
                        let found = added.and_then(|added| {
                            let mut places = std::mem::take(&mut glyphs);
                            places.rfind(|&place| kept[place] == added)
                        });
                        found.map(|place| kept.remove(place));
                    } else if own.added.is_some() || own.better.is_some() {
                        let remark = OwnComment { eval: None, ..own }.words().join(" ");
                        kept.push(Token::Comment(format!(" {remark} ")));
                    }
                    if others.is_empty() {
                        continue;
                    }
                    *text = format!(" {others} ");
                }
                if has_eval(ply) {
                    *text = with_eval_as_words(text);
                }
            }
            Token::LineComment(text) if depth == 0 && has_eval(ply) => {
                *text = with_eval_as_words(text);
            }
            _ => {}
        }
        kept.push(token);
    }
    drop(rest);
    *movetext = kept;
}

/// Returns the comment on the first move of a variation of so many moves.
pub(crate) fn variation_comment(score: &str, depth: u32, moves: usize) -> Token {
    Token::Comment(format!(" [%eval {score},{depth}] [%koel {moves}] "))
}

/// Returns the number of tokens of a variation by Koel at the start of a movetext, or zero. It has
/// nothing but its moves, in the number that its comment names.
fn own_variation(movetext: &[Token]) -> usize {
    let [Token::VariationStart, Token::Move(_), Token::Comment(text), rest @ ..] = movetext else {
        return 0;
    };
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut text = &*text;
    let has_score = command(&mut text, "eval").and_then(score_and_depth).is_some();
    let named = command(&mut text, "koel").and_then(|moves| moves.parse::<usize>().ok());
    let others = rest.iter().take_while(|token| matches!(token, Token::Move(_))).count();
    let ends = rest.get(others) == Some(&Token::VariationEnd);
    let is_own = has_score && text.is_empty() && ends && named == Some(others + 1);
    if is_own { others + 4 } else { 0 }
}

/// Returns a comment with `eval 0.25` for `[%eval 0.25]`.
fn with_eval_as_words(comment: &str) -> String {
    let mut parts = comment.split("[%eval");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let value = part.split_once(']').filter(|_| part.starts_with(char::is_whitespace));
        text += &match value {
            Some((value, rest)) => format!("eval{value}{rest}"),
            None => format!("[%eval{part}"),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_comments_are_recognised() {
        let of = |eval: Option<(&str, u32)>, added, better: Option<&str>| OwnComment {
            eval: eval.map(|(score, depth)| (score.to_owned(), depth)),
            added,
            better: better.map(str::to_owned),
        };
        let mistake = Some(Mark::Mistake);
        for own in [
            of(Some(("0.31", 14)), None, None),
            of(Some(("#-3", 9)), mistake, Some("Qf6")),
            of(Some(("-0.05", 1)), None, Some("O-O+")),
            of(None, mistake, Some("e8=Q#")),
        ] {
            let text = own.clone().words().join("\n");
            assert_eq!(OwnComment::parse(&text), Some((own.clone(), "")), "{text}");
            for others in ["[%clk 0:05:00] a note", "so\n[%cal Ge2e4]"] {
                let joined = format!("{text} {others} ");
                assert_eq!(OwnComment::parse(&joined), Some((own.clone(), others)), "{text}");
            }
        }
        let joined = OwnComment::parse("[%eval 1.2,9] [%mark ?]\nd6 was\nbestmy note").unwrap();
        assert_eq!((joined.0.better.as_deref(), joined.1), (Some("d6"), "my note"));
        for other in [
            "",
            "good",
            "[%eval 0.31]",
            "[%eval 0.31,14]",
            "[%eval 0.31,14] Nf3 was best",
            "[%eval 0.31,14] best Nf3",
            "[%eval x,14] [%koel]",
            "[%eval 0.31,14] Nf3",
            "so [%eval 0.31,14] [%koel]",
            "[%eval 0.3,1] [%mark !]",
        ] {
            assert!(OwnComment::parse(other).is_none(), "{other}");
        }
    }

    #[test]
    fn scores_of_others_become_words() {
        for (text, expected) in [
            (" [%eval 0.17] [%clk 0:01:00] ", " eval 0.17 [%clk 0:01:00] "),
            ("[%eval #-3,20]x[%eval\n1]", "eval #-3,20xeval\n1"),
            ("[%evaluation] [%eval 1", "[%evaluation] [%eval 1"),
        ] {
            assert_eq!(with_eval_as_words(text), expected);
        }
    }
}
