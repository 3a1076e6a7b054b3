//! The configuration of a match.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use koel_random::fnv1a;
use serde::Serialize;
use shakmaty::CastlingMode;

use crate::adjudication::Adjudication;
use crate::engine::{EngineSpec, Timeouts};
use crate::move_limits::MoveLimits;
use crate::opening::Opening;
use crate::statistics::Sprt;
use crate::tablebase::TablebaseAdjudicator;

/// One of the two engines of a match, with its limits.
#[derive(Clone, Debug)]
pub struct Contender {
    /// The program of the engine and its options.
    pub spec: EngineSpec,
    /// Time, nodes or depth for its moves.
    pub limits: MoveLimits,
}

impl Contender {
    /// Returns true if the engine always plays the same move in the same game, and one core is enough
    /// for it: there is no clock, and the engine has one thread.
    pub fn is_deterministic(&self) -> bool {
        self.limits.are_deterministic() && self.spec.threads() == "1"
    }
}

/// The configuration of a match between two engines. [`Match::new`] gives every field but the first
/// two a default; [`Match::run`] plays the match.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Match {
    /// The two engines. All scores are from the side of the first.
    pub contenders: [Contender; 2],
    /// The openings, each played twice with colours swapped.
    pub openings: Vec<Opening>,
    /// The `Event` tag of the PGN. Default: the names of the engines.
    pub event: String,
    /// Seed of the order of the openings. Default: 1.
    pub seed: u64,
    /// Greatest number of game pairs. Default: one pair for each opening.
    pub pairs: u32,
    /// Number of games played at the same time. Default: 1.
    pub concurrency: usize,
    /// True if each game stays on one core with its engines, which are then started without
    /// address space layout randomisation. Only for engines with one thread that do not ponder.
    /// Without effect on systems other than Linux. Default: false.
    pub is_pinned: bool,
    /// The sequential test that ends the match when it is decided. Default: none.
    pub sprt: Option<Sprt>,
    /// Number of pairs after which the match ends if both games of every pair had the same moves.
    /// Default: none.
    pub identical_pairs: Option<u64>,
    /// The rules by which games end early. Default: [`Adjudication::default`].
    pub adjudication: Adjudication,
    /// Endgame tablebases that end games with few pieces. Default: none.
    pub tablebases: Option<Arc<TablebaseAdjudicator>>,
    /// Time by which a clock may be overdrawn without a loss. Default: 10 ms.
    pub margin: Duration,
    /// Timeouts of the engines beside the clock.
    pub timeouts: Timeouts,
    /// Standard chess or Chess960. Default: standard.
    pub mode: CastlingMode,
    /// True if every PV of every search is checked, not only the last one. Default: false.
    pub is_strict: bool,
    /// The JSON file that holds the state of the match, from which it is resumed. Default: none.
    pub state: Option<PathBuf>,
    /// The PGN file of the games. Default: none.
    pub pgn: Option<PathBuf>,
    /// Further settings that must be equal for a match to be resumed, such as hashes of the
    /// programs.
    pub settings: BTreeMap<String, String>,
}

impl Match {
    /// Returns a match of one pair for each opening, with the defaults named at the fields.
    pub fn new(contenders: [Contender; 2], openings: Vec<Opening>) -> Match {
        Match {
            event: format!("{} vs {}", contenders[0].spec.name, contenders[1].spec.name),
            pairs: u32::try_from(openings.len()).unwrap_or(u32::MAX),
            contenders,
            openings,
            seed: 1,
            concurrency: 1,
            is_pinned: false,
            sprt: None,
            identical_pairs: None,
            adjudication: Adjudication::default(),
            tablebases: None,
            margin: Duration::from_millis(10),
            timeouts: Timeouts::default(),
            mode: CastlingMode::Standard,
            is_strict: false,
            state: None,
            pgn: None,
            settings: BTreeMap::new(),
        }
    }

    /// Returns all settings, by name, that must be equal for a match to be resumed.
    pub fn all_settings(&self) -> BTreeMap<String, String> {
        let mut settings = self.settings.clone();
        for (name, contender) in ["first", "second"].iter().zip(&self.contenders) {
            let spec = &contender.spec;
            settings.insert(format!("{name} engine"), spec.name.clone());
            settings.insert(format!("{name} arguments"), spec.arguments.join(" "));
            let options = spec.preferred_options.iter().chain(&spec.options);
            let options: Vec<_> = options.map(|(name, value)| format!("{name}={value}")).collect();
            settings.insert(format!("{name} options"), options.join(" "));
            settings.insert(format!("{name} limits"), contender.limits.to_string());
        }
        settings.insert("openings".into(), self.describe_openings());
        settings.insert("seed".into(), self.seed.to_string());
        settings.insert("adjudication".into(), json(&self.adjudication));
        settings.insert("margin".into(), format!("{} ms", self.margin.as_millis()));
        settings.insert("timeouts".into(), format!("{:?}", self.timeouts));
        settings.insert("every PV checked".into(), self.is_strict.to_string());
        if let Some(sprt) = &self.sprt {
            settings.insert("sprt".into(), json(sprt));
        }
        let is_standard = self.mode == CastlingMode::Standard;
        settings.insert("variant".into(), if is_standard { "standard" } else { "Chess960" }.into());
        if let Some(tables) = &self.tablebases {
            settings.insert("tablebases".into(), tables.description());
        }
        settings
    }

    /// Describes the openings by their number and a hash of their text as they are played.
    fn describe_openings(&self) -> String {
        let text: String =
            self.openings.iter().map(|opening| format!("{}\n", opening.setup())).collect();
        format!("{} {:016x}", self.openings.len(), fnv1a(text.as_bytes()))
    }

    /// Returns true if both engines have the same limits and are deterministic: then only a change of
    /// the engine's play makes a difference.
    pub fn is_deterministic(&self) -> bool {
        let [first, second] = &self.contenders;
        first.limits == second.limits && self.contenders.iter().all(Contender::is_deterministic)
    }
}

/// Plain numbers and names are always JSON.
pub(crate) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// The reason why a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Conclusion {
    /// All games are played.
    Complete,
    /// The sequential test is decided.
    Decided,
    /// Both engines play the same moves.
    NoChange,
    /// It was cancelled, and can be resumed later.
    Cancelled,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_single_threads_without_a_clock_are_deterministic() {
        let clock = "8+0.08".parse().unwrap();
        let is_deterministic = |limits, options: &[(&str, &str)]| {
            let spec = EngineSpec::new("any", "any");
            let spec =
                options.iter().fold(spec, |spec, &(name, value)| spec.with_option(name, value));
            Contender { spec, limits }.is_deterministic()
        };
        let nodes = MoveLimits::Nodes(1000);
        assert!(is_deterministic(nodes, &[]));
        assert!(is_deterministic(MoveLimits::Depth(3), &[("Threads", "1"), ("Hash", "32")]));
        assert!(!is_deterministic(nodes, &[("Number of Threads", "2")]));
        assert!(!is_deterministic(MoveLimits::Clock(clock), &[]));
    }
}
