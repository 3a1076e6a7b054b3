//! A trial, stored as JSON.

use koel_arena::MatchScore;
use koel_random::Rng;
use serde::{Deserialize, Serialize};

use super::effects::{Effect, fit};
use crate::series::Series;

/// Each side makes a rare change in one of this many pairs.
pub(crate) const RARITY: u64 = 5;

/// A trial of several changes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct TrialRun {
    /// The commit at the start of the trial.
    pub(crate) commit: String,
    /// The conditions of the games.
    pub(crate) settings: String,
    pub(crate) seed: u64,
    /// The changes as they were named, of which one side makes each.
    pub(crate) changes: Vec<String>,
    /// The changes that each side makes in one of [`RARITY`] pairs, whatever the other does.
    #[serde(default)]
    pub(crate) rare: Vec<String>,
    /// The pairs that are complete, in the order in which they ended.
    pub(crate) results: Vec<PairResult>,
}

/// The result of a pair of games, from the view of the first side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PairResult {
    /// The number of the pair.
    pub(crate) pair: u32,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
}

/// The estimate of a trial for one change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct EffectOfChange {
    pub(crate) elo: f64,
    /// The half-width of the 95 % interval of `elo`.
    pub(crate) error: f64,
    /// The games in which only one side made the change.
    pub(crate) games: u64,
}

impl Series for TrialRun {
    fn settings(&self) -> String {
        format!("{}, seed {}: {:?}, rare {:?}", self.settings, self.seed, self.changes, self.rare)
    }

    /// Pairs that were interrupted are not played again.
    fn next_pair(&self) -> u32 {
        self.results.iter().map(|result| result.pair + 1).max().unwrap_or(0)
    }

    fn done(&self) -> u32 {
        u32::try_from(self.results.len()).unwrap_or(u32::MAX)
    }
}

impl TrialRun {
    /// All changes, the rare ones last.
    pub(crate) fn all_changes(&self) -> impl Iterator<Item = &String> {
        self.changes.iter().chain(&self.rare)
    }

    pub(crate) fn record(&mut self, pair: u32, score: &MatchScore) {
        let [losses, draws, wins] = score.games.0;
        self.results.push(PairResult { pair, wins, draws, losses });
    }

    /// For each change whether the first and whether the second side of a pair makes it.
    pub(crate) fn sides(&self, pair: u32) -> Vec<[bool; 2]> {
        let mut rng = Rng::for_stream(self.seed, u64::from(pair));
        let mut sides = Vec::new();
        for _ in &self.changes {
            let is_first = rng.next_u64() & 1 == 0;
            sides.push([is_first, !is_first]);
        }
        for _ in &self.rare {
            sides.push([(); 2].map(|()| rng.next_u64().is_multiple_of(RARITY)));
        }
        sides
    }

    /// For each change 1 if only the first side of a pair makes it, -1 if only the second does, and
    /// otherwise 0.
    fn signs(&self, pair: u32) -> Vec<f64> {
        let sign = |[first, second]: [bool; 2]| f64::from(first) - f64::from(second);
        self.sides(pair).into_iter().map(sign).collect()
    }

    /// The effects of the changes in their order; `None` while there are too few games.
    pub(crate) fn effects(&self) -> Option<Vec<Effect>> {
        let observe = |result: &PairResult| {
            let difference = result.wins as f64 - result.losses as f64;
            (self.signs(result.pair), difference / 2.0)
        };
        fit(&self.results.iter().map(observe).collect::<Vec<_>>())
    }

    /// The effect of a change of these words in Elo with its error, and the games in which only one
    /// side made it; `None` if it is not part of the trial or there are too few games.
    pub(crate) fn effect_of(&self, change: &str) -> Option<EffectOfChange> {
        let at = self.all_changes().position(|name| name == change)?;
        let (elo, error) = self.effects()?[at].elo();
        let differing = self.results.iter().filter(|of| self.signs(of.pair)[at] != 0.0);
        Some(EffectOfChange { elo, error, games: 2 * differing.count() as u64 })
    }

    /// The lines of a report, the best change first.
    pub(crate) fn report(&self) -> Vec<String> {
        let mut lines = vec![format!("{} games, {}", 2 * self.results.len(), self.settings)];
        let Some(effects) = self.effects() else {
            lines.push("too few games for an estimate".to_owned());
            return lines;
        };
        let mut rows: Vec<_> = self.all_changes().zip(effects).collect();
        rows.sort_by(|(_, one), (_, other)| other.mean.total_cmp(&one.mean));
        lines.extend(rows.into_iter().map(|(change, effect)| {
            let (elo, error) = effect.elo();
            format!("{elo:+6.1} +/- {error:.1}  {change}")
        }));
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(changes: &[&str]) -> TrialRun {
        let changes = changes.iter().map(|&change| change.to_owned()).collect();
        TrialRun { seed: 1, changes, ..TrialRun::default() }
    }

    #[test]
    fn a_trial_is_resumed_behind_its_last_pair_and_only_with_the_same_changes() {
        let mut run = trial(&["a", "b=1"]);
        assert_eq!((run.next_pair(), run.report()[1].starts_with("too few")), (0, true));
        run.results.push(PairResult { pair: 3, wins: 1, draws: 1, losses: 0 });
        assert_eq!((run.done(), run.next_pair()), (1, 4));
        assert_eq!(run.settings(), trial(&["a", "b=1"]).settings());
        assert_ne!(run.settings(), trial(&["a"]).settings());
        let text = serde_json::to_string(&run).unwrap();
        assert_eq!(serde_json::from_str::<TrialRun>(&text).unwrap(), run);
    }

    #[test]
    fn a_change_that_wins_every_game_is_the_first_of_the_report() {
        let mut run = trial(&["nothing", "wins", "nothing else"]);
        for pair in 0..40 {
            let wins = if run.signs(pair)[1] > 0.0 { 2 } else { 0 };
            run.results.push(PairResult { pair, wins, draws: 0, losses: 2 - wins });
        }
        let effects = run.effects().unwrap();
        assert!((effects[1].mean - 1.0).abs() < 1e-9 && effects[0].mean.abs() < 1e-9);
        assert!(run.report()[1].ends_with("wins"));
        // Each change is on either side about as often.
        let sums = (0..1_000)
            .map(|pair| run.signs(pair))
            .fold([0.0; 3], |sums, signs| std::array::from_fn(|at| sums[at] + signs[at]));
        assert!(sums.iter().all(|sum| sum.abs() < 120.0), "{sums:?}");
    }

    #[test]
    fn rare_changes_are_made_by_a_fifth_of_the_sides() {
        let mut run = trial(&["a"]);
        let without = run.sides(7);
        run.rare = ["b", "c"].map(str::to_owned).into();
        assert_eq!(run.sides(7)[..1], without);
        let mut counts = [[0; 2]; 2];
        for pair in 0..5_000 {
            let sides = run.sides(pair);
            assert!(sides.len() == 3 && sides[0][0] != sides[0][1]);
            for (count, sides) in counts.iter_mut().zip(&sides[1..]) {
                count.iter_mut().zip(sides).for_each(|(count, &side)| *count += u32::from(side));
            }
        }
        assert!(
            counts.as_flattened().iter().all(|count| (900..1_100).contains(count)),
            "{counts:?}"
        );
    }

    #[test]
    fn the_effect_of_a_rare_change_is_found() {
        let mut run = trial(&["nothing"]);
        run.rare = ["loses", "nothing rare"].map(str::to_owned).into();
        for pair in 0..200 {
            let [first, second] = run.sides(pair)[1];
            let (wins, losses) = (2 * u64::from(second && !first), 2 * u64::from(first && !second));
            run.results.push(PairResult { pair, wins, draws: 2 - wins - losses, losses });
        }
        let effects = run.effects().unwrap();
        assert!((effects[1].mean + 1.0).abs() < 1e-9);
        assert!(effects[0].mean.abs() < 1e-9 && effects[2].mean.abs() < 1e-9);
        assert!(run.report().last().unwrap().ends_with("loses"));
        let found = run.effect_of("loses").unwrap();
        assert!((70..180).contains(&found.games) && found.elo < -300.0);
        assert_eq!(run.effect_of("nothing").unwrap().games, 400);
        assert_eq!(run.effect_of("wins"), None);
    }
}
