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
use crate::opening::{Opening, opening_order};
use crate::record::GameId;
use crate::statistics::Sprt;
use crate::tablebase::TablebaseAdjudicator;

/// The name of the setting by which the settings of a match are recognised: every match has it.
pub(crate) const PAIRINGS: &str = "pairings";

/// An engine of a match, with its limits.
#[derive(Clone, Debug)]
pub struct MatchEngine {
    /// The program of the engine and its options.
    pub spec: EngineSpec,
    /// Time, nodes or depth for its moves.
    pub limits: MoveLimits,
}

impl MatchEngine {
    /// Returns true if the engine always plays the same move in the same game, and one core is
    /// enough for it: there is no clock, and the engine has one thread and does not ponder.
    pub fn is_deterministic(&self) -> bool {
        self.limits.are_deterministic() && !self.spec.ponders && self.spec.threads() == "1"
    }
}

/// The configuration of a match between two engines, or of a tournament of more. [`Match::new`]
/// gives every field but the first and the openings a default; [`Match::run`] plays the match.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Match {
    /// The engines, two or more with different names.
    pub engines: Vec<MatchEngine>,
    /// Who plays whom, by the indices of the engines; scores are from the side of the first. The
    /// pairs of games are dealt to the pairings in turn. Default: everyone plays everyone else.
    pub pairings: Vec<[usize; 2]>,
    /// The openings, each played twice with colours swapped.
    pub openings: Vec<Opening>,
    /// The `Event` tag of the PGN. Default: the names of the engines.
    pub event: String,
    /// Seed of the order of the openings. Default: 1.
    pub seed: u64,
    /// True if the openings are played in the order of the file. Default: false.
    pub is_sequential: bool,
    /// Number of openings passed over at the start of the order. Default: 0.
    pub skipped_openings: u32,
    /// Greatest number of game pairs of all pairings together. Default: one for each opening and
    /// pairing.
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
    /// True if a cancelled match plays the games in progress to their end. Default: false.
    pub stops_after_current: bool,
    /// True if the comments of the PGN have nodes, speed, time left and PV. Default: false.
    pub has_details: bool,
    /// The JSON file that holds the state of the match, from which it is resumed. Default: none.
    pub state: Option<PathBuf>,
    /// The PGN file of the games. Default: none.
    pub pgn: Option<PathBuf>,
    /// Further settings that must be equal for a match to be resumed, such as hashes of the
    /// programs.
    pub settings: BTreeMap<String, String>,
}

impl Match {
    /// Returns a match with the defaults named at the fields.
    pub fn new(engines: impl Into<Vec<MatchEngine>>, openings: Vec<Opening>) -> Match {
        let engines = engines.into();
        let names: Vec<_> = engines.iter().map(|engine| engine.spec.name.as_str()).collect();
        let of_first = |first| (first + 1..names.len()).map(move |second| [first, second]);
        let pairings: Vec<_> = (0..names.len()).flat_map(of_first).collect();
        Match {
            event: names.join(" vs "),
            pairs: u32::try_from(openings.len() * pairings.len()).unwrap_or(u32::MAX),
            engines,
            pairings,
            openings,
            seed: 1,
            is_sequential: false,
            skipped_openings: 0,
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
            stops_after_current: false,
            has_details: false,
            state: None,
            pgn: None,
            settings: BTreeMap::new(),
        }
    }

    /// Returns all settings, by name, that must be equal for a match to be resumed.
    pub fn all_settings(&self) -> BTreeMap<String, String> {
        let mut settings = self.settings.clone();
        let mut set = |name: &str, value: String| drop(settings.insert(name.to_owned(), value));
        for (index, MatchEngine { spec, limits }) in self.engines.iter().enumerate() {
            let name = place(index);
            let options = spec.preferred_options.iter().chain(&spec.options);
            let options: Vec<_> = options.map(|(name, value)| format!("{name}={value}")).collect();
            set(&format!("{name} engine"), spec.name.clone());
            set(&format!("{name} arguments"), spec.arguments.join(" "));
            set(&format!("{name} options"), options.join(" "));
            set(&format!("{name} limits"), limits.to_string());
            let surroundings = (&spec.folder, &spec.environment);
            set(&format!("{name} folder and environment"), json(&surroundings));
        }
        let order = if self.is_sequential { "sequential" } else { "random" };
        set(PAIRINGS, json(&self.pairings));
        set("openings", describe_openings(&self.openings));
        set("seed", self.seed.to_string());
        set("order", format!("{order} behind {}", self.skipped_openings));
        set("adjudication", json(&self.adjudication));
        set("margin", format!("{} ms", self.margin.as_millis()));
        set("timeouts", format!("{:?}", self.timeouts));
        set("every PV checked", self.is_strict.to_string());
        set("sprt", json(&self.sprt));
        set("variant", format!("{:?}", self.mode));
        let tables = self.tablebases.as_ref().map(|tables| tables.description());
        set("tablebases", tables.unwrap_or_default());
        settings
    }

    /// Returns the openings in the order in which they are played, again and again.
    pub fn openings_in_order(&self) -> impl Iterator<Item = &Opening> {
        let order = match self.is_sequential {
            true => (0..self.openings.len()).collect(),
            false => opening_order(self.openings.len(), self.seed),
        };
        let openings = order.into_iter().map(|index| &self.openings[index]);
        openings.cycle().skip(self.skipped_openings as usize)
    }

    /// Returns true if all engines have the same limits and are deterministic: then only a change
    /// of the engine's play makes a difference.
    pub fn is_deterministic(&self) -> bool {
        let has_equal_limits = self.engines.windows(2).all(|two| two[0].limits == two[1].limits);
        has_equal_limits && self.engines.iter().all(MatchEngine::is_deterministic)
    }

    /// Returns the index of the pairing that a pair of games belongs to, and the number of its
    /// opening in their order: every pairing has the same openings.
    pub(crate) fn pairing_and_opening(&self, pair: u32) -> (usize, usize) {
        let (number, pairings) = (pair.saturating_sub(1) as usize, self.pairings.len().max(1));
        (number % pairings, number / pairings)
    }

    pub(crate) fn name(&self, index: usize) -> &str {
        &self.engines[index].spec.name
    }

    /// Returns the indices of White and Black.
    pub(crate) fn players(&self, id: GameId) -> [usize; 2] {
        let [first, second] = self.pairings[self.pairing_and_opening(id.pair).0];
        if id.is_swapped { [second, first] } else { [first, second] }
    }
}

/// Describes openings by their number and a hash of their text as they are played.
pub(crate) fn describe_openings(openings: &[Opening]) -> String {
    let text: String = openings.iter().map(|opening| format!("{}\n", opening.setup())).collect();
    format!("{} {:016x}", openings.len(), fnv1a(text.as_bytes()))
}

/// The name of an engine in the settings of a match.
pub(crate) fn place(index: usize) -> String {
    format!("engine {}", index + 1)
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
