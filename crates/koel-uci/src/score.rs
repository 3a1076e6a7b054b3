//! Scores, bounds, and win, draw and loss probabilities.

use std::fmt;

use crate::number::number;
use crate::print::write_number;
use crate::tokens::Tokens;

/// A score from the point of view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Score {
    /// The score in centipawns: `cp`.
    Centipawns(i32),
    /// The distance to mate in moves (not plies): `mate`. Negative if the side to move is mated, 0
    /// if it is checkmate already.
    Mate(i32),
}

impl Score {
    /// Returns the score as a number. Mates are beyond all others.
    ///
    /// ```
    /// use koel_uci::Score;
    ///
    /// assert_eq!(Score::Centipawns(-35).to_centipawns(), -35);
    /// assert_eq!(Score::Mate(0).to_centipawns(), -Score::Mate(9).to_centipawns());
    /// ```
    #[must_use]
    pub fn to_centipawns(self) -> i32 {
        match self {
            Score::Centipawns(value) => value,
            Score::Mate(1..) => i32::MAX,
            Score::Mate(_) => -i32::MAX,
        }
    }
}

/// The bound type of a score: exact, lower or upper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The score is exact.
    #[default]
    Exact,
    /// The score is a lower bound: `lowerbound`.
    Lower,
    /// The score is an upper bound: `upperbound`.
    Upper,
}

/// A score with its bound type, as in an `info` line.
///
/// ```
/// use koel_uci::{Reply, Bound, Score};
///
/// let Reply::Info(info) = "info depth 9 score mate -3 upperbound".parse()? else { panic!() };
/// let report = info.score.expect("a score");
/// assert_eq!((report.score, report.bound), (Score::Mate(-3), Bound::Upper));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScoreReport {
    /// The score.
    pub score: Score,
    /// The bound type.
    pub bound: Bound,
}

/// The win, draw and loss probabilities of the side to move, in permille.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wdl {
    /// The probability of a win.
    pub win: u32,
    /// The probability of a draw.
    pub draw: u32,
    /// The probability of a loss.
    pub loss: u32,
}

impl From<Score> for ScoreReport {
    fn from(score: Score) -> ScoreReport {
        ScoreReport { score, bound: Bound::Exact }
    }
}

impl ScoreReport {
    /// Parses the words after `score`: a value and optionally a bound, in either order. Consumes
    /// nothing if there is no value.
    pub(crate) fn read(tokens: &mut Tokens<'_>) -> Option<ScoreReport> {
        let mut ahead = tokens.clone();
        let before = ahead.accept(Bound::read);
        let score = match ahead.next()? {
            "cp" => Score::Centipawns(ahead.accept(number)?),
            "mate" => Score::Mate(ahead.accept(number)?),
            _ => return None,
        };
        let bound = ahead.accept(Bound::read).or(before).unwrap_or_default();
        *tokens = ahead;
        Some(ScoreReport { score, bound })
    }
}

impl Bound {
    fn read(word: &str) -> Option<Bound> {
        match word {
            "lowerbound" => Some(Bound::Lower),
            "upperbound" => Some(Bound::Upper),
            _ => None,
        }
    }
}

impl Wdl {
    pub(crate) fn read(tokens: &mut Tokens<'_>) -> Option<Wdl> {
        let mut ahead = tokens.clone();
        let (win, draw) = (ahead.accept(number)?, ahead.accept(number)?);
        let loss = ahead.accept(number)?;
        *tokens = ahead;
        Some(Wdl { win, draw, loss })
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Centipawns(centipawns) => write_number(f, "cp ", Some(*centipawns)),
            Score::Mate(moves) => write_number(f, "mate ", Some(*moves)),
        }
    }
}

impl fmt::Display for ScoreReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = match self.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        };
        self.score.fmt(f)?;
        f.write_str(bound)
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.win, self.draw, self.loss)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<ScoreReport> {
        ScoreReport::read(&mut Tokens::new(text))
    }

    #[test]
    fn all_forms_of_scores_are_parsed() {
        assert_eq!(read("cp -35"), Some(Score::Centipawns(-35).into()));
        assert_eq!(read("mate -0"), Some(Score::Mate(0).into()));
        assert_eq!(read("mate +3"), Some(Score::Mate(3).into()));
        assert_eq!(read("cp 99999999999"), Some(Score::Centipawns(i32::MAX).into()));
        let lower = ScoreReport { score: Score::Centipawns(7), bound: Bound::Lower };
        assert_eq!(read("cp 7 lowerbound"), Some(lower));
        assert_eq!(read("lowerbound cp 7"), Some(lower));
    }

    #[test]
    fn invalid_scores_are_not_consumed() {
        for text in ["", "cp", "cp abc", "mate depth 3", "12", "lowerbound"] {
            let mut tokens = Tokens::new(text);
            assert_eq!(ScoreReport::read(&mut tokens), None);
            assert_eq!(tokens.text(), text);
        }
        let mut tokens = Tokens::new("1 2 nodes");
        assert_eq!(Wdl::read(&mut tokens), None);
        assert_eq!(tokens.text(), "1 2 nodes");
    }
}
