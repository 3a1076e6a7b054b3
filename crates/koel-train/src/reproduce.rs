//! Reproduction of a network from its manifest.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use koel_eval::{KING_BUCKETS, NEURONS};

use crate::hash::sha256_of_file;
use crate::load_evaluation::load_evaluation;
use crate::manifest::Manifest;
use crate::pipeline::{TrainingJob, read_checkpoints, train_network};
use crate::selfplay::{GAMES_FILE, SelfplayGoal, selfplay};
use crate::toml_file::read_toml;
use crate::train::compute::ComputeOptions;

/// Plays the games of a manifest again, trains the network, and compares the hashes at each step.
/// The folder `work` holds the games; an interrupted run there is continued. Games that lie in a
/// folder of `kept` are not played again. The networks that the manifest names are read from its
/// folder. `report` receives lines of progress.
///
/// # Errors
/// A file cannot be read, the manifest is of an earlier trainer, imported games are in no folder of
/// `kept`, or the games, the checkpoint or the network differ from the original. If the games
/// differ, another version of the engine played them: the manifest names its commit.
pub(crate) fn reproduce(
    manifest_path: &Path,
    work: &Path,
    kept: &[PathBuf],
    compute: ComputeOptions,
    report: &mut dyn FnMut(&str),
) -> Result<()> {
    let name = manifest_path.display();
    let table = read_toml::<toml::Table>(manifest_path)?
        .with_context(|| format!("{name}: there is no such file"))?;
    let manifest: Manifest = table.try_into().with_context(|| {
        format!(
            "{name}: not a manifest of this trainer. One of an earlier trainer is reproduced at \
             its commit, which the manifest names below `data.settings`"
        )
    })?;
    let nets = manifest_path.parent().unwrap_or(Path::new("."));
    let hash_of = |folder: &PathBuf| {
        Ok((sha256_of_file(&folder.join(GAMES_FILE), u64::MAX)?, folder.clone()))
    };
    let kept = kept.iter().map(hash_of).collect::<Result<BTreeMap<_, _>>>()?;
    let mut folders = Vec::new();
    for (number, run) in (1..).zip(&manifest.data) {
        if let Some(folder) = kept.get(&run.sha256) {
            report(&format!("{}: {} games are those of the manifest", folder.display(), run.games));
            folders.push(folder.clone());
            continue;
        }
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
    let parents = read_checkpoints(&manifest.parents, nets)?;
    let new = TrainingJob::new(&manifest.name, folders);
    let job = TrainingJob { parents, plan: manifest.plan, compute, ..new };
    let found = train_network::<KING_BUCKETS, NEURONS>(&job, report)?.manifest;
    compare("the checkpoint", &manifest.checkpoint_sha256, &found.checkpoint_sha256)?;
    compare("the network", &manifest.network_sha256, &found.network_sha256)
}

fn compare(what: &str, expected: &str, found: &str) -> Result<()> {
    ensure!(expected == found, "{what}: SHA-256 {found}, not {expected}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::load_evaluation::MATERIAL;
    use crate::selfplay_settings::SelfplaySettings;
    use crate::train::plan::TrainingPlan;

    /// The number of games of each generation, which the environment can raise.
    fn games() -> u32 {
        std::env::var("KOEL_REPRODUCE_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(80)
    }

    /// Trains a network with games by material, and a second one that continues from it with its
    /// games too.
    #[test]
    fn networks_are_made_again_from_their_manifests() {
        let folder = tempfile::tempdir().unwrap();
        let [nets, again] = ["nets", "again"].map(|name| folder.path().join(name));
        let compute = ComputeOptions::with_threads(2);
        let manifest = |name: &str| nets.join(name).with_extension("toml");
        let mut job = TrainingJob::new("", Vec::new());
        job.plan = TrainingPlan { epochs: 3, batch_size: 256, ..TrainingPlan::default() };
        for (name, evaluation) in [("one", MATERIAL), ("two", "one")] {
            let settings =
                SelfplaySettings { evaluation: evaluation.to_owned(), ..SelfplaySettings::quick() };
            let (played, goal) = (folder.path().join(name), SelfplayGoal::games(games()));
            let evaluation = load_evaluation(evaluation, &nets).unwrap();
            selfplay(&played, &settings, &evaluation, goal, 2, &mut |_| ()).unwrap();
            job.folders.push(played);
            job.name = name.to_owned();
            let trained = train_network::<KING_BUCKETS, NEURONS>(&job, &mut |_| ()).unwrap();
            trained.save(&nets).unwrap();
            job.parents = vec![(name.to_owned(), trained.checkpoint)];
            reproduce(&manifest(name), &again, &[], compute, &mut |_| ()).unwrap();
        }
        // Kept games need no player.
        let [text, two] = ["one", "two"].map(|name| fs::read_to_string(manifest(name)).unwrap());
        let imported = two.replace("evaluation = \"one\"", "evaluation = \"imported\"");
        fs::write(manifest("two"), imported).unwrap();
        let without = |kept: &[PathBuf]| {
            reproduce(&manifest("two"), &folder.path().join("empty"), kept, compute, &mut |_| ())
        };
        let error = without(&[folder.path().join("one")]).unwrap_err().to_string();
        assert!(error.contains("cannot be played again"), "{error}");
        without(&["one", "two"].map(|name| folder.path().join(name))).unwrap();
        for (found, changed) in
            [("soft_nodes = 20", "soft_nodes = 21"), ("epochs = 3", "epochs = 2")]
        {
            fs::write(manifest("one"), text.replace(found, changed)).unwrap();
            let work = folder.path().join(changed);
            let error = reproduce(&manifest("one"), &work, &[], compute, &mut |_| ()).unwrap_err();
            assert!(error.to_string().contains("SHA-256"), "{error}");
        }
        fs::write(manifest("one"), format!("best_epoch = 3\n{text}")).unwrap();
        let error = reproduce(&manifest("one"), &again, &[], compute, &mut |_| ()).unwrap_err();
        assert!(
            error.to_string().contains("One of an earlier trainer is reproduced at its commit")
        );
    }
}
