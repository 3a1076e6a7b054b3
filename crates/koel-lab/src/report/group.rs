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
    /// More threads against fewer, and the SMP modes
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

    /// The introduction of the section, in a sentence or two.
    pub(crate) fn introduction(self) -> &'static str {
        match self {
            Group::UpcomingRepetition => {
                "The search scores a position as at least a draw if a move can bring an earlier \
                 position back. On against off."
            }
            Group::NoProgress => {
                "The rule grants a draw at least to a side that reached, in several moves, a \
                 position that was one move away from an earlier one. The rule on, and on with \
                 tracked path dependence, against off."
            }
            Group::PathDependence => {
                "A draw by repetition depends on the path, but the transposition table stores \
                 positions. Each policy on which scores of the table are trusted, against \
                 trusting them all."
            }
            Group::Tuning => {
                "Parameters of the search, tuned by SPSA in self-play games and then tested \
                 against the old values."
            }
            Group::Versions => {
                "Each network in the same search, against others and against the hand-crafted \
                 evaluation."
            }
            Group::Opponents => "Games against other engines with a time control.",
            Group::Threads => "More threads against fewer, and the SMP modes against each other.",
        }
    }
}
