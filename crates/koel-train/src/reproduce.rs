//! A network made again from its manifest, and held against it.

use std::fs::{self, File};
use std::path::Path;

use thiserror::Error;

use crate::judge::{JudgeError, evaluation};
use crate::making::{Made, MakingError, Order, file_error, make};
use crate::manifest::Manifest;
use crate::selfplay::{GAMES_FILE, Goal, SelfplayError, selfplay};
use crate::sha256::sha256;
use crate::train::learner::Workforce;

/// Why a network could not be made again.
#[derive(Debug, Error)]
pub enum ReproduceError {
    /// The manifest cannot be understood.
    #[error("{0}")]
    Manifest(String),
    /// The games could not be played.
    #[error(transparent)]
    Selfplay(#[from] SelfplayError),
    /// The network that played them cannot be read.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// The network could not be trained.
    #[error(transparent)]
    Making(#[from] MakingError),
    /// Something came out otherwise.
    #[error("{what}: SHA-256 {found}, not {expected}")]
    Differs {
        /// What.
        what: String,
        /// The hash in the manifest.
        expected: String,
        /// The hash of what came out.
        found: String,
    },
}

/// Plays the games of a manifest again, trains, and compares the hashes at each step. The games
/// are kept in the folder `work`, and gone on with if there are some already. `tell` gets a line
/// of text now and then.
///
/// # Errors
/// Something differs or fails: see [`ReproduceError`]. Games that differ were played by another
/// engine: the manifest names the commit.
pub fn reproduce(
    manifest_path: &Path,
    work: &Path,
    workforce: Workforce,
    tell: &mut dyn FnMut(&str),
) -> Result<Made, ReproduceError> {
    let text =
        fs::read_to_string(manifest_path).map_err(|source| file_error(manifest_path, source))?;
    let manifest: Manifest = toml::from_str(&text).map_err(|error| {
        ReproduceError::Manifest(format!("{}: {error}", manifest_path.display()))
    })?;
    let nets = manifest_path.parent().unwrap_or(Path::new("."));
    let mut folders = Vec::new();
    for (number, games) in (1..).zip(&manifest.data) {
        let folder = work.join(format!("{}-{number}", manifest.name));
        let goal = Goal { positions: u64::MAX, games: games.games };
        let evaluation = evaluation(&games.settings.evaluation, nets)?;
        selfplay(&folder, &games.settings, &evaluation, goal, workforce.threads, tell)?;
        let path = folder.join(GAMES_FILE);
        let found = File::open(&path).and_then(sha256);
        let found = found.map_err(|source| file_error(&path, source))?;
        let what = || format!("the games of {} (commit {})", path.display(), games.settings.commit);
        compare(what, &games.sha256, &found)?;
        tell(&format!("{} games are the same", games.games));
        folders.push(folder);
    }
    let parent = manifest.parent.as_ref().map(|name| {
        let path = manifest_path.with_file_name(format!("{name}.checkpoint"));
        let bytes = fs::read(&path).map_err(|source| file_error(&path, source))?;
        Ok::<_, MakingError>((name.clone(), bytes))
    });
    let order = Order {
        name: manifest.name.clone(),
        folders,
        shape: (manifest.king_buckets, manifest.neurons),
        parent: parent.transpose()?,
        plan: manifest.plan,
        workforce,
    };
    let made = make(&order, tell)?;
    let found = &made.manifest;
    compare(|| "the checkpoint".to_owned(), &manifest.checkpoint_sha256, &found.checkpoint_sha256)?;
    compare(|| "the network".to_owned(), &manifest.network_sha256, &found.network_sha256)?;
    Ok(made)
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
    use std::path::PathBuf;

    use koel_eval::network::simd::InstructionSet;

    use super::*;
    use crate::selfplay::Settings;
    use crate::train::plan::Plan;

    /// How many games the miniature plays; a long run sets more.
    fn games() -> u32 {
        std::env::var("KOEL_REPRODUCE_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(80)
    }

    fn folder(name: &str) -> PathBuf {
        let path =
            std::env::temp_dir().join(format!("koel-reproduce-{}-{name}", std::process::id()));
        drop(fs::remove_dir_all(&path));
        path
    }

    /// Two generations: games, a network, games that it plays, a network that begins with the
    /// first.
    #[test]
    fn networks_are_made_again_from_their_manifests() {
        let [first, second, nets, again] = ["first", "second", "nets", "again"].map(folder);
        let settings = Settings { soft_nodes: 20, sane_nodes: 50, ..Settings::default() };
        let goal = Goal { positions: u64::MAX, games: games() };
        let by_hand = evaluation(&settings.evaluation, &nets).unwrap();
        selfplay(&first, &settings, &by_hand, goal, 2, &mut |_| ()).unwrap();
        let workforce = |threads| Workforce { threads, level: InstructionSet::detect() };
        let mut order = Order {
            name: "one".to_owned(),
            folders: vec![first.clone()],
            shape: (1, 256),
            parent: None,
            plan: Plan { epochs: 3, batch: 256, ..Plan::default() },
            workforce: workforce(1),
        };
        let one = make(&order, &mut |_| ()).unwrap();
        one.save(&nets).unwrap();
        let settings = Settings { evaluation: "one".to_owned(), ..settings };
        let by_network = evaluation("one", &nets).unwrap();
        selfplay(&second, &settings, &by_network, goal, 2, &mut |_| ()).unwrap();
        order.folders = vec![first.clone(), second.clone()];
        order.parent = Some(("one".to_owned(), one.checkpoint.clone()));
        order.name = "two".to_owned();
        let two = make(&order, &mut |_| ()).unwrap();
        two.save(&nets).unwrap();
        assert_ne!(one.network, two.network);
        for (name, expected) in [("one", &one), ("two", &two)] {
            let path = nets.join(format!("{name}.toml"));
            let made = reproduce(&path, &again, workforce(2), &mut |_| ()).unwrap();
            assert!(made == *expected, "{name}");
            assert_eq!(fs::read(nets.join(format!("{name}.koelnet"))).unwrap(), made.network);
        }

        let path = nets.join("one.toml");
        let text = fs::read_to_string(&path).unwrap();
        for (found, changed) in
            [("soft_nodes = 20", "soft_nodes = 21"), ("epochs = 3", "epochs = 2")]
        {
            fs::write(&path, text.replace(found, changed)).unwrap();
            let error = reproduce(&path, &folder("other"), workforce(1), &mut |_| ()).unwrap_err();
            assert!(matches!(error, ReproduceError::Differs { .. }), "{error}");
        }
        for path in [first, second, nets, again, folder("other")] {
            drop(fs::remove_dir_all(path));
        }
    }
}
