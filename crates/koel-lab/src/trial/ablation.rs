//! The worth of each switch of the search, stored as JSON and shown in a table and a chart.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::cost::SwitchCost;

/// The results of all switches that have been measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct AblationResults {
    rows: Vec<SwitchResult>,
}

/// The results of one switch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct SwitchResult {
    pub(crate) switch: String,
    /// True if the switch is on in normal builds.
    pub(crate) default: bool,
    pub(crate) commit: String,
    /// The nodes of the bench with all switches at their defaults.
    pub(crate) bench: u64,
    /// The limits and openings of the games.
    pub(crate) settings: String,
    /// The games in which one side had the switch and the other had not.
    pub(crate) games: u64,
    /// The strength of the side with the switch against the side without it.
    pub(crate) elo: f64,
    /// The half-width of the 95 % interval of `elo`.
    pub(crate) error: f64,
    #[serde(flatten)]
    pub(crate) cost: SwitchCost,
    /// The results of the games, where an earlier commit has written them.
    #[serde(flatten)]
    pub(crate) results: Map<String, Value>,
}

impl SwitchResult {
    /// Returns true if zero is outside the 95 % interval.
    pub(crate) fn is_resolved(&self) -> bool {
        self.elo.abs() > self.error
    }
}

impl AblationResults {
    /// Sets the row of a switch.
    pub(crate) fn set(&mut self, row: SwitchResult) {
        match self.rows.iter_mut().find(|old| old.switch == row.switch) {
            Some(old) => *old = row,
            None => self.rows.push(row),
        }
    }

    /// Returns the rows, the best switch first.
    pub(crate) fn sorted(&self) -> impl Iterator<Item = &SwitchResult> {
        let mut rows: Vec<_> = self.rows.iter().collect();
        rows.sort_by(|one, other| other.elo.total_cmp(&one.elo));
        rows.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_replaces_that_of_its_switch_and_is_read_back() {
        let mut results = AblationResults::default();
        let cost = SwitchCost { depth: 9, node_ratio: 1.5, time_ratio: 1.4 };
        for (switch, elo) in [("a", 50.1), ("b", 8.0), ("a", 7.0)] {
            let switch = switch.to_owned();
            let mut row = SwitchResult { switch, elo, cost, ..SwitchResult::default() };
            row.results.insert("wins".to_owned(), 5.into());
            results.set(row);
        }
        let rows = results.sorted().map(|row| (row.switch.as_str(), row.elo));
        assert!(rows.eq([("b", 8.0), ("a", 7.0)]), "{results:?}");
        let text = serde_json::to_string(&results).unwrap();
        assert_eq!(serde_json::from_str::<AblationResults>(&text).unwrap(), results);
    }
}
