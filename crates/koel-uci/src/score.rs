//! How an engine says what a position is worth.

use std::fmt;

use crate::number::number;
use crate::print::write_number;
use crate::tokens::Tokens;

/// The worth of a position to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UciScore {
    /// In hundredths of a pawn.
    Centipawns(i32),
    /// A mate in so many moves (not plies); negative when the side to move is mated, and 0 when it
    /// has been already.
    Mate(i32),
}

/// Whether a score is the score or only a limit to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ScoreBound {
    /// It is the score.
    #[default]
    Exact,
    /// The score is at least this: `lowerbound`.
    Lower,
    /// The score is at most this: `upperbound`.
    Upper,
}

/// A score with its bound, as an `info` line states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScoreReport {
    /// The score.
    pub score: UciScore,
    /// Whether it is exact.
    pub bound: ScoreBound,
}

/// The chances of the side to move, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UciWdl {
    /// To win.
    pub win: u32,
    /// To draw.
    pub draw: u32,
    /// To lose.
    pub loss: u32,
}

impl From<UciScore> for ScoreReport {
    fn from(score: UciScore) -> ScoreReport {
        ScoreReport { score, bound: ScoreBound::Exact }
    }
}

impl ScoreReport {
    /// Reads what stands after `score`: a value and perhaps a bound, in either order. Takes
    /// nothing when there is no value.
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
            UciScore::Centipawns(worth) => write_number(f, "cp ", Some(*worth)),
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
    fn scores_of_every_dialect() {
        assert_eq!(read("cp -35"), Some(UciScore::Centipawns(-35).into()));
        assert_eq!(read("mate -0"), Some(UciScore::Mate(0).into()));
        assert_eq!(read("mate +3"), Some(UciScore::Mate(3).into()));
        assert_eq!(read("cp 99999999999"), Some(UciScore::Centipawns(i32::MAX).into()));
        let lower = ScoreReport { score: UciScore::Centipawns(7), bound: ScoreBound::Lower };
        assert_eq!(read("cp 7 lowerbound"), Some(lower));
        assert_eq!(read("lowerbound cp 7"), Some(lower));
    }

    #[test]
    fn what_is_no_score_is_left_alone() {
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
