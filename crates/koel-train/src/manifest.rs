//! What a network was made of, so that anybody can make it again.

use serde::{Deserialize, Serialize};

use crate::selfplay::Settings;
use crate::train::plan::Plan;
use crate::train::quantise::QuantisationError;

/// The story of a network: `NAME.toml` beside `NAME.koelnet`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The network's name.
    pub name: String,
    /// The network whose checkpoint the training began with, if it did not begin at random.
    pub parent: Option<String>,
    /// Buckets of king squares.
    pub king_buckets: usize,
    /// Neurons for each side.
    pub neurons: usize,
    /// Positions that were learned from.
    pub learned_positions: usize,
    /// Positions that were held out, of games of their own.
    pub held_out_positions: usize,
    /// The epoch that was kept, from 1: the one with the least loss on what was held out.
    pub best_epoch: u32,
    /// The mean squared errors of all epochs on what was learned from.
    pub learned_losses: Vec<f64>,
    /// The same on what was held out.
    pub held_out_losses: Vec<f64>,
    /// The hash of `NAME.checkpoint`.
    pub checkpoint_sha256: String,
    /// The hash of `NAME.koelnet`.
    pub network_sha256: String,
    /// What matches said, in words, with games and error.
    #[serde(default)]
    pub strength: Vec<String>,
    /// What quantisation lost.
    pub quantisation: QuantisationError,
    /// The training.
    pub plan: Plan,
    /// The games.
    pub data: Vec<Games>,
}

/// One run of self-play that was learned from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Games {
    /// How many of its games, from the first.
    pub games: u32,
    /// The hash of these games' bytes.
    pub sha256: String,
    /// All that decides them.
    pub settings: Settings,
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::making::hash_of;

    #[test]
    fn the_networks_of_the_repository_are_what_their_manifests_say() {
        let nets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../nets");
        let mut names = Vec::new();
        for entry in fs::read_dir(&nets).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "toml") {
                continue;
            }
            let manifest: Manifest = toml::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
            let hash = |extension| hash_of(&fs::read(path.with_extension(extension)).unwrap());
            assert_eq!(hash("koelnet"), manifest.network_sha256, "{}", manifest.name);
            assert_eq!(hash("checkpoint"), manifest.checkpoint_sha256, "{}", manifest.name);
            // Of millions of positions one in a million may be further off.
            let QuantisationError { mean, most, far, positions } = manifest.quantisation;
            let is_exact = mean <= 3.0 && most <= 25.0 && far <= positions / 1_000_000;
            let is_exact = is_exact && positions >= 10_000;
            assert!(is_exact || manifest.name != koel_eval::BUILT_IN, "{}", manifest.name);
            let parent = manifest.parent.map(|name| nets.join(name).with_extension("checkpoint"));
            assert!(parent.is_none_or(|path| path.is_file()), "{}", manifest.name);
            names.push(manifest.name);
        }
        assert!(names.iter().any(|name| name == koel_eval::BUILT_IN), "{names:?}");
    }
}
