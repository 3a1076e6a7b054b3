//! What was found, as JSON and as a table of `docs/search.md`.

use anyhow::{Context, Result};
use koel_arena::MatchScore;
use koel_arena::statistics::ResultCounts;
use serde::{Deserialize, Serialize};
use xshell::Shell;

use super::cost::Cost;
use super::switches::Switch;
use super::table;

const DATA: &str = "docs/data/ablation.json";
const PAGE: &str = "docs/search.md";

/// All that is known of the ideas of one build.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Results {
    /// What was checked out when the latest of this was found.
    pub(crate) commit: String,
    /// The nodes of the bench, all ideas as in usual builds.
    pub(crate) bench: u64,
    /// The terms of the games.
    pub(crate) terms: String,
    pub(crate) rows: Vec<Row>,
}

/// What is known of one idea.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) feature: String,
    /// Whether usual builds have it.
    pub(crate) default: bool,
    #[serde(flatten)]
    pub(crate) score: Option<Score>,
    #[serde(flatten)]
    pub(crate) cost: Option<Cost>,
}

/// Games of the side with the idea against the side without it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Score {
    pub(crate) games: u64,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    pub(crate) pentanomial: [u64; 5],
    /// With half of its 95 % interval.
    pub(crate) elo: f64,
    pub(crate) error: f64,
}

impl Score {
    pub(crate) fn of(standing: &MatchScore) -> Score {
        let [losses, draws, wins] = standing.games.0;
        let ResultCounts(pentanomial) = standing.pairs;
        let elo = standing.pairs.strength().elo;
        let games = standing.games.total();
        let [elo, error] = [elo.value, elo.error].map(|figure| (figure * 100.0).round() / 100.0);
        Score { games, wins, draws, losses, pentanomial, elo, error }
    }

    /// Whether zero lies outside the interval.
    pub(crate) fn is_resolved(&self) -> bool {
        self.elo.abs() > self.error
    }

    /// How far zero lies outside, or inside, in errors.
    fn clearness(&self) -> f64 {
        self.elo.abs() / self.error.max(f64::MIN_POSITIVE)
    }
}

impl Results {
    /// What the repository knows, if it is of the same build and terms; otherwise nothing.
    pub(crate) fn open(shell: &Shell, bench: u64, commit: &str, terms: &str) -> Result<Results> {
        let fresh =
            Results { bench, commit: commit.to_owned(), terms: terms.to_owned(), rows: Vec::new() };
        if !shell.path_exists(DATA) {
            return Ok(fresh);
        }
        let known: Results = serde_json::from_str(&shell.read_file(DATA)?).context(DATA)?;
        if (known.bench, known.terms.as_str()) != (bench, terms) {
            println!("{DATA} is of another build or of other terms and begins anew");
            return Ok(fresh);
        }
        Ok(Results { rows: known.rows, ..fresh })
    }

    fn row(&mut self, switch: &Switch) -> &mut Row {
        let at = self.rows.iter().position(|row| row.feature == switch.feature);
        let at = at.unwrap_or_else(|| {
            let (feature, default) = (switch.feature.clone(), switch.is_on);
            self.rows.push(Row { feature, default, score: None, cost: None });
            self.rows.len() - 1
        });
        &mut self.rows[at]
    }

    pub(crate) fn set_score(&mut self, switch: &Switch, score: Score) {
        self.row(switch).score = Some(score);
    }

    pub(crate) fn set_cost(&mut self, switch: &Switch, cost: Cost) {
        self.row(switch).cost = Some(cost);
    }

    /// Of these, those whose interval leaves most open whether they help.
    pub(crate) fn least_clear(&self, of: &[Switch], count: usize) -> Vec<String> {
        let is_asked = |row: &&Row| of.iter().any(|switch| switch.feature == row.feature);
        let mut open: Vec<_> = self
            .rows
            .iter()
            .filter(is_asked)
            .filter_map(|row| Some((row.score.as_ref()?.clearness(), row.feature.clone())))
            .collect();
        open.sort_by(|one, other| one.0.total_cmp(&other.0));
        open.into_iter().take(count).map(|(_, feature)| feature).collect()
    }

    /// Writes the data and the table.
    pub(crate) fn write(&self, shell: &Shell) -> Result<()> {
        shell.write_file(DATA, serde_json::to_string_pretty(self)? + "\n")?;
        let page = shell.read_file(PAGE)?;
        shell.write_file(PAGE, table::replace(&page, self)?)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn switch(feature: &str) -> Switch {
        Switch { feature: feature.to_owned(), is_on: true }
    }

    fn score(elo: f64, error: f64) -> Score {
        let standing = MatchScore::default();
        Score { elo, error, ..Score::of(&standing) }
    }

    #[test]
    fn rows_are_found_again_and_least_clear_first() {
        let mut results = Results::default();
        for (name, elo, error) in [("a", 50.0, 10.0), ("b", -3.0, 10.0), ("c", 8.0, 10.0)] {
            results.set_score(&switch(name), score(elo, error));
        }
        results.set_cost(&switch("b"), Cost { depth: 9, node_ratio: 1.5, time_ratio: 1.4 });
        results.set_score(&switch("d"), score(0.1, 10.0));
        assert_eq!(results.rows.len(), 4);
        let asked = ["a", "b", "c"].map(switch);
        assert_eq!(results.least_clear(&asked, 2), ["b", "c"]);
    }

    #[test]
    fn json_is_read_back() {
        let mut results = Results { bench: 5, ..Results::default() };
        results.set_score(&switch("a"), score(50.0, 10.0));
        results.set_cost(&switch("b"), Cost { depth: 9, node_ratio: 1.5, time_ratio: 1.4 });
        let text = serde_json::to_string(&results).unwrap();
        assert_eq!(serde_json::from_str::<Results>(&text).unwrap(), results);
    }
}
