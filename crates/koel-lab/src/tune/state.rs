//! The state of a tuning run, stored as JSON.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use koel_files::IN_MEMORY;
use serde::{Deserialize, Serialize};

use super::parameter::Parameter;

/// The number of samples of each parameter that are stored.
const SAMPLES: u32 = 150;

/// A run of the tuner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TuningRun {
    /// The commit at the start of the run.
    pub(crate) commit: String,
    /// The limits and openings of the games.
    pub(crate) settings: String,
    pub(crate) seed: u64,
    /// Pairs of games of the whole run.
    pub(crate) iterations: u32,
    /// Pairs that are complete.
    pub(crate) done: u32,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    /// Playing time in seconds.
    pub(crate) seconds: f64,
    /// The iterations at which the parameters were sampled.
    pub(crate) samples: Vec<u32>,
    pub(crate) parameters: Vec<Parameter>,
}

impl TuningRun {
    /// Creates a run without games.
    pub(crate) fn new(
        (commit, settings): (String, String),
        seed: u64,
        iterations: u32,
        parameters: Vec<Parameter>,
    ) -> TuningRun {
        let (done, wins, draws, losses, seconds) = (0, 0, 0, 0, 0.0);
        let samples = Vec::new();
        let mut state = TuningRun {
            commit,
            settings,
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

    /// Reads the run of a file; `None` if there is no such file.
    pub(crate) fn read(path: &Path) -> Result<Option<TuningRun>> {
        if !path.is_file() {
            return Ok(None);
        }
        let text = koel_files::read_to_string(path, IN_MEMORY)
            .with_context(|| path.display().to_string())?;
        let state = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
        Ok(Some(state))
    }

    /// Fails if this is a run with other parameters, games or seed.
    pub(crate) fn ensure_continues(&self, fresh: &TuningRun) -> Result<()> {
        let key = |state: &TuningRun| {
            let names: Vec<_> = state
                .parameters
                .iter()
                .map(|Parameter { name, start, c_end, r_end, .. }| {
                    format!("{name} from {start} ({c_end}, {r_end})")
                })
                .collect();
            format!(
                "{}, seed {}, {} pairs: {}",
                state.settings,
                state.seed,
                state.iterations,
                names.join(", ")
            )
        };
        let (was, is) = (key(self), key(fresh));
        ensure!(
            was == is,
            "the file has another run; --fresh starts anew\nfile: {was}\nnow:  {is}"
        );
        Ok(())
    }

    /// Samples the parameters, if a sample is due.
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

    /// Replaces the file by a complete new one.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_string(self)?;
        // One parameter per line.
        let text = text.replace("},{", "},\n{") + "\n";
        koel_files::replace(path, text).with_context(|| path.display().to_string())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn state() -> TuningRun {
        let parameter = "a, int, 20.0, 0.0, 100.0, 5.0, 0.002".parse().unwrap();
        TuningRun::new(("c".into(), "100 nodes".into()), 1, 300, vec![parameter])
    }

    #[test]
    fn a_run_is_read_back_and_resumed_only_with_the_same_settings() {
        let path = std::env::temp_dir().join(format!("koel-tune-{}.json", std::process::id()));
        assert_eq!(TuningRun::read(&path).unwrap(), None);
        let mut state = state();
        state.parameters[0].value = 21.5;
        state.write(&path).unwrap();
        let read = TuningRun::read(&path).unwrap().unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!(read, state);
        read.ensure_continues(&super::tests::state()).unwrap();
        let other = TuningRun { seed: 2, ..super::tests::state() };
        assert!(read.ensure_continues(&other).is_err());
    }

    #[test]
    fn samples_are_few_and_include_the_last() {
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
