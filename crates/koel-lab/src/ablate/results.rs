//! The results of the ablation, stored as JSON.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result};
use koel_arena::MatchScore;
use koel_arena::statistics::ResultCounts;
use koel_files::IN_MEMORY;
use serde::{Deserialize, Serialize};

use super::cost::FeatureCost;
use crate::switches::Switch;

/// The results of all features that have been measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct AblationResults {
    pub(crate) rows: Vec<FeatureResult>,
}

/// The build and the games of a result.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Conditions {
    pub(crate) commit: String,
    /// The nodes of the bench with all features at their defaults.
    pub(crate) bench: u64,
    /// The limits and openings of the games.
    pub(crate) settings: String,
}

/// The results of one feature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FeatureResult {
    pub(crate) feature: String,
    /// True if the feature is on in normal builds.
    pub(crate) default: bool,
    #[serde(flatten)]
    pub(crate) conditions: Conditions,
    #[serde(flatten)]
    pub(crate) score: Option<GameScore>,
    #[serde(flatten)]
    pub(crate) cost: Option<FeatureCost>,
}

/// The strength of the side with the feature against the side without it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct GameScore {
    /// The games in which one side had the feature and the other had not.
    pub(crate) games: u64,
    /// Their results, if nothing else differed; none in a trial of several features.
    #[serde(flatten)]
    pub(crate) results: Option<GameResults>,
    pub(crate) elo: f64,
    /// The half-width of the 95 % interval of `elo`.
    pub(crate) error: f64,
}

/// The results of a match from the view of the side with the feature.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct GameResults {
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    pub(crate) pentanomial: [u64; 5],
}

impl GameScore {
    pub(crate) fn of(score: &MatchScore) -> GameScore {
        let [losses, draws, wins] = score.games.0;
        let ResultCounts(pentanomial) = score.pairs;
        let elo = score.pairs.strength().elo;
        let results = GameResults { wins, draws, losses, pentanomial };
        GameScore::new(score.games.total(), Some(results), (elo.value, elo.error))
    }

    /// The effect of a feature in a trial of several features.
    pub(crate) fn of_effect(games: u64, elo: (f64, f64)) -> GameScore {
        GameScore::new(games, None, elo)
    }

    /// Rounds Elo and error to hundredths, which JSON reads back exactly.
    fn new(games: u64, results: Option<GameResults>, (elo, error): (f64, f64)) -> GameScore {
        let [elo, error] = [elo, error].map(|figure| (figure * 100.0).round() / 100.0);
        GameScore { games, results, elo, error }
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
    /// Reads stored results; none if there is no such file.
    pub(crate) fn read(path: &Path) -> Result<AblationResults> {
        match koel_files::read_to_string(path, IN_MEMORY) {
            Ok(text) => serde_json::from_str(&text).with_context(|| path.display().to_string()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(AblationResults::default()),
            Err(error) => Err(error).with_context(|| path.display().to_string()),
        }
    }

    /// Returns the row of a feature. A row of another build becomes an empty one of this build.
    fn row(&mut self, switch: &Switch, conditions: &Conditions) -> &mut FeatureResult {
        let at = self.rows.iter().position(|row| row.feature == switch.feature);
        let at = at.unwrap_or(self.rows.len());
        if self.rows.get(at).is_none_or(|row| row.conditions.bench != conditions.bench) {
            let row = FeatureResult {
                feature: switch.feature.clone(),
                default: switch.is_on,
                conditions: conditions.clone(),
                score: None,
                cost: None,
            };
            self.rows.splice(at..self.rows.len().min(at + 1), [row]);
        }
        &mut self.rows[at]
    }

    pub(crate) fn set_score(&mut self, switch: &Switch, conditions: &Conditions, score: GameScore) {
        let row = self.row(switch, conditions);
        (row.conditions, row.score) = (conditions.clone(), Some(score));
    }

    pub(crate) fn set_cost(&mut self, switch: &Switch, conditions: &Conditions, cost: FeatureCost) {
        self.row(switch, conditions).cost = Some(cost);
    }

    /// Replaces the rows of these features by those of other results; all others are kept.
    pub(crate) fn replace_rows(&mut self, of: &[Switch], by: &AblationResults) {
        for new in
            by.rows.iter().filter(|row| of.iter().any(|switch| switch.feature == row.feature))
        {
            match self.rows.iter_mut().find(|row| row.feature == new.feature) {
                Some(old) => old.clone_from(new),
                None => self.rows.push(new.clone()),
            }
        }
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

    /// Writes the results to a file.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        fs::write(path, text).with_context(|| path.display().to_string())
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

    fn conditions(bench: u64) -> Conditions {
        Conditions { bench, ..Conditions::default() }
    }

    const COST: FeatureCost = FeatureCost { depth: 9, node_ratio: 1.5, time_ratio: 1.4 };

    #[test]
    fn the_least_significant_results_come_first() {
        let mut results = AblationResults::default();
        for (name, elo, error) in [("a", 50.0, 10.0), ("b", -3.0, 10.0), ("c", 8.0, 10.0)] {
            results.set_score(&switch(name), &conditions(1), score(elo, error));
        }
        results.set_cost(&switch("b"), &conditions(1), COST);
        results.set_score(&switch("d"), &conditions(1), score(0.1, 10.0));
        assert_eq!(results.rows.len(), 4);
        let chosen = ["a", "b", "c"].map(switch);
        assert_eq!(results.least_significant(&chosen, 2), ["b", "c"]);
    }

    #[test]
    fn a_result_replaces_its_own_row_only() {
        let mut results = AblationResults::default();
        for name in ["a", "b"] {
            results.set_score(&switch(name), &conditions(1), score(50.0, 10.0));
            results.set_cost(&switch(name), &conditions(1), COST);
        }
        let before = results.clone();
        // Of another build: the cost of the old one does not belong to it.
        results.set_score(&switch("b"), &conditions(2), score(7.0, 10.0));
        assert_eq!(results.rows[0], before.rows[0]);
        assert_eq!((results.rows[1].conditions.bench, results.rows[1].cost), (2, None));
        let mut page = before.clone();
        page.replace_rows(&[switch("b")], &results);
        assert_eq!(page, results);
        page.replace_rows(&[switch("c")], &results);
        assert_eq!(page, results);
    }

    #[test]
    fn results_are_read_back() {
        let path = std::env::temp_dir().join(format!("koel-ablation-{}.json", std::process::id()));
        assert_eq!(AblationResults::read(&path).unwrap(), AblationResults::default());
        let mut results = AblationResults::default();
        results.set_score(&switch("a"), &conditions(5), score(50.0, 10.0));
        results.set_cost(&switch("b"), &conditions(5), COST);
        results.write(&path).unwrap();
        let read = AblationResults::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!(read, results);
    }
}
