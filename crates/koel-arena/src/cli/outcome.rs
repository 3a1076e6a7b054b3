//! The outcome of a command, and the exit status that tells it to a script.

use serde::Serialize;

use crate::match_config::{Conclusion, Match};
use crate::match_score::MatchScore;
use crate::statistics::Decision;

/// The outcome of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Outcome {
    /// All games are played, or all checks passed.
    Complete,
    /// The test accepts `elo1`.
    AcceptedElo1,
    /// The test accepts `elo0`.
    AcceptedElo0,
    /// The test is not decided.
    Undecided,
    /// A game ended by a fault of an engine, or a check failed.
    Fault,
    /// Both engines play the same moves.
    Unchanged,
    /// The user has interrupted it.
    Interrupted,
}

/// The exit statuses, for the help.
pub const EXIT_STATUSES: &str = "\
Exit status:
    0  all games are played; sprt: elo1 is accepted (H1); check: all passed
    1  an error: the command could not be carried out
    2  wrong arguments
    3  sprt: elo0 is accepted (H0)
    4  sprt: undecided
    5  a game ended by a fault of an engine (crash, illegal move, time loss ...), whatever the
       verdict; check: a check failed
    6  sprt: no functional change
  130  interrupted; the same command resumes the match";

impl Outcome {
    /// Returns the outcome of a match.
    pub(super) fn of(config: &Match, conclusion: Conclusion, scores: &[MatchScore]) -> Outcome {
        let decision =
            config.sprt.zip(scores.first()).map(|(test, score)| test.decide(&score.pairs));
        match (conclusion, decision) {
            (Conclusion::Cancelled, _) => Outcome::Interrupted,
            _ if scores.iter().any(|score| score.faults() > 0) => Outcome::Fault,
            (_, None) => Outcome::Complete,
            (Conclusion::NoChange, _) => Outcome::Unchanged,
            (_, Some(decision)) => decision.into(),
        }
    }

    /// The verdict of a test in words.
    pub(super) fn verdict(self) -> &'static str {
        match self {
            Outcome::AcceptedElo0 => "not good enough: elo0 is accepted (H0)",
            Outcome::AcceptedElo1 => "good: elo1 is accepted (H1)",
            _ => "undecided",
        }
    }

    /// The exit status.
    pub fn status(self) -> u8 {
        match self {
            Outcome::Complete | Outcome::AcceptedElo1 => 0,
            Outcome::AcceptedElo0 => 3,
            Outcome::Undecided => 4,
            Outcome::Fault => 5,
            Outcome::Unchanged => 6,
            Outcome::Interrupted => 130,
        }
    }
}

impl From<Decision> for Outcome {
    fn from(decision: Decision) -> Outcome {
        match decision {
            Decision::AcceptElo1 => Outcome::AcceptedElo1,
            Decision::AcceptElo0 => Outcome::AcceptedElo0,
            Decision::Open => Outcome::Undecided,
        }
    }
}
