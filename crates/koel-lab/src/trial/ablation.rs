//! The worth of each switch of the search, stored as JSON and shown in a table and a chart.

use serde::{Deserialize, Serialize};

use super::cost::SwitchCost;

/// The results of all switches that have been measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct AblationResults {
    pub(crate) rows: Vec<SwitchResult>,
}

/// The build and the games of a result.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Conditions {
    pub(crate) commit: String,
    /// The nodes of the bench with all switches at their defaults.
    pub(crate) bench: u64,
    /// The limits and openings of the games.
    pub(crate) settings: String,
}

/// The results of one switch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SwitchResult {
    pub(crate) switch: String,
    /// True if the switch is on in normal builds.
    pub(crate) default: bool,
    #[serde(flatten)]
    pub(crate) conditions: Conditions,
    #[serde(flatten)]
    pub(crate) score: Option<GameScore>,
    #[serde(flatten)]
    pub(crate) cost: Option<SwitchCost>,
}

/// The strength of the side with the switch against the side without it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct GameScore {
    /// The games in which one side had the switch and the other had not.
    pub(crate) games: u64,
    /// Their results, if they are those of a match in which nothing else differed.
    #[serde(flatten)]
    pub(crate) results: Option<GameResults>,
    pub(crate) elo: f64,
    /// The half-width of the 95 % interval of `elo`.
    pub(crate) error: f64,
}

/// The results of a match from the view of the side with the switch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct GameResults {
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    pub(crate) pentanomial: [u64; 5],
}

impl GameScore {
    /// The effect of a switch in a trial, rounded to hundredths, which JSON reads back exactly.
    pub(crate) fn of_effect(games: u64, elo: f64, error: f64) -> GameScore {
        let [elo, error] = [elo, error].map(|figure| (figure * 100.0).round() / 100.0);
        GameScore { games, results: None, elo, error }
    }

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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_replaces_that_of_its_switch_and_is_read_back() {
        let mut results = AblationResults::default();
        let cost = SwitchCost { depth: 9, node_ratio: 1.5, time_ratio: 1.4 };
        for (switch, elo, cost) in [("a", 50.123, None), ("b", 3.0, None), ("a", 7.0, Some(cost))] {
            results.set(SwitchResult {
                switch: switch.to_owned(),
                default: true,
                conditions: Conditions { bench: 5, ..Conditions::default() },
                score: Some(GameScore::of_effect(400, elo, 10.0)),
                cost,
            });
        }
        let names: Vec<_> = results.rows.iter().map(|row| row.switch.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!((results.rows[0].score.unwrap().elo, results.rows[0].cost), (7.0, Some(cost)));
        let text = serde_json::to_string(&results).unwrap();
        assert_eq!(serde_json::from_str::<AblationResults>(&text).unwrap(), results);
    }
}
