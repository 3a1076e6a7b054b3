//! The manifest of a network: the data and the plan that reproduce it.

use serde::{Deserialize, Deserializer, Serialize};

use crate::selfplay_settings::SelfplayRun;
use crate::train::plan::TrainingPlan;
use crate::train::quantise::QuantisationError;

/// The content of `NAME.toml` beside `NAME.koelnet`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    /// The name of the network.
    pub(crate) name: String,
    /// The networks from whose checkpoints the training continued, by the mean of their weights;
    /// without one the initial weights were random.
    #[serde(default, alias = "parent", deserialize_with = "one_or_several")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) parents: Vec<String>,
    /// The number of king buckets.
    pub(crate) king_buckets: usize,
    /// Neurons for each side.
    pub(crate) neurons: usize,
    /// Positions of the training set.
    pub(crate) training_positions: usize,
    /// Positions of the validation set, which come from other games.
    pub(crate) validation_positions: usize,
    /// The mean squared error of each epoch on the training set.
    pub(crate) training_losses: Vec<f64>,
    /// The mean squared error after each epoch on the validation set; none if that is empty.
    pub(crate) validation_losses: Vec<f64>,
    /// The hash of `NAME.checkpoint`.
    pub(crate) checkpoint_sha256: String,
    /// The hash of `NAME.koelnet`.
    pub(crate) network_sha256: String,
    /// Results of matches, as text with the number of games and the error.
    pub(crate) strength: Vec<String>,
    /// The error of quantisation.
    pub(crate) quantisation: QuantisationError,
    /// The settings of the training.
    pub(crate) plan: TrainingPlan,
    /// The games.
    pub(crate) data: Vec<SelfplayRun>,
}

/// Reads the names of parents. A manifest with a single one may have it as text.
fn one_or_several<'a, D: Deserializer<'a>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Names {
        One(String),
        Several(Vec<String>),
    }
    Ok(match Names::deserialize(deserializer)? {
        Names::One(name) => vec![name],
        Names::Several(names) => names,
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use koel_eval::BUILT_IN;

    use super::*;
    use crate::hash::sha256_of;

    /// The fields that the manifests of all networks have, those of earlier trainers too.
    #[derive(Deserialize)]
    struct Kept {
        name: String,
        #[serde(default, alias = "parent", deserialize_with = "one_or_several")]
        parents: Vec<String>,
        checkpoint_sha256: String,
        network_sha256: String,
        quantisation: QuantisationError,
    }

    /// Of most networks only the manifest and the chart are kept, of the default one the checkpoint
    /// too.
    #[test]
    fn the_networks_of_the_repository_agree_with_their_manifests() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let nets = root.join("nets");
        let built_in = root.join("crates/koel-eval/network").join(BUILT_IN);
        for entry in fs::read_dir(&nets).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "toml") {
                continue;
            }
            let kept: Kept = toml::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
            let hash = |path: &Path| fs::read(path).ok().map(|bytes| sha256_of(&bytes));
            let checkpoint = hash(&path.with_extension("checkpoint"));
            assert!(checkpoint.is_none_or(|hash| hash == kept.checkpoint_sha256), "{}", kept.name);
            let network = hash(&path.with_extension("koelnet"));
            assert!(network.is_none_or(|hash| hash == kept.network_sha256), "{}", kept.name);
            assert!(path.with_extension("svg").is_file(), "{}", kept.name);
            let has_manifest = |name: &String| nets.join(format!("{name}.toml")).is_file();
            assert!(kept.parents.iter().all(has_manifest), "{}", kept.name);
            if kept.name == BUILT_IN {
                assert!(path.with_extension("checkpoint").is_file());
                let network = hash(&built_in.with_extension("koelnet"));
                assert_eq!(network, Some(kept.network_sha256));
                // One position in ten thousand may have a larger error.
                let QuantisationError { mean, max, outliers, positions } = kept.quantisation;
                assert!(mean <= 2.0 && max <= 40.0 && outliers <= positions / 10_000);
                assert!(positions >= 10_000);
            }
        }
        assert!(nets.join(BUILT_IN).with_extension("toml").is_file());
    }
}
