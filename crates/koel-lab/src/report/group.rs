//! The groups of matches, one section of the report each.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// The subject of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Group {
    /// Upcoming-repetition detection, on against off
    UpcomingRepetition,
    /// The no-progress rule
    NoProgress,
    /// The policies for path-dependent draws
    PathDependence,
    /// Tuned parameters against the old ones
    Tuning,
    /// Networks against each other and against the hand-crafted evaluation
    Versions,
    /// Other engines
    Opponents,
}

impl Group {
    /// The title of the section.
    pub(crate) fn title(self) -> &'static str {
        self.texts().0
    }

    /// The title of the section, and its introduction in a sentence or two.
    pub(crate) fn texts(self) -> (&'static str, &'static str) {
        match self {
            Group::UpcomingRepetition => (
                "Upcoming repetition",
                "The search scores a position as at least a draw if a move can bring an earlier \
                 position back. On against off.",
            ),
            Group::NoProgress => (
                "No progress",
                "The rule grants a draw at least to a side that reached, in several moves, a \
                 position that was one move away from an earlier one. The rule on, and on with \
                 tracked path dependence, against off.",
            ),
            Group::PathDependence => (
                "Path dependence",
                "A draw by repetition depends on the path, but the transposition table stores \
                 positions. Each policy on which scores of the table are trusted, against \
                 trusting them all.",
            ),
            Group::Tuning => (
                "Tuning",
                "Parameters of the search, tuned by SPSA in self-play games and then tested \
                 against the old values.",
            ),
            Group::Versions => (
                "Strength by network",
                "Each network in the same search, against others and against the hand-crafted \
                 evaluation.",
            ),
            Group::Opponents => {
                ("Strength by opponent", "Games against other engines with a time control.")
            }
        }
    }
}
