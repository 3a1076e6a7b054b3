//! The manifest of a network: the data and the plan that reproduce it.

use serde::{Deserialize, Serialize};

use crate::selfplay_settings::SelfplayRun;
use crate::train::plan::TrainingPlan;
use crate::train::quantise::QuantisationError;

/// The content of `NAME.toml` beside `NAME.koelnet`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Manifest {
    /// The name of the network.
    pub name: String,
    /// The network from whose checkpoint the training continued; without one the initial weights
    /// were random.
    pub parent: Option<String>,
    /// The networks whose checkpoints labelled positions, beside the searches; none by default.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub teachers: Vec<String>,
    /// The number of king buckets.
    pub king_buckets: usize,
    /// Neurons for each side.
    pub neurons: usize,
    /// Positions of the training set.
    pub training_positions: usize,
    /// Positions of the validation set, which come from other games.
    pub validation_positions: usize,
    /// The epoch with the least validation loss, or the last by the plan, from 1: its weights are
    /// those of the network.
    pub best_epoch: u32,
    /// The mean squared error of each epoch on the training set.
    pub training_losses: Vec<f64>,
    /// The mean squared error after each epoch on the validation set.
    pub validation_losses: Vec<f64>,
    /// The hash of `NAME.checkpoint`.
    pub checkpoint_sha256: String,
    /// The hash of `NAME.koelnet`.
    pub network_sha256: String,
    /// Results of matches, as text with the number of games and the error.
    pub strength: Vec<String>,
    /// The error of quantisation.
    pub quantisation: QuantisationError,
    /// The settings of the training.
    pub plan: TrainingPlan,
    /// The games.
    pub data: Vec<SelfplayRun>,
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::hash::sha256_of;

    /// Of most networks only the manifest and the chart are kept, of the default one the checkpoint
    /// too.
    #[test]
    fn the_networks_of_the_repository_agree_with_their_manifests() {
        let nets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../nets");
        for entry in fs::read_dir(&nets).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "toml") {
                continue;
            }
            let manifest: Manifest = toml::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
            let file = |extension| fs::read(path.with_extension(extension)).ok();
            for (extension, expected) in
                [("koelnet", &manifest.network_sha256), ("checkpoint", &manifest.checkpoint_sha256)]
            {
                let found = file(extension).map(|bytes| sha256_of(&bytes));
                let is_due = extension == "checkpoint" && manifest.name == koel_eval::BUILT_IN;
                let is_kept = found.is_some() || is_due;
                assert!(!is_kept || found.as_ref() == Some(expected), "{}", manifest.name);
            }
            assert!(file("svg").is_some(), "{}", manifest.name);
            // One position in ten thousand may have a larger error.
            let QuantisationError { mean, max, outliers, positions } = manifest.quantisation;
            let is_exact = mean <= 2.0 && max <= 40.0 && outliers <= positions / 10_000;
            let is_exact = is_exact && positions >= 10_000;
            assert!(is_exact || manifest.name != koel_eval::BUILT_IN, "{}", manifest.name);
            let parent = manifest.parent.map(|name| nets.join(name).with_extension("toml"));
            assert!(parent.is_none_or(|path| path.is_file()), "{}", manifest.name);
        }
    }

    #[test]
    fn the_built_in_network_is_that_of_its_manifest() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let file = |folder: &str, extension| {
            root.join(folder).join(koel_eval::BUILT_IN).with_extension(extension)
        };
        let manifest = fs::read_to_string(file("nets", "toml")).unwrap();
        let manifest: Manifest = toml::from_str(&manifest).unwrap();
        let network = fs::read(file("crates/koel-eval/network", "koelnet")).unwrap();
        assert_eq!(sha256_of(&network), manifest.network_sha256);
    }
}
