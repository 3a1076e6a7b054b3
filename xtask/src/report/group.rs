//! The questions that matches answer.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// What a match belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Group {
    /// The cuckoo tables, on against off
    UpcomingRepetition,
    /// The no-progress rule
    NoProgress,
    /// The policies for draws that depend on the path
    PathDependence,
    /// Tuned numbers against the old ones
    Tuning,
    /// Networks against each other and against the terms by hand
    Versions,
    /// Other engines
    Opponents,
    /// More threads against fewer, and the ways to share a search
    Threads,
}

impl Group {
    pub(crate) fn title(self) -> &'static str {
        match self {
            Group::UpcomingRepetition => "Upcoming repetition",
            Group::NoProgress => "No progress",
            Group::PathDependence => "Path dependence",
            Group::Tuning => "Tuning",
            Group::Versions => "Strength by network",
            Group::Opponents => "Strength by opponent",
            Group::Threads => "Threads",
        }
    }

    /// What is asked, in a sentence or two.
    pub(crate) fn question(self) -> &'static str {
        match self {
            Group::UpcomingRepetition => {
                "What is it worth that the search sees a ply before which move would bring an \
                 earlier position back? On against off."
            }
            Group::NoProgress => {
                "Is a side that the opponent has let come back to where one move would have led \
                 worth a draw at least? The rule on, and on with its dependence on the path \
                 tracked, against off."
            }
            Group::PathDependence => {
                "A draw by repetition depends on the way there, and the shared table knows only \
                 positions. Each policy of what to believe against plain trust."
            }
            Group::Tuning => {
                "Numbers of the search, moved by SPSA in games of the engine against itself; what \
                 came out is then tested against what was."
            }
            Group::Versions => {
                "Each network in the same search, against others and against the \
                 evaluation by hand."
            }
            Group::Opponents => "Games against other engines by the clock.",
            Group::Threads => "What more threads bring, and the ways in which they share a search.",
        }
    }
}
