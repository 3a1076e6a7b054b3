//! The pipeline from folders of games to a network and its manifest.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use koel_chart::{Line, LineChart};
use koel_files::IN_MEMORY;

use crate::hash::{sha256_of, sha256_of_file};
use crate::kept_positions::SeenPositions;
use crate::manifest::Manifest;
use crate::selfplay::{GAMES_FILE, RunFolder};
use crate::selfplay_settings::SelfplayRun;
use crate::train::compute::ComputeOptions;
use crate::train::dataset::{Dataset, DatasetOptions};
use crate::train::plan::{OutputFactors, TrainingPlan};
use crate::train::state_file::{self, TrainingIdentity};
use crate::train::trainable_network::TrainableNetwork;
use crate::train::trainer::{EpochLoss, Training};

/// A network to train.
#[derive(Clone, Debug)]
pub(crate) struct TrainingJob {
    /// The name of the network.
    pub(crate) name: String,
    /// Folders of self-play.
    pub(crate) folders: Vec<PathBuf>,
    /// The names and the checkpoints of the networks to continue from: the initial weights are the
    /// means of theirs. Without one, as by default, they are random.
    pub(crate) parents: Vec<(String, Vec<u8>)>,
    /// The settings that determine the weights.
    pub(crate) plan: TrainingPlan,
    /// Threads and instruction set.
    pub(crate) compute: ComputeOptions,
    /// The file that holds the state of the training after each epoch. If it exists, the training
    /// continues from it, with the games that it began with; the weights are those of a training
    /// without interruption. Without one, as by default, no state is kept.
    pub(crate) state_file: Option<PathBuf>,
}

impl TrainingJob {
    /// Creates a job with the default plan.
    pub(crate) fn new(name: &str, folders: Vec<PathBuf>) -> TrainingJob {
        TrainingJob {
            name: name.to_owned(),
            folders,
            parents: Vec::new(),
            plan: TrainingPlan::default(),
            compute: ComputeOptions::default(),
            state_file: None,
        }
    }
}

/// Reads the checkpoint of a network in a folder, with its name.
pub(crate) fn read_checkpoint(name: &str, folder: &Path) -> Result<(String, Vec<u8>)> {
    let path = folder.join(format!("{name}.checkpoint"));
    let bytes = koel_files::read(&path, IN_MEMORY);
    Ok((name.to_owned(), bytes.with_context(|| path.display().to_string())?))
}

/// Reads the checkpoints of networks in a folder, with their names.
pub(crate) fn read_checkpoints(names: &[String], folder: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    names.iter().map(|name| read_checkpoint(name, folder)).collect()
}

/// A network with its checkpoint, chart and manifest.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TrainedNetwork {
    /// The bytes of the network file.
    pub(crate) network: Vec<u8>,
    /// The bytes of the checkpoint.
    pub(crate) checkpoint: Vec<u8>,
    /// The losses as an SVG chart.
    pub(crate) chart: String,
    /// The manifest.
    pub(crate) manifest: Manifest,
}

/// Trains a network of `K` king buckets and `N` neurons for each side. `report` receives a line of
/// text for the data and for each epoch.
///
/// # Errors
/// The games or the parents cannot be used, the state is that of another training, or the loss is
/// not finite.
pub(crate) fn train_network<const K: usize, const N: usize>(
    job: &TrainingJob,
    report: &mut dyn FnMut(&str),
) -> Result<TrainedNetwork> {
    let (mut trained, dataset, identity) = begin::<K, N>(job, report)?;
    let (training_positions, validation_positions) =
        (dataset.training.len(), dataset.validation.len());
    for epoch in trained.losses.len() as u32 + 1..=job.plan.epochs {
        let start = Instant::now();
        let EpochLoss { training, validation } =
            trained.run_epoch(&dataset, &job.plan, job.compute);
        let validated = validation.map(|loss| format!(", validation loss {loss:.6}"));
        let losses = format!("training loss {training:.6}{}", validated.unwrap_or_default());
        ensure!(
            training.is_finite() && validation.is_none_or(f64::is_finite),
            "epoch {epoch}: {losses}: expected finite numbers, so choose smaller rates or a larger \
             scale"
        );
        let speed = training_positions as f64 / start.elapsed().as_secs_f64() / 1e6;
        report(&format!("epoch {epoch}: {losses}, {speed:.2} M positions/s"));
        if let Some(path) = &job.state_file {
            state_file::write(path, &identity, &trained)?;
        }
    }
    let mut model = trained.model;
    if let Some(OutputFactors(factors)) = &job.plan.output_factors {
        model.scale_outputs(factors);
    }
    let network = Arc::new(model.quantised()?);
    let quantisation = model.quantisation_error(&network, &dataset.validation);
    let (network, checkpoint) = (network.to_bytes(), model.to_bytes());
    let manifest = Manifest {
        name: job.name.clone(),
        parents: job.parents.iter().map(|(name, _)| name.clone()).collect(),
        king_buckets: K,
        neurons: N,
        training_positions,
        validation_positions,
        training_losses: trained.losses.iter().map(|loss| loss.training).collect(),
        validation_losses: trained.losses.iter().filter_map(|loss| loss.validation).collect(),
        checkpoint_sha256: sha256_of(&checkpoint),
        network_sha256: sha256_of(&network),
        strength: Vec::new(),
        quantisation,
        plan: job.plan,
        data: identity.data,
    };
    let chart = chart(&job.name, &trained.losses);
    Ok(TrainedNetwork { network, checkpoint, chart, manifest })
}

/// Reads the games, and returns the training at its beginning or as it was saved.
fn begin<const K: usize, const N: usize>(
    job: &TrainingJob,
    report: &mut dyn FnMut(&str),
) -> Result<(Training<f32, K, N>, Dataset, TrainingIdentity)> {
    let saved = match &job.state_file {
        Some(path) => state_file::read::<K, N>(path)?.map(|saved| (path, saved)),
        None => None,
    };
    let read_parent = |(name, bytes): &(String, Vec<u8>)| {
        TrainableNetwork::from_bytes(bytes).with_context(|| format!("the parent {name}"))
    };
    let parents = job.parents.iter().map(read_parent).collect::<Result<Vec<_>>>()?;
    let model = match &parents[..] {
        [] => TrainableNetwork::random(job.plan.seed),
        parents => TrainableNetwork::mean_of(parents),
    };
    let limits = match &saved {
        Some((_, (identity, _))) => identity.data.iter().map(|run| run.games).collect(),
        None => Vec::new(),
    };
    let options = DatasetOptions::of_plan(&job.plan);
    let (dataset, data) = read(&job.folders, limits, &options)?;
    report(&format!(
        "{} games, {} positions, {} for training, {} for validation",
        dataset.games,
        dataset.positions,
        dataset.training.len(),
        dataset.validation.len()
    ));
    if dataset.training.is_empty() {
        bail!("there are no positions to train with");
    }
    let identity = TrainingIdentity {
        king_buckets: K,
        neurons: N,
        parent_sha256: (!parents.is_empty()).then(|| sha256_of(&model.to_bytes())),
        plan: job.plan,
        data,
    };
    let training = match saved {
        None => Training::new(model),
        Some((path, (found, _))) if found != identity => bail!(state_file::of_another(path)),
        Some((_, (_, training))) => {
            report(&format!("continued after epoch {}", training.losses.len()));
            training
        }
    };
    Ok((training, dataset, identity))
}

/// Reads the games of all folders, at most as many of each as `limits` says if it says so, and
/// describes each run.
fn read(
    folders: &[PathBuf],
    limits: Vec<u32>,
    options: &DatasetOptions,
) -> Result<(Dataset, Vec<SelfplayRun>)> {
    let mut dataset = Dataset::default();
    let mut seen = SeenPositions::default();
    let mut data = Vec::new();
    let mut limits = limits.into_iter();
    for folder in folders {
        let path = folder.join(GAMES_FILE);
        let limit = limits.next().unwrap_or(u32::MAX);
        let (games, end) = dataset.read(&path, limit, options, &mut seen)?;
        let sha256 = sha256_of_file(&path, end)?;
        let settings = RunFolder(folder).settings()?;
        data.push(SelfplayRun { games, sha256, settings });
    }
    Ok((dataset, data))
}

fn chart(name: &str, losses: &[EpochLoss]) -> String {
    let line = |name: &str, loss: fn(&EpochLoss) -> Option<f64>| Line {
        name: name.to_owned(),
        points: (1..).map(f64::from).zip(losses.iter().filter_map(loss)).collect(),
    };
    let mut lines = vec![
        line("training", |loss| Some(loss.training)),
        line("validation", |loss| loss.validation),
    ];
    lines.retain(|line| !line.points.is_empty());
    let chart = LineChart {
        title: format!("{name}: mean squared error of the expected score"),
        x_name: "epoch".to_owned(),
        lines,
        ..LineChart::default()
    };
    chart.draw()
}

impl TrainedNetwork {
    /// The extensions of its files.
    pub(crate) const EXTENSIONS: [&str; 4] = ["koelnet", "checkpoint", "svg", "toml"];

    /// Writes the network, checkpoint, chart and manifest into a folder.
    ///
    /// # Errors
    /// A file cannot be written.
    pub(crate) fn save(&self, folder: &Path) -> Result<()> {
        let manifest = toml::to_string(&self.manifest)?;
        let files: [&[u8]; 4] =
            [&self.network, &self.checkpoint, self.chart.as_bytes(), manifest.as_bytes()];
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        for (extension, bytes) in TrainedNetwork::EXTENSIONS.iter().zip(files) {
            let path = folder.join(format!("{}.{extension}", self.manifest.name));
            koel_files::replace(&path, bytes).with_context(|| path.display().to_string())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use koel_eval::network::OUTPUT_BUCKETS;

    use super::*;
    use crate::selfplay_settings::SelfplaySettings;
    use crate::testing::play_run;

    /// Continues a training from its state, also after more games were played into the folder.
    #[test]
    fn a_training_continues_with_the_games_that_it_began_with() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        play_run(folder, &SelfplaySettings::quick(), 20);
        let mut job = TrainingJob::new("a", vec![folder.to_owned()]);
        job.plan = TrainingPlan { epochs: 2, batch_size: 100, ..TrainingPlan::default() };
        let expected = train_network::<1, 64>(&job, &mut |_| ()).unwrap();
        job.state_file = Some(folder.join("a.training"));
        assert_eq!(train_network::<1, 64>(&job, &mut |_| ()).unwrap(), expected);
        play_run(folder, &SelfplaySettings::quick(), 30);
        let mut lines = Vec::new();
        let again = train_network::<1, 64>(&job, &mut |line| lines.push(line.to_owned())).unwrap();
        assert_eq!(again, expected);
        assert!(lines.iter().any(|line| line == "continued after epoch 2"), "{lines:?}");

        job.state_file = Some(folder.join("b.training"));
        job.plan.sigmoid_scale = 1e-300;
        let error = train_network::<1, 64>(&job, &mut |_| ()).unwrap_err().to_string();
        assert!(error.contains("training loss NaN, validation loss"), "{error}");
        assert!(!folder.join("b.training").exists());

        job.state_file = Some(folder.join("a.training"));
        job.plan = TrainingPlan { epochs: 3, ..expected.manifest.plan };
        let error = train_network::<1, 64>(&job, &mut |_| ()).unwrap_err().to_string();
        assert!(error.contains("the state of a training with other settings"), "{error}");
    }

    /// The first two games are no validation games.
    #[test]
    fn without_a_validation_game_there_is_no_validation_loss() {
        let folder = tempfile::tempdir().unwrap();
        play_run(folder.path(), &SelfplaySettings::quick(), 2);
        let mut job = TrainingJob::new("a", vec![folder.path().to_owned()]);
        job.plan.epochs = 1;
        job.state_file = Some(folder.path().join("a.training"));
        let mut text = String::new();
        let trained = train_network::<1, 64>(&job, &mut |line| text += line).unwrap();
        let manifest = &trained.manifest;
        assert_eq!((manifest.training_losses.len(), manifest.validation_losses.len()), (1, 0));
        assert!(!text.contains("validation loss") && !trained.chart.contains("validation"));
        assert_eq!(train_network::<1, 64>(&job, &mut |_| ()).unwrap(), trained);
    }

    /// A stream: a constant rate, its labels in two parts, its moments rebuilt by a warm-up.
    #[test]
    fn a_stream_continues_from_its_checkpoint_and_the_new_labels_alone() {
        let [here, there] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let folders = [1, 2].map(|run| {
            let folder = here.path().join(run.to_string());
            play_run(&folder, &SelfplaySettings { run, ..SelfplaySettings::quick() }, 20);
            folder
        });
        let plan = TrainingPlan {
            epochs: 2,
            batch_size: 100,
            warm_up_steps: 5,
            final_learning_rate: TrainingPlan::default().initial_learning_rate,
            ..TrainingPlan::default()
        };
        let train = |folder: &PathBuf, parents: &[_]| {
            let new = TrainingJob::new("stream", vec![folder.clone()]);
            let job = TrainingJob { parents: parents.to_vec(), plan, ..new };
            train_network::<1, 64>(&job, &mut |_| ()).unwrap()
        };
        let first = train(&folders[0], &[]);
        let kept = ("stream".to_owned(), first.checkpoint.clone());
        let whole = train(&folders[1], &[kept]);
        first.save(there.path()).unwrap();
        let stopped = train(&folders[1], &[read_checkpoint("stream", there.path()).unwrap()]);
        assert!(stopped == whole && stopped.checkpoint != first.checkpoint);
    }

    /// A rate of zero leaves the weights as they began.
    #[test]
    fn a_training_begins_from_the_mean_of_its_parents_and_ends_with_the_factors() {
        let folder = tempfile::tempdir().unwrap();
        play_run(folder.path(), &SelfplaySettings::quick(), 20);
        let networks = [1, 2].map(TrainableNetwork::<f32, 1, 64>::random);
        let mut job = TrainingJob::new("mean", vec![folder.path().to_owned()]);
        job.parents = ["a", "b"]
            .into_iter()
            .zip(&networks)
            .map(|(name, network)| (name.to_owned(), network.to_bytes()))
            .collect();
        job.plan.epochs = 1;
        (job.plan.initial_learning_rate, job.plan.final_learning_rate) = (0.0, 0.0);
        let mut train = |output_factors| {
            job.plan.output_factors = output_factors;
            train_network::<1, 64>(&job, &mut |_| ()).unwrap()
        };
        let weights = |trained: &TrainedNetwork| {
            TrainableNetwork::<f32, 1, 64>::from_bytes(&trained.checkpoint).unwrap().weights
        };
        let plain = train(None);
        let pairs = networks[0].weights.iter().zip(&*networks[1].weights);
        for (found, (&a, &b)) in weights(&plain).iter().zip(pairs) {
            assert_eq!(*found, f64::midpoint(a.into(), b.into()) as f32);
        }
        assert_eq!(plain.manifest.parents, ["a", "b"]);
        let scaled = train(Some("1,2,1,1,1,1,1,4".parse().unwrap()));
        let layout = TrainableNetwork::<f32, 1, 64>::LAYOUT;
        let row = (layout.output_biases - layout.output_weights) / OUTPUT_BUCKETS;
        let pairs = weights(&plain).to_vec().into_iter().zip(weights(&scaled).to_vec());
        for (at, (plain, scaled)) in pairs.enumerate() {
            let bucket = match at {
                at if at >= layout.output_biases => at - layout.output_biases,
                at if at >= layout.output_weights => (at - layout.output_weights) / row,
                _ => 0,
            };
            let factor = [1.0, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 4.0][bucket];
            assert_eq!(scaled, plain * factor, "{at}");
        }
        let text = toml::to_string(&scaled.manifest).unwrap();
        assert_eq!(toml::from_str::<Manifest>(&text).unwrap(), scaled.manifest);
        let single = text.replace("parents = [\"a\", \"b\"]", "parent = \"a\"");
        assert_eq!(toml::from_str::<Manifest>(&single).unwrap().parents, ["a"]);
    }
}
