//! A trial, stored as JSON.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use koel_files::IN_MEMORY;
use koel_random::Rng;
use serde::{Deserialize, Serialize};

use super::effects::{Effect, fit};

/// The largest number of changes of a trial.
pub(crate) const MAX_CHANGES: usize = 64;

/// A trial of several changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TrialRun {
    /// The commit at the start of the trial.
    pub(crate) commit: String,
    /// The limits and openings of the games.
    pub(crate) settings: String,
    pub(crate) seed: u64,
    /// The changes as they were named.
    pub(crate) changes: Vec<String>,
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

impl TrialRun {
    /// A trial without games.
    pub(crate) fn new(
        commit: String,
        settings: String,
        seed: u64,
        changes: Vec<String>,
    ) -> TrialRun {
        TrialRun { commit, settings, seed, changes, results: Vec::new() }
    }

    /// Reads the trial of a file; `None` if there is no such file.
    pub(crate) fn read(path: &Path) -> Result<Option<TrialRun>> {
        if !path.is_file() {
            return Ok(None);
        }
        let text = koel_files::read_to_string(path, IN_MEMORY)
            .with_context(|| path.display().to_string())?;
        Ok(Some(serde_json::from_str(&text).with_context(|| path.display().to_string())?))
    }

    /// Fails if this is a trial of other changes, games or another seed.
    pub(crate) fn ensure_continues(&self, fresh: &TrialRun) -> Result<()> {
        let key =
            |run: &TrialRun| format!("{}, seed {}: {:?}", run.settings, run.seed, run.changes);
        let (was, is) = (key(self), key(fresh));
        ensure!(
            was == is,
            "the file has another trial; --fresh starts anew\nfile: {was}\nnow:  {is}"
        );
        Ok(())
    }

    /// Replaces the file by a complete new one.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let beside = PathBuf::from(format!("{}.part", path.display()));
        fs::write(&beside, serde_json::to_string(self)? + "\n")
            .with_context(|| beside.display().to_string())?;
        fs::rename(&beside, path).with_context(|| path.display().to_string())
    }

    /// The sides of a pair: 1 for each change that the first side makes, -1 for the others, which
    /// the second side makes.
    pub(crate) fn signs(&self, pair: u32) -> Vec<f64> {
        let mut rng = Rng::for_stream(self.seed, u64::from(pair));
        self.changes.iter().map(|_| if rng.next_u64() & 1 == 0 { 1.0 } else { -1.0 }).collect()
    }

    /// The effects of the changes in their order; `None` while there are too few games.
    pub(crate) fn effects(&self) -> Option<Vec<Effect>> {
        let observe = |result: &PairResult| {
            let difference = result.wins as f64 - result.losses as f64;
            (self.signs(result.pair), difference / 2.0)
        };
        fit(&self.results.iter().map(observe).collect::<Vec<_>>())
    }

    /// The lines of a report, the best change first.
    pub(crate) fn report(&self) -> Vec<String> {
        let mut lines = vec![format!("{} games, {}", 2 * self.results.len(), self.settings)];
        let Some(effects) = self.effects() else {
            lines.push("too few games for an estimate".to_owned());
            return lines;
        };
        let mut rows: Vec<_> = self.changes.iter().zip(effects).collect();
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
        TrialRun::new("c".into(), "100 nodes".into(), 1, changes)
    }

    #[test]
    fn a_trial_is_read_back_and_resumed_only_with_the_same_changes() {
        let path = std::env::temp_dir().join(format!("koel-trial-{}.json", std::process::id()));
        assert_eq!(TrialRun::read(&path).unwrap(), None);
        let mut run = trial(&["a", "b=1"]);
        run.results.push(PairResult { pair: 3, wins: 1, draws: 1, losses: 0 });
        run.write(&path).unwrap();
        let read = TrialRun::read(&path).unwrap().unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!(read, run);
        read.ensure_continues(&trial(&["a", "b=1"])).unwrap();
        assert!(read.ensure_continues(&trial(&["a"])).is_err());
        assert!(read.report()[1].starts_with("too few"));
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
}
