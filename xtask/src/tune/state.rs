//! How far a run has come, as JSON.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::parameter::Parameter;

/// So many points of each path are kept.
const SAMPLES: u32 = 150;

/// A run of the tuner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    /// What was checked out when the run began.
    pub(crate) commit: String,
    /// The limits and openings of the games.
    pub(crate) terms: String,
    pub(crate) seed: u64,
    /// Pairs of games, all of them.
    pub(crate) iterations: u32,
    /// Pairs that are over.
    pub(crate) done: u32,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    /// Seconds of all sittings.
    pub(crate) seconds: f64,
    /// The iterations at which the paths were sampled.
    pub(crate) samples: Vec<u32>,
    pub(crate) parameters: Vec<Parameter>,
}

impl State {
    /// A run before its first game.
    pub(crate) fn begin(
        (commit, terms): (String, String),
        seed: u64,
        iterations: u32,
        parameters: Vec<Parameter>,
    ) -> State {
        let (done, wins, draws, losses, seconds) = (0, 0, 0, 0, 0.0);
        let samples = Vec::new();
        let mut state = State {
            commit,
            terms,
            seed,
            iterations,
            done,
            wins,
            draws,
            losses,
            seconds,
            samples,
            parameters,
        };
        state.sample();
        state
    }

    /// The run in a file, which must be the same run; `None` when there is none.
    pub(crate) fn read(path: &Path) -> Result<Option<State>> {
        if !path.is_file() {
            return Ok(None);
        }
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let state = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
        Ok(Some(state))
    }

    /// Refuses to go on with another run.
    pub(crate) fn ensure_continues(&self, fresh: &State) -> Result<()> {
        let key = |state: &State| {
            let names: Vec<_> = state
                .parameters
                .iter()
                .map(|Parameter { name, start, c_end, r_end, .. }| {
                    format!("{name} from {start} ({c_end}, {r_end})")
                })
                .collect();
            format!(
                "{}, seed {}, {} pairs: {}",
                state.terms,
                state.seed,
                state.iterations,
                names.join(", ")
            )
        };
        let (was, is) = (key(self), key(fresh));
        ensure!(was == is, "the state is of another run; --fresh begins anew\nwas {was}\nis {is}");
        Ok(())
    }

    /// Keeps where the parameters are now, if it is time.
    pub(crate) fn sample(&mut self) {
        let step = (self.iterations / SAMPLES).max(1);
        if !self.done.is_multiple_of(step) && self.done != self.iterations {
            return;
        }
        self.samples.push(self.done);
        for parameter in &mut self.parameters {
            parameter.path.push((parameter.value * 1000.0).round() / 1000.0);
        }
    }

    /// Writes it beside the old one and puts it in its place.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let beside = PathBuf::from(format!("{}.part", path.display()));
        let text = serde_json::to_string(self)?;
        // One parameter a line.
        let text = text.replace("},{", "},\n{") + "\n";
        fs::write(&beside, text).with_context(|| beside.display().to_string())?;
        fs::rename(&beside, path).with_context(|| path.display().to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> State {
        let parameter = "a, int, 20.0, 0.0, 100.0, 5.0, 0.002".parse().unwrap();
        State::begin(("c".into(), "100 nodes".into()), 1, 300, vec![parameter])
    }

    #[test]
    fn it_is_read_back_and_knows_its_run() {
        let path = std::env::temp_dir().join(format!("koel-tune-{}.json", std::process::id()));
        assert_eq!(State::read(&path).unwrap(), None);
        let mut state = state();
        state.parameters[0].value = 21.5;
        state.write(&path).unwrap();
        let read = State::read(&path).unwrap().unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!(read, state);
        read.ensure_continues(&super::tests::state()).unwrap();
        let other = State { seed: 2, ..super::tests::state() };
        assert!(read.ensure_continues(&other).is_err());
    }

    #[test]
    fn a_path_has_few_points_and_its_last() {
        let mut state = state();
        for done in 1..=301 {
            state.done = done;
            state.iterations = 301;
            state.sample();
        }
        assert_eq!(state.samples.len(), state.parameters[0].path.len());
        assert!(state.samples.len() <= 152 && state.samples.last() == Some(&301));
    }
}
