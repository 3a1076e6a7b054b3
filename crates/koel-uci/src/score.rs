//! How an engine says what a position is worth.

use std::fmt;

use crate::number::number;
use crate::print::write_number;
use crate::tokens::Tokens;

/// The worth of a position to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Score {
    /// In hundredths of a pawn.
    Centipawns(i32),
    /// A mate in so many moves (not plies); negative when the side to move is mated, and 0 when it
    /// has been already.
    Mate(i32),
}

/// Whether a score is the score or only a limit to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Bound {
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
    pub score: Score,
    /// Whether it is exact.
    pub bound: Bound,
}

/// The chances of the side to move, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wdl {
    /// To win.
    pub win: u32,
    /// To draw.
    pub draw: u32,
    /// To lose.
    pub loss: u32,
}

impl From<Score> for ScoreReport {
    fn from(score: Score) -> ScoreReport {
        ScoreReport { score, bound: Bound::Exact }
    }
}

impl ScoreReport {
    /// Reads what stands after `score`: a value and perhaps a bound, in either order. Takes
    /// nothing when there is no value.
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
            Score::Centipawns(worth) => write_number(f, "cp ", Some(*worth)),
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
    fn scores_of_every_dialect() {
        assert_eq!(read("cp -35"), Some(Score::Centipawns(-35).into()));
        assert_eq!(read("mate -0"), Some(Score::Mate(0).into()));
        assert_eq!(read("mate +3"), Some(Score::Mate(3).into()));
        assert_eq!(read("cp 99999999999"), Some(Score::Centipawns(i32::MAX).into()));
        let lower = ScoreReport { score: Score::Centipawns(7), bound: Bound::Lower };
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
        assert_eq!(Wdl::read(&mut tokens), None);
        assert_eq!(tokens.text(), "1 2 nodes");
    }
}
