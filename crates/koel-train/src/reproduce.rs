//! Reproduction of a network from its manifest.

use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::hash::sha256_of_file;
use crate::load_evaluation::load_evaluation;
use crate::manifest::Manifest;
use crate::pipeline::{TrainedNetwork, TrainingJob, read_checkpoint, train_network};
use crate::selfplay::{GAMES_FILE, SelfplayGoal, selfplay};
use crate::toml_file::read_toml;
use crate::train::compute::ComputeOptions;

/// Plays the games of a manifest again, trains the network, and compares the hashes at each step.
/// The folder `work` holds the games; an interrupted run there is continued. The network that
/// played the games and the checkpoints of the parent and the teachers are read from the folder of
/// the manifest. `report` receives lines of progress.
///
/// # Errors
/// A file cannot be read, or the games, the checkpoint or the network differ from the original. If
/// the games differ, another version of the engine played them: the manifest names its commit.
pub(crate) fn reproduce(
    manifest_path: &Path,
    work: &Path,
    compute: ComputeOptions,
    report: &mut dyn FnMut(&str),
) -> Result<TrainedNetwork> {
    let manifest = read_toml::<Manifest>(manifest_path)?
        .with_context(|| format!("{}: there is no such file", manifest_path.display()))?;
    let nets = manifest_path.parent().unwrap_or(Path::new("."));
    let mut folders = Vec::new();
    for (number, run) in (1..).zip(&manifest.data) {
        let folder = work.join(format!("{}-{number}", manifest.name));
        let evaluation = load_evaluation(&run.settings.evaluation, nets)?;
        let goal = SelfplayGoal::games(run.games);
        selfplay(&folder, &run.settings, &evaluation, goal, compute.threads, report)?;
        let path = folder.join(GAMES_FILE);
        let what = format!("the games of {} (commit {})", path.display(), run.settings.commit);
        compare(&what, &run.sha256, &sha256_of_file(&path, u64::MAX)?)?;
        report(&format!("{} games are identical", run.games));
        folders.push(folder);
    }
    let checkpoint = |name: &String| read_checkpoint(name, nets);
    let job = TrainingJob {
        name: manifest.name.clone(),
        folders,
        shape: (manifest.king_buckets, manifest.neurons),
        parent: manifest.parent.as_ref().map(checkpoint).transpose()?,
        teachers: manifest.teachers.iter().map(checkpoint).collect::<Result<_>>()?,
        plan: manifest.plan,
        compute,
        state_file: None,
    };
    let network = train_network(&job, report)?;
    let found = &network.manifest;
    compare("the checkpoint", &manifest.checkpoint_sha256, &found.checkpoint_sha256)?;
    compare("the network", &manifest.network_sha256, &found.network_sha256)?;
    Ok(network)
}

fn compare(what: &str, expected: &str, found: &str) -> Result<()> {
    if expected == found {
        return Ok(());
    }
    bail!("{what}: SHA-256 {found}, not {expected}")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::load_evaluation::MATERIAL;
    use crate::phase_values::PhaseValues;
    use crate::selfplay_settings::SelfplaySettings;
    use crate::testing::Scratch;
    use crate::train::plan::TrainingPlan;

    /// The number of games of each generation, which the environment can raise.
    fn games() -> u32 {
        std::env::var("KOEL_REPRODUCE_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(80)
    }

    /// Trains a network with games of the evaluation by material, and with its games a second
    /// network that continues from the first, which labels positions as well.
    #[test]
    fn networks_are_made_again_from_their_manifests() {
        let scratch = Scratch::new("reproduce");
        let [first, second, nets, again] =
            ["first", "second", "nets", "again"].map(|name| scratch.0.join(name));
        let settings = SelfplaySettings {
            evaluation: MATERIAL.to_owned(),
            soft_nodes: PhaseValues::uniform(20),
            opening_nodes: 50,
            tree_position_share: 0.5,
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
        job.teachers = job.parent.clone().into_iter().collect();
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
            let error = reproduce(&path, &scratch.0.join(changed), compute(1), &mut |_| ());
            let error = error.unwrap_err().to_string();
            assert!(error.contains("SHA-256"), "{error}");
        }
    }
}
