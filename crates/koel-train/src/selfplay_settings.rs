//! The settings that determine the games of a run, and the record of a run.

use anyhow::Result;
use clap::Parser;
use koel_eval::BUILT_IN;
use serde::{Deserialize, Serialize};

use crate::number_arguments::{share, shares};
use crate::phase_values::PhaseValues;

/// The settings of a run, most of them arguments of a command line. Two runs with the same settings
/// give the same bytes.
#[derive(Clone, PartialEq, Debug, Parser, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SelfplaySettings {
    /// The seed of the run.
    #[arg(skip = 1_u64)]
    pub(crate) run: u64,
    /// The commit that plays the games; it documents the run and changes nothing.
    #[arg(skip = "unknown".to_owned())]
    pub(crate) commit: String,
    /// The evaluation: `material` (with piece-square tables), or the name of a network of --nets
    #[arg(long, default_value = BUILT_IN)]
    pub(crate) evaluation: String,
    /// The hash of the network's file. Material has none, nor have runs of earlier versions.
    #[arg(skip)]
    pub(crate) evaluation_sha256: Option<String>,
    /// Soft node limit of a full search, whose score is kept: no iteration begins after this many
    /// nodes; three limits with commas are those with more than 24 pieces, 17 to 24, and fewer
    #[arg(long, default_value_t = PhaseValues::Uniform(250))]
    pub(crate) soft_nodes: PhaseValues<u64>,
    /// The hard node limit of a full search; on the command line 20 times the soft one by default.
    #[arg(skip = PhaseValues::Uniform(5_000_u64))]
    pub(crate) hard_nodes: PhaseValues<u64>,
    /// Probability of a full search, from 0 to 1, likewise one or three; the other moves are chosen
    /// by a fast search, and their positions have no score
    #[arg(long, default_value_t = PhaseValues::Uniform(0.4), value_parser = shares)]
    pub(crate) full_search_share: PhaseValues<f64>,
    /// Soft node limit of a fast search; its hard limit is 20 times that
    #[arg(long, default_value_t = 60)]
    pub(crate) fast_soft_nodes: u64,
    /// The share of full searches for which a position of the tree was scored too, in runs of
    /// earlier versions; no run of this one has any.
    #[arg(skip)]
    #[serde(default)]
    pub(crate) tree_position_share: f64,
    /// Factor for all node limits with at most 12 pieces on the board
    #[arg(long, default_value_t = 2)]
    pub(crate) endgame_factor: u64,
    /// Share of games whose opening is two to four good moves, from 0 to 1
    #[arg(long = "natural-openings", default_value_t = 1.0 / 3.0, value_parser = share)]
    pub(crate) natural_opening_share: f64,
    /// Share of games whose opening is six or seven random moves; the rest has eight or nine
    #[arg(long = "short-openings", default_value_t = 1.0 / 3.0, value_parser = share)]
    pub(crate) short_opening_share: f64,
    /// Size of the transposition table of each thread, in MiB; it is cleared before each game, so a
    /// small one is faster
    #[arg(long = "hash", default_value_t = 1)]
    pub(crate) hash_mebibytes: usize,
    /// Share of games that begin from a Chess960 position, from 0 to 1
    #[arg(long = "chess960", default_value_t = 0.1, value_parser = share)]
    pub(crate) chess960_share: f64,
    /// Largest absolute score of an opening, in centipawns
    #[arg(long, default_value_t = 200)]
    pub(crate) opening_score_bound: i32,
    /// Soft node limit of the search that scores an opening
    #[arg(long, default_value_t = 200)]
    pub(crate) opening_nodes: u64,
    /// Share of games with the wider opening bound, from 0 to 1
    #[arg(long, default_value_t = 0.2, value_parser = share)]
    pub(crate) wide_opening_share: f64,
    /// The wider opening bound, in centipawns
    #[arg(long, default_value_t = 600)]
    pub(crate) wide_opening_score_bound: i32,
    /// End a game when one side is ahead by this many centipawns for four plies
    #[arg(long, default_value_t = 800)]
    pub(crate) win_score: i32,
}

impl Default for SelfplaySettings {
    /// The defaults of the arguments.
    fn default() -> SelfplaySettings {
        SelfplaySettings::parse_from([""])
    }
}

impl SelfplaySettings {
    /// Returns the first field of another run's settings that differs, with both values. A field
    /// that those do not have yet is not compared.
    ///
    /// # Errors
    /// The settings cannot be written as TOML.
    pub(crate) fn difference_from(&self, found: &SelfplaySettings) -> Result<Option<String>> {
        let (wanted, found) = (toml::to_string(self)?, toml::to_string(found)?);
        let different = found.lines().find(|field| !wanted.lines().any(|line| line == *field));
        Ok(different.map(|field| {
            let name = field.split_inclusive(" = ").next().unwrap_or(field);
            let wanted = wanted.lines().find_map(|line| line.strip_prefix(name));
            format!("{field}, not {}", wanted.unwrap_or("none"))
        }))
    }
}

#[cfg(test)]
impl SelfplaySettings {
    /// The settings of quick games by material, for tests.
    pub(crate) fn quick() -> SelfplaySettings {
        SelfplaySettings {
            evaluation: crate::load_evaluation::MATERIAL.to_owned(),
            soft_nodes: PhaseValues::Uniform(20),
            opening_nodes: 50,
            ..SelfplaySettings::default()
        }
    }
}

/// A run of self-play whose games belong to the data of a network.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SelfplayRun {
    /// The number of games taken, from the first.
    pub(crate) games: u32,
    /// The hash of the bytes of these games.
    pub(crate) sha256: String,
    /// The settings of the run.
    pub(crate) settings: SelfplaySettings,
}
