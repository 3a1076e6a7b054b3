//! Scores, bounds, and win, draw and loss probabilities.

use std::fmt;

use crate::number::number;
use crate::print::write_number;
use crate::tokens::Tokens;

/// A score from the point of view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UciScore {
    /// The score in centipawns: `cp`.
    Centipawns(i32),
    /// The distance to mate in moves (not plies): `mate`. Negative if the side to move is mated, 0
    /// if it is checkmate already.
    Mate(i32),
}

impl UciScore {
    /// Returns the score as a number. Mates are beyond all others.
    ///
    /// ```
    /// use koel_uci::UciScore;
    ///
    /// assert_eq!(UciScore::Centipawns(-35).to_centipawns(), -35);
    /// assert_eq!(UciScore::Mate(0).to_centipawns(), -UciScore::Mate(9).to_centipawns());
    /// ```
    #[must_use]
    pub fn to_centipawns(self) -> i32 {
        match self {
            UciScore::Centipawns(value) => value,
            UciScore::Mate(1..) => i32::MAX,
            UciScore::Mate(_) => -i32::MAX,
        }
    }
}

/// The bound type of a score: exact, lower or upper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ScoreBound {
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
/// use koel_uci::{Reply, ScoreBound, UciScore};
///
/// let Reply::Info(info) = "info depth 9 score mate -3 upperbound".parse()? else { panic!() };
/// let report = info.score.expect("a score");
/// assert_eq!((report.score, report.bound), (UciScore::Mate(-3), ScoreBound::Upper));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScoreReport {
    /// The score.
    pub score: UciScore,
    /// The bound type.
    pub bound: ScoreBound,
}

/// The win, draw and loss probabilities of the side to move, in permille.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UciWdl {
    /// The probability of a win.
    pub win: u32,
    /// The probability of a draw.
    pub draw: u32,
    /// The probability of a loss.
    pub loss: u32,
}

impl From<UciScore> for ScoreReport {
    fn from(score: UciScore) -> ScoreReport {
        ScoreReport { score, bound: ScoreBound::Exact }
    }
}

impl ScoreReport {
    /// Parses the words after `score`: a value and optionally a bound, in either order. Consumes
    /// nothing if there is no value.
    pub(crate) fn read(tokens: &mut Tokens<'_>) -> Option<ScoreReport> {
        let mut ahead = tokens.clone();
        let before = ahead.accept(ScoreBound::read);
        let score = match ahead.next()? {
            "cp" => UciScore::Centipawns(ahead.accept(number)?),
            "mate" => UciScore::Mate(ahead.accept(number)?),
            _ => return None,
        };
        let bound = ahead.accept(ScoreBound::read).or(before).unwrap_or_default();
        *tokens = ahead;
        Some(ScoreReport { score, bound })
    }
}

impl ScoreBound {
    fn read(word: &str) -> Option<ScoreBound> {
        match word {
            "lowerbound" => Some(ScoreBound::Lower),
            "upperbound" => Some(ScoreBound::Upper),
            _ => None,
        }
    }
}

impl UciWdl {
    pub(crate) fn read(tokens: &mut Tokens<'_>) -> Option<UciWdl> {
        let mut ahead = tokens.clone();
        let (win, draw) = (ahead.accept(number)?, ahead.accept(number)?);
        let loss = ahead.accept(number)?;
        *tokens = ahead;
        Some(UciWdl { win, draw, loss })
    }
}

impl fmt::Display for UciScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UciScore::Centipawns(centipawns) => write_number(f, "cp ", Some(*centipawns)),
            UciScore::Mate(moves) => write_number(f, "mate ", Some(*moves)),
        }
    }
}

impl fmt::Display for ScoreReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = match self.bound {
            ScoreBound::Exact => "",
            ScoreBound::Lower => " lowerbound",
            ScoreBound::Upper => " upperbound",
        };
        self.score.fmt(f)?;
        f.write_str(bound)
    }
}

impl fmt::Display for UciWdl {
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
        assert_eq!(read("cp -35"), Some(UciScore::Centipawns(-35).into()));
        assert_eq!(read("mate -0"), Some(UciScore::Mate(0).into()));
        assert_eq!(read("mate +3"), Some(UciScore::Mate(3).into()));
        assert_eq!(read("cp 99999999999"), Some(UciScore::Centipawns(i32::MAX).into()));
        let lower = ScoreReport { score: UciScore::Centipawns(7), bound: ScoreBound::Lower };
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
        assert_eq!(UciWdl::read(&mut tokens), None);
        assert_eq!(tokens.text(), "1 2 nodes");
    }
}
