//! The annotations of an earlier analysis by Koel: they are replaced, so that a file that is analysed
//! twice is as if it were analysed once.

use crate::assessment::Mark;
use koel_pgn::Token;

/// Returns the words of the comment on a position: the score in the format of Lichess, the depth and
/// the best move, and the glyph of the move before if it was added by this analysis.
pub(crate) fn comment(score: &str, depth: u32, added: Option<Mark>, best: &str) -> Vec<String> {
    let mut words = vec![format!("[%eval {score},{depth}]")];
    words.extend(added.map(|mark| format!("[%mark {}]", mark.text())));
    words.extend(["best".to_owned(), best.to_owned()]);
    words
}

/// A comment that this module has written.
struct OwnComment {
    /// The glyph that was added with it.
    added: Option<Mark>,
}

impl OwnComment {
    /// Reads a comment; `None` if a word of it is not of an analysis.
    fn parse(text: &str) -> Option<OwnComment> {
        let rest = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (eval, rest) = rest.strip_prefix("[%eval ")?.split_once("] ")?;
        let (score, depth) = eval.split_once(',')?;
        let score = score.strip_prefix('#').unwrap_or(score);
        score.parse::<f64>().ok()?;
        depth.parse::<u32>().ok()?;
        let mark = rest.strip_prefix("[%mark ").and_then(|rest| rest.split_once("] "));
        let added = match mark {
            Some((text, _)) => Some(Mark::ALL.into_iter().find(|mark| mark.text() == text)?),
            None => None,
        };
        let best = mark.map_or(rest, |(_, rest)| rest).strip_prefix("best ")?;
        (!best.contains(' ')).then_some(OwnComment { added })
    }
}

/// Removes the annotations of an earlier analysis from the main line of a game, at the plies that
/// are analysed again.
pub(crate) fn remove(movetext: &mut Vec<Token>, is_analysed: impl Fn(usize) -> bool) {
    let mut kept: Vec<Token> = Vec::with_capacity(movetext.len());
    let (mut depth, mut ply, mut last_move) = (0_usize, 0, 0);
    for token in movetext.drain(..) {
        match &token {
            Token::VariationStart => depth += 1,
            Token::VariationEnd => depth = depth.saturating_sub(1),
            Token::Move(_) if depth == 0 => (ply, last_move) = (ply + 1, kept.len()),
            Token::Comment(text) if depth == 0 && is_analysed(ply) => {
                if let Some(own) = OwnComment::parse(text) {
                    let is_added = |token: &Token| {
                        own.added.is_some_and(|mark| *token == Token::Nag(mark.nag()))
                    };
                    let added = kept.iter().skip(last_move).rposition(is_added);
                    added.map(|index| kept.remove(last_move + index));
                    continue;
                }
            }
            _ => {}
        }
        kept.push(token);
    }
    *movetext = kept;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_comments_are_recognised() {
        for (text, added) in [
            (" [%eval 0.31,14] best Nf3 ", None),
            ("[%eval -0.05,9]\nbest e5", None),
            (" [%eval #-3,9] [%mark ?]\nbest e5 ", Some(Mark::Mistake)),
        ] {
            assert_eq!(OwnComment::parse(text).map(|own| own.added), Some(added), "{text}");
        }
        for other in [
            "",
            "good",
            "[%eval 0.31]",
            "[%eval 0.31,14] best Nf3 indeed",
            "[%eval x,14] best Nf3",
            "[%eval 0.31,14] Nf3",
            "so [%eval 0.31,14] best Nf3",
            "[%eval 0.3,1] [%mark !] best e4",
        ] {
            assert!(OwnComment::parse(other).is_none(), "{other}");
        }
    }
}
