//! The results of the ablation, stored as JSON.

use anyhow::{Context, Result};
use koel_arena::MatchScore;
use koel_arena::statistics::ResultCounts;
use serde::{Deserialize, Serialize};
use xshell::Shell;

use super::cost::FeatureCost;
use super::switches::Switch;

const DATA: &str = "docs/data/ablation.json";

/// The results of all features of one build.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct AblationResults {
    /// The commit of the latest result.
    pub(crate) commit: String,
    /// The nodes of the bench with all features at their defaults.
    pub(crate) bench: u64,
    /// The limits and openings of the games.
    pub(crate) terms: String,
    pub(crate) rows: Vec<FeatureResult>,
}

/// The results of one feature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FeatureResult {
    pub(crate) feature: String,
    /// True if the feature is on in normal builds.
    pub(crate) default: bool,
    #[serde(flatten)]
    pub(crate) score: Option<GameScore>,
    #[serde(flatten)]
    pub(crate) cost: Option<FeatureCost>,
}

/// Games of the side with the feature against the side without it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct GameScore {
    pub(crate) games: u64,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    pub(crate) pentanomial: [u64; 5],
    pub(crate) elo: f64,
    /// The half-width of the 95 % interval of `elo`.
    pub(crate) error: f64,
}

impl GameScore {
    pub(crate) fn of(score: &MatchScore) -> GameScore {
        let [losses, draws, wins] = score.games.0;
        let ResultCounts(pentanomial) = score.pairs;
        let elo = score.pairs.strength().elo;
        let games = score.games.total();
        let [elo, error] = [elo.value, elo.error].map(|figure| (figure * 100.0).round() / 100.0);
        GameScore { games, wins, draws, losses, pentanomial, elo, error }
    }

    /// Returns true if zero is outside the 95 % interval.
    pub(crate) fn is_resolved(&self) -> bool {
        self.elo.abs() > self.error
    }

    /// Returns the distance of the Elo from zero in half-widths of its interval.
    fn significance(&self) -> f64 {
        self.elo.abs() / self.error.max(f64::MIN_POSITIVE)
    }
}

impl AblationResults {
    /// Reads the stored results if they are of the same build, limits and openings; returns empty
    /// results otherwise.
    pub(crate) fn open(
        shell: &Shell,
        bench: u64,
        commit: &str,
        terms: &str,
    ) -> Result<AblationResults> {
        let fresh = AblationResults {
            bench,
            commit: commit.to_owned(),
            terms: terms.to_owned(),
            rows: Vec::new(),
        };
        if !shell.path_exists(DATA) {
            return Ok(fresh);
        }
        let known: AblationResults = serde_json::from_str(&shell.read_file(DATA)?).context(DATA)?;
        if (known.bench, known.terms.as_str()) != (bench, terms) {
            println!("{DATA} is of another build or of other games: starting anew");
            return Ok(fresh);
        }
        Ok(AblationResults { rows: known.rows, ..fresh })
    }

    fn row(&mut self, switch: &Switch) -> &mut FeatureResult {
        let at = self.rows.iter().position(|row| row.feature == switch.feature);
        let at = at.unwrap_or_else(|| {
            let (feature, default) = (switch.feature.clone(), switch.is_on);
            self.rows.push(FeatureResult { feature, default, score: None, cost: None });
            self.rows.len() - 1
        });
        &mut self.rows[at]
    }

    pub(crate) fn set_score(&mut self, switch: &Switch, score: GameScore) {
        self.row(switch).score = Some(score);
    }

    pub(crate) fn set_cost(&mut self, switch: &Switch, cost: FeatureCost) {
        self.row(switch).cost = Some(cost);
    }

    /// Returns the features with the least significant results among these switches.
    pub(crate) fn least_significant(&self, of: &[Switch], count: usize) -> Vec<String> {
        let is_chosen =
            |row: &&FeatureResult| of.iter().any(|switch| switch.feature == row.feature);
        let mut open: Vec<_> = self
            .rows
            .iter()
            .filter(is_chosen)
            .filter_map(|row| Some((row.score.as_ref()?.significance(), row.feature.clone())))
            .collect();
        open.sort_by(|one, other| one.0.total_cmp(&other.0));
        open.into_iter().take(count).map(|(_, feature)| feature).collect()
    }

    /// Writes the results into the data.
    pub(crate) fn write(&self, shell: &Shell) -> Result<()> {
        shell.write_file(DATA, serde_json::to_string_pretty(self)? + "\n")?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn switch(feature: &str) -> Switch {
        Switch { feature: feature.to_owned(), is_on: true }
    }

    fn score(elo: f64, error: f64) -> GameScore {
        GameScore { elo, error, ..GameScore::of(&MatchScore::default()) }
    }

    #[test]
    fn the_least_significant_results_come_first() {
        let mut results = AblationResults::default();
        for (name, elo, error) in [("a", 50.0, 10.0), ("b", -3.0, 10.0), ("c", 8.0, 10.0)] {
            results.set_score(&switch(name), score(elo, error));
        }
        results.set_cost(&switch("b"), FeatureCost { depth: 9, node_ratio: 1.5, time_ratio: 1.4 });
        results.set_score(&switch("d"), score(0.1, 10.0));
        assert_eq!(results.rows.len(), 4);
        let chosen = ["a", "b", "c"].map(switch);
        assert_eq!(results.least_significant(&chosen, 2), ["b", "c"]);
    }

    #[test]
    fn results_are_read_back() {
        let mut results = AblationResults { bench: 5, ..AblationResults::default() };
        results.set_score(&switch("a"), score(50.0, 10.0));
        results.set_cost(&switch("b"), FeatureCost { depth: 9, node_ratio: 1.5, time_ratio: 1.4 });
        let text = serde_json::to_string(&results).unwrap();
        assert_eq!(serde_json::from_str::<AblationResults>(&text).unwrap(), results);
    }
}
