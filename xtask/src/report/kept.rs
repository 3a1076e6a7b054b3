//! What is kept of a match: its counts, and how they grew.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use koel_arena::statistics::{Decision, Pentanomial, ResultCounts, Sprt, Strength};
use koel_arena::{GameId, MatchScore, MatchState};
use serde::{Deserialize, Serialize};

use super::group::Group;

/// At most so many points of a curve are kept.
const MOST_SAMPLES: u64 = 120;

/// What the state of a match does not say.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Story {
    /// The question that the match belongs to
    #[arg(long, value_enum, requires = "keep")]
    group: Option<Group>,
    /// What was held against what, short enough for a row of a plot
    #[arg(long, requires = "keep")]
    title: Option<String>,
    /// Under which heading it stands among the matches of its group, such as the kind of openings
    #[arg(long, requires = "keep")]
    heading: Option<String>,
    /// The first engine, by a name that tells more than the program's
    #[arg(long, requires = "keep")]
    first: Option<String>,
    /// The second engine
    #[arg(long, requires = "keep")]
    second: Option<String>,
    /// The set of openings
    #[arg(long, requires = "keep", default_value = "normal")]
    openings: String,
    /// The command that plays it
    #[arg(long, requires = "keep")]
    command: Option<String>,
    /// The commit that played
    #[arg(long, requires = "keep")]
    commit: Option<String>,
    /// How long it took by the clock
    #[arg(long, requires = "keep")]
    seconds: Option<u64>,
    /// What else must be known to judge it
    #[arg(long, requires = "keep")]
    note: Option<String>,
}

/// A match, condensed. Results are those of the first engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Kept {
    pub(crate) title: String,
    pub(crate) group: Group,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) heading: Option<String>,
    pub(crate) first: String,
    pub(crate) second: String,
    /// What a move, or a game, may take.
    pub(crate) limits: String,
    pub(crate) openings: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) seed: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) command: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) commit: Option<String>,
    /// By the clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) seconds: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sprt: Option<Sprt>,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    /// Not known of matches of which only the games were written down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) pentanomial: Option<Pentanomial>,
    /// The pentanomial after more and more pairs, in the order of their openings; the last is that
    /// of all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) samples: Vec<Pentanomial>,
}

impl Kept {
    /// Condenses the state of a match.
    pub(crate) fn of(state: &MatchState, story: &Story) -> Result<Kept> {
        let term = |name: &str| state.settings.get(name).map(String::as_str).unwrap_or_default();
        let [first, second] = [term("first limits"), term("second limits")];
        let standing = MatchScore::of(state.games.iter().map(|(&id, record)| (id, record)));
        ensure!(standing.pairs.total() > 0, "no pair of games is over");
        let [losses, draws, wins] = standing.games.0;
        Ok(Kept {
            title: story.title.clone().context("what was held against what? --title")?,
            group: story.group.context("which question does it belong to? --group")?,
            heading: story.heading.clone(),
            first: story.first.clone().unwrap_or_else(|| term("first engine").to_owned()),
            second: story.second.clone().unwrap_or_else(|| term("second engine").to_owned()),
            limits: match first == second {
                true => first.to_owned(),
                false => format!("{first} against {second}"),
            },
            openings: match term("openings") {
                "" => story.openings.clone(),
                count => format!("{} ({count})", story.openings),
            },
            seed: term("seed").parse().ok(),
            command: story.command.clone(),
            commit: story.commit.clone(),
            seconds: story.seconds,
            note: story.note.clone(),
            sprt: state.sprt()?,
            wins,
            draws,
            losses,
            pentanomial: Some(standing.pairs),
            samples: samples(state, standing.pairs.total()),
        })
    }

    /// What the games say; what the pairs say where they are known.
    pub(crate) fn strength(&self) -> Strength {
        match self.pentanomial {
            Some(pairs) => pairs.strength(),
            None => ResultCounts([self.losses, self.draws, self.wins]).strength(),
        }
    }

    pub(crate) fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// How its test stands, if it is one: the ratio and what is accepted.
    pub(crate) fn test(&self) -> Option<(f64, &'static str)> {
        let (sprt, pairs) = (self.sprt?, self.pentanomial?);
        let verdict = match sprt.decide(&pairs) {
            Decision::Open => "undecided",
            Decision::AcceptElo0 => "elo0 accepted",
            Decision::AcceptElo1 => "elo1 accepted",
        };
        Some((sprt.llr(&pairs), verdict))
    }

    /// One line, for the terminal.
    pub(crate) fn line(&self) -> String {
        let (elo, samples) = (self.strength().elo, self.samples.len());
        let (wins, losses, draws) = (self.wins, self.losses, self.draws);
        let (value, error) = (elo.value, elo.error);
        format!("+{wins} -{losses} ={draws}, Elo {value:+.1} +/- {error:.1}, {samples} samples")
    }

    /// Writes it into the data.
    pub(crate) fn write(&self, data: &Path, name: &str) -> Result<PathBuf> {
        let folder = data.join("matches");
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        let path = folder.join(name).with_extension("json");
        let text = serde_json::to_string_pretty(self)?;
        // Counts of one sample in one line.
        let text =
            text.replace(",\n      ", ", ").replace("[\n      ", "[").replace("\n    ]", "]");
        fs::write(&path, text + "\n").with_context(|| path.display().to_string())?;
        Ok(path)
    }
}

/// The pentanomial as it grew, in steps of equally many pairs.
fn samples(state: &MatchState, pairs: u64) -> Vec<Pentanomial> {
    let mut samples = Vec::new();
    let mut sum = Pentanomial::default();
    for id in state.games.keys().filter(|id| !id.is_swapped) {
        let [Some(one), Some(other)] = GameId::of_pair(id.pair).map(|id| state.games.get(&id))
        else {
            continue;
        };
        sum.add(one.outcome.halves() + other.outcome.halves());
        let is_due = sum.total() * MOST_SAMPLES / pairs > samples.len() as u64;
        if is_due || pairs <= MOST_SAMPLES {
            samples.push(sum);
        }
    }
    samples
}

#[cfg(test)]
pub(super) mod tests {
    use koel_arena::statistics::EloModel;
    use koel_arena::{Ending, GameOutcome, GameRecord};

    use super::*;

    /// A match of so many pairs, of which the last lacks its second game.
    pub(crate) fn state(pairs: u32, sprt: Option<Sprt>) -> MatchState {
        let mut state = MatchState::default();
        for (name, value) in [("first engine", "A"), ("second engine", "B"), ("seed", "7")] {
            state.settings.insert(name.to_owned(), value.to_owned());
        }
        if let Some(sprt) = sprt {
            state.settings.insert("sprt".to_owned(), serde_json::to_string(&sprt).unwrap());
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
                    pgn_bytes: 0,
                    warnings: Default::default(),
                };
                if !(pair == pairs && id.is_swapped) {
                    state.games.insert(id, record);
                }
            }
        }
        state
    }

    pub(crate) fn story(group: Group, title: &str) -> Story {
        let openings = "normal".to_owned();
        Story { group: Some(group), title: Some(title.to_owned()), openings, ..Story::default() }
    }

    #[test]
    fn the_counts_of_a_match_survive() {
        let sprt = Sprt { alpha: 0.1, model: EloModel::Logistic, ..Sprt::new(-1.5, 5.0) };
        for (pairs, sprt) in [(2, None), (100, Some(sprt)), (121, None), (1001, Some(sprt))] {
            let state = state(pairs, sprt);
            let kept = Kept::of(&state, &story(Group::Tuning, "tuned")).unwrap();
            let standing = MatchScore::of(state.games.iter().map(|(&id, record)| (id, record)));
            assert_eq!([kept.losses, kept.draws, kept.wins], standing.games.0);
            assert_eq!(kept.pentanomial, Some(standing.pairs));
            assert_eq!(standing.pairs.total(), u64::from(pairs) - 1);
            assert_eq!((kept.sprt, kept.seed), (sprt, Some(7)));
            assert_eq!(kept.samples.last(), Some(&standing.pairs));
            assert_eq!(kept.samples.len() as u64, standing.pairs.total().min(MOST_SAMPLES));
            let totals: Vec<u64> = kept.samples.iter().map(ResultCounts::total).collect();
            assert!(totals.is_sorted_by(|a, b| a < b), "{totals:?}");
            let text = serde_json::to_string(&kept).unwrap();
            assert_eq!(serde_json::from_str::<Kept>(&text).unwrap(), kept);
        }
    }

    #[test]
    fn what_is_no_match_is_refused() {
        assert!(Kept::of(&MatchState::default(), &story(Group::Tuning, "none")).is_err());
        assert!(Kept::of(&state(5, None), &Story::default()).is_err());
    }
}
