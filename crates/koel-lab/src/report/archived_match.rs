//! Archived matches: the counts of a match, and the curve of its results.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use koel_arena::statistics::{Decision, Pentanomial, ResultCounts, Sprt, Strength};
use koel_arena::{GameId, MatchScore, MatchState};
use serde::{Deserialize, Serialize};

use super::group::Group;

/// The largest number of points of a curve.
const MAX_SAMPLES: u64 = 120;

/// A condensed match. Results are those of the first engine.
///
/// Its arguments are what the state file of a match does not have.
#[derive(Args, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ArchivedMatch {
    /// The compared versions, in few words for a row of a chart
    #[arg(long)]
    pub(crate) title: String,
    /// The group of the match
    #[arg(long)]
    pub(crate) group: Group,
    /// The heading of the match within its group, such as the kind of openings
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) heading: Option<String>,
    /// The name of the first engine, if not that of the state file
    #[arg(long, default_value = "", hide_default_value = true)]
    pub(crate) first: String,
    /// The name of the second engine
    #[arg(long, default_value = "", hide_default_value = true)]
    pub(crate) second: String,
    /// The time control, or the limits of each move
    #[arg(skip)]
    pub(crate) limits: String,
    /// The set of openings
    #[arg(long, default_value = "normal")]
    pub(crate) openings: String,
    #[arg(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seed: Option<u64>,
    /// The command that repeats the match
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) command: Option<String>,
    /// The commit of the engine
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) commit: Option<String>,
    /// The duration of the match in seconds
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seconds: Option<u64>,
    /// Further remarks
    #[arg(long)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
    #[arg(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sprt: Option<Sprt>,
    #[arg(skip)]
    pub(crate) wins: u64,
    #[arg(skip)]
    pub(crate) draws: u64,
    #[arg(skip)]
    pub(crate) losses: u64,
    /// Unknown for matches of which only the games were stored
    #[arg(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pentanomial: Option<Pentanomial>,
    /// The pentanomial counts after increasing numbers of pairs, in the order of their openings;
    /// the last are those of all pairs
    #[arg(skip)]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) samples: Vec<Pentanomial>,
}

impl ArchivedMatch {
    /// Returns the match with its settings, counts and curve from its state file.
    pub(crate) fn with_games(mut self, state: &MatchState) -> Result<ArchivedMatch> {
        let setting = |name: &str| state.settings.get(name).cloned().unwrap_or_default();
        for (name, key) in [(&mut self.first, "first engine"), (&mut self.second, "second engine")]
        {
            if name.is_empty() {
                *name = setting(key);
            }
        }
        let mut limits = ["first limits", "second limits"].map(setting).to_vec();
        limits.dedup();
        self.limits = limits.join(" against ");
        if let Some(count) = state.settings.get("openings") {
            self.openings += &format!(" ({count})");
        }
        self.seed = setting("seed").parse().ok();
        self.sprt = state.sprt().context("the SPRT of the match")?;
        let score = MatchScore::of(state.games.iter().map(|(&id, record)| (id, record)));
        ensure!(score.pairs.total() > 0, "no pair of games is complete");
        [self.losses, self.draws, self.wins] = score.games.0;
        self.samples = samples(state, score.pairs.total());
        self.pentanomial = Some(score.pairs);
        Ok(self)
    }

    /// Returns the title with the heading.
    pub(crate) fn name(&self) -> String {
        let heading = self.heading.iter().map(|heading| format!(", {heading}"));
        self.title.clone() + &heading.collect::<String>()
    }

    /// Returns the Elo estimate, from pairs if they are known and from single games otherwise.
    pub(crate) fn strength(&self) -> Strength {
        match self.pentanomial {
            Some(pairs) => pairs.strength(),
            None => ResultCounts([self.losses, self.draws, self.wins]).strength(),
        }
    }

    pub(crate) fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the log-likelihood ratio and the result of the test, if the match is one.
    pub(crate) fn test(&self) -> Option<(f64, &'static str)> {
        let (sprt, pairs) = (self.sprt?, self.pentanomial?);
        let verdict = match sprt.decide(&pairs) {
            Decision::Open => "undecided",
            Decision::AcceptElo0 => "elo0 accepted",
            Decision::AcceptElo1 => "elo1 accepted",
        };
        Some((sprt.llr(&pairs), verdict))
    }

    /// Writes the match into the folder of the data.
    pub(crate) fn write(&self, data: &Path, name: &str) -> Result<PathBuf> {
        let folder = data.join("matches");
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        let path = folder.join(name).with_extension("json");
        let text = serde_json::to_string_pretty(self)?;
        // The counts of a sample in one line.
        let text =
            text.replace(",\n      ", ", ").replace("[\n      ", "[").replace("\n    ]", "]");
        fs::write(&path, text + "\n").with_context(|| path.display().to_string())?;
        Ok(path)
    }
}

/// The pentanomial counts after increasing numbers of pairs, in equal steps.
fn samples(state: &MatchState, pairs: u64) -> Vec<Pentanomial> {
    let mut samples = Vec::new();
    let mut sum = Pentanomial::default();
    for id in state.games.keys().filter(|id| !id.is_swapped) {
        let [Some(one), Some(other)] = GameId::of_pair(id.pair).map(|id| state.games.get(&id))
        else {
            continue;
        };
        sum.add(one.outcome.half_points() + other.outcome.half_points());
        let is_due = sum.total() * MAX_SAMPLES / pairs > samples.len() as u64;
        if is_due || pairs <= MAX_SAMPLES {
            samples.push(sum);
        }
    }
    samples
}

#[cfg(test)]
pub(super) mod tests {
    use clap::{Parser, ValueEnum};
    use koel_arena::statistics::EloModel;
    use koel_arena::{Ending, GameOutcome, GameRecord};

    use super::*;

    /// A match with this number of pairs, the last without its second game.
    pub(crate) fn state(pairs: u32, sprt: Option<Sprt>) -> MatchState {
        let mut state = MatchState::default();
        for (name, value) in [("first engine", "A"), ("second engine", "B"), ("seed", "7")] {
            state.settings.insert(name.to_owned(), value.to_owned());
        }
        if let Some(sprt) = sprt {
            let json = serde_json::to_string(&sprt).unwrap();
            state.settings.insert("sprt".to_owned(), json);
        }
        for pair in 1..=pairs {
            for id in GameId::of_pair(pair) {
                let outcome = match (pair * 7 + u32::from(id.is_swapped) * 3) % 5 {
                    0 | 3 => GameOutcome::Win,
                    1 => GameOutcome::Loss,
                    _ => GameOutcome::Draw,
                };
                let (ending, moves_hash) = (Ending::AgreedDraw, u64::from(pair));
                let record = GameRecord {
                    outcome,
                    ending,
                    plies: 9,
                    moves_hash,
                    pgn: None,
                    warnings: Default::default(),
                };
                if !(pair == pairs && id.is_swapped) {
                    state.games.insert(id, record);
                }
            }
        }
        state
    }

    #[derive(Parser)]
    struct CommandLine {
        #[command(flatten)]
        archived: ArchivedMatch,
    }

    /// A match before its games are added.
    pub(crate) fn described(group: Group, title: &str) -> ArchivedMatch {
        let group = group.to_possible_value().unwrap();
        let words = ["keep", "--group", group.get_name(), "--title", title];
        CommandLine::parse_from(words).archived
    }

    #[test]
    fn the_counts_of_a_match_are_archived() {
        let sprt = Sprt { alpha: 0.1, model: EloModel::Logistic, ..Sprt::new(-1.5, 5.0) };
        for (pairs, sprt) in [(2, None), (100, Some(sprt)), (121, None), (1001, Some(sprt))] {
            let state = state(pairs, sprt);
            let archived = described(Group::Tuning, "tuned").with_games(&state).unwrap();
            let score = MatchScore::of(state.games.iter().map(|(&id, record)| (id, record)));
            assert_eq!([archived.losses, archived.draws, archived.wins], score.games.0);
            assert_eq!(archived.pentanomial, Some(score.pairs));
            assert_eq!(score.pairs.total(), u64::from(pairs) - 1);
            assert_eq!((archived.sprt, archived.seed), (sprt, Some(7)));
            assert_eq!(archived.samples.last(), Some(&score.pairs));
            assert_eq!(archived.samples.len() as u64, score.pairs.total().min(MAX_SAMPLES));
            let totals: Vec<u64> = archived.samples.iter().map(ResultCounts::total).collect();
            assert!(totals.is_sorted_by(|a, b| a < b), "{totals:?}");
            let text = serde_json::to_string(&archived).unwrap();
            assert_eq!(serde_json::from_str::<ArchivedMatch>(&text).unwrap(), archived);
        }
    }

    #[test]
    fn an_empty_match_and_an_unreadable_test_are_refused() {
        let of = |state: MatchState| described(Group::Tuning, "none").with_games(&state);
        assert!(of(MatchState::default()).is_err());
        let mut state = state(5, None);
        state.settings.insert("sprt".to_owned(), "Some(Sprt)".to_owned());
        assert!(of(state).is_err());
    }
}
