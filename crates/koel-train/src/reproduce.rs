//! Reproduction of a network from its manifest.

use std::path::Path;

use koel_files::{ANY_SIZE, IN_MEMORY, SETTINGS};
use thiserror::Error;

use crate::from_toml::from_toml;
use crate::hash::sha256_of_reader;
use crate::load_evaluation::{LoadEvaluationError, load_evaluation};
use crate::manifest::Manifest;
use crate::pipeline::{TrainedNetwork, TrainingError, TrainingJob, file_error, train_network};
use crate::selfplay::{GAMES_FILE, SelfplayError, SelfplayGoal, selfplay};
use crate::train::compute::ComputeOptions;

/// Reasons why a network could not be reproduced.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReproduceError {
    /// The manifest cannot be read.
    #[error("{0}")]
    Manifest(String),
    /// The games could not be played.
    #[error(transparent)]
    Selfplay(#[from] SelfplayError),
    /// The evaluation that played the games cannot be loaded.
    #[error(transparent)]
    Evaluation(#[from] LoadEvaluationError),
    /// The network could not be trained.
    #[error(transparent)]
    Training(#[from] TrainingError),
    /// The games, the checkpoint or the network differ from the original.
    #[error("{what}: SHA-256 {found}, not {expected}")]
    Differs {
        /// The thing that differs.
        what: String,
        /// The hash in the manifest.
        expected: String,
        /// The hash found.
        found: String,
    },
}

/// Plays the games of a manifest again, trains the network, and compares the hashes at each step.
/// The folder `work` holds the games; an interrupted run there is continued. The network that
/// played the games and the parent's checkpoint are read from the folder of the manifest. `report`
/// receives lines of progress.
///
/// # Errors
/// See [`ReproduceError`]. If the games differ, another version of the engine played them: the
/// manifest names its commit.
pub fn reproduce(
    manifest_path: &Path,
    work: &Path,
    compute: ComputeOptions,
    report: &mut dyn FnMut(&str),
) -> Result<TrainedNetwork, ReproduceError> {
    let text = koel_files::read_to_string(manifest_path, SETTINGS)
        .map_err(|source| file_error(manifest_path, source))?;
    let manifest: Manifest = from_toml(&text, manifest_path).map_err(ReproduceError::Manifest)?;
    let nets = manifest_path.parent().unwrap_or(Path::new("."));
    let mut folders = Vec::new();
    for (number, run) in (1..).zip(&manifest.data) {
        let folder = work.join(format!("{}-{number}", manifest.name));
        let evaluation = load_evaluation(&run.settings.evaluation, nets)?;
        let goal = SelfplayGoal::games(run.games);
        selfplay(&folder, &run.settings, &evaluation, goal, compute.threads, report)?;
        let path = folder.join(GAMES_FILE);
        let found = koel_files::open(&path, ANY_SIZE).and_then(sha256_of_reader);
        let found = found.map_err(|source| file_error(&path, source))?;
        let what = || format!("the games of {} (commit {})", path.display(), run.settings.commit);
        compare(what, &run.sha256, &found)?;
        report(&format!("{} games are identical", run.games));
        folders.push(folder);
    }
    let parent = manifest.parent.as_ref().map(|name| {
        let path = manifest_path.with_file_name(format!("{name}.checkpoint"));
        let bytes =
            koel_files::read(&path, IN_MEMORY).map_err(|source| file_error(&path, source))?;
        Ok::<_, TrainingError>((name.clone(), bytes))
    });
    let job = TrainingJob {
        name: manifest.name.clone(),
        folders,
        shape: (manifest.king_buckets, manifest.neurons),
        parent: parent.transpose()?,
        plan: manifest.plan,
        compute,
        state_file: None,
    };
    let network = train_network(&job, report)?;
    let found = &network.manifest;
    compare(|| "the checkpoint".to_owned(), &manifest.checkpoint_sha256, &found.checkpoint_sha256)?;
    compare(|| "the network".to_owned(), &manifest.network_sha256, &found.network_sha256)?;
    Ok(network)
}

fn compare(what: impl Fn() -> String, expected: &str, found: &str) -> Result<(), ReproduceError> {
    if expected == found {
        return Ok(());
    }
    let (expected, found) = (expected.to_owned(), found.to_owned());
    Err(ReproduceError::Differs { what: what(), expected, found })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;
    use crate::load_evaluation::MATERIAL;
    use crate::selfplay::settings::SelfplaySettings;
    use crate::train::plan::TrainingPlan;

    /// The number of games of each generation, which the environment can raise.
    fn games() -> u32 {
        std::env::var("KOEL_REPRODUCE_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(80)
    }

    fn folder(name: &str) -> PathBuf {
        let path =
            std::env::temp_dir().join(format!("koel-reproduce-{}-{name}", std::process::id()));
        drop(fs::remove_dir_all(&path));
        path
    }

    /// Trains a network with games of the evaluation by material, and with its games a second
    /// network that continues from the first.
    #[test]
    fn networks_are_made_again_from_their_manifests() {
        let [first, second, nets, again] = ["first", "second", "nets", "again"].map(folder);
        let settings = SelfplaySettings {
            evaluation: MATERIAL.to_owned(),
            soft_nodes: 20,
            opening_nodes: 50,
            ..SelfplaySettings::default()
        };
        let goal = SelfplayGoal::games(games());
        let material = load_evaluation(MATERIAL, &nets).unwrap();
        selfplay(&first, &settings, &material, goal, 2, &mut |_| ()).unwrap();
        let mut job = TrainingJob::new("one", vec![first.clone()]);
        job.plan = TrainingPlan { epochs: 3, batch_size: 256, ..TrainingPlan::default() };
        let one = train_network(&job, &mut |_| ()).unwrap();
        one.save(&nets).unwrap();
        let settings = SelfplaySettings { evaluation: "one".to_owned(), ..settings };
        let network = load_evaluation("one", &nets).unwrap();
        selfplay(&second, &settings, &network, goal, 2, &mut |_| ()).unwrap();
        job.folders = vec![first.clone(), second.clone()];
        job.parent = Some(("one".to_owned(), one.checkpoint.clone()));
        job.name = "two".to_owned();
        let two = train_network(&job, &mut |_| ()).unwrap();
        two.save(&nets).unwrap();
        assert_ne!(one.network, two.network);
        let compute = ComputeOptions::with_threads;
        for (name, expected) in [("one", &one), ("two", &two)] {
            let path = nets.join(format!("{name}.toml"));
            let found = reproduce(&path, &again, compute(2), &mut |_| ()).unwrap();
            assert!(found == *expected, "{name}");
            assert_eq!(fs::read(nets.join(format!("{name}.koelnet"))).unwrap(), found.network);
        }

        let path = nets.join("one.toml");
        let text = fs::read_to_string(&path).unwrap();
        for (found, changed) in
            [("soft_nodes = 20", "soft_nodes = 21"), ("epochs = 3", "epochs = 2")]
        {
            fs::write(&path, text.replace(found, changed)).unwrap();
            let error = reproduce(&path, &folder("other"), compute(1), &mut |_| ()).unwrap_err();
            assert!(matches!(error, ReproduceError::Differs { .. }), "{error}");
        }
        for path in [first, second, nets, again, folder("other")] {
            drop(fs::remove_dir_all(path));
        }
    }
}
