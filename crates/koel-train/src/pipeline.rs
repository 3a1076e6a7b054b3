//! The pipeline from folders of games to a network and its manifest.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use koel_chart::{Line, LineChart};
use koel_eval::network::NetworkError;
use koel_files::ANY_SIZE;
use thiserror::Error;

use crate::hash::{sha256_of, sha256_of_reader};
use crate::manifest::{Manifest, SelfplayRun};
use crate::seen_positions::SeenPositions;
use crate::selfplay::{GAMES_FILE, RunFolder, SelfplayError};
use crate::train::checkpoint::CheckpointError;
use crate::train::compute::ComputeOptions;
use crate::train::dataset::{Dataset, DatasetError, DatasetOptions};
use crate::train::plan::TrainingPlan;
use crate::train::trainable_network::TrainableNetwork;
use crate::train::trainer::{EpochLoss, train};

/// A network to train.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TrainingJob {
    /// The name of the network.
    pub name: String,
    /// Folders of self-play.
    pub folders: Vec<PathBuf>,
    /// King buckets and neurons for each side: one of [`SHAPES`]. (1, 256) by default.
    pub shape: (usize, usize),
    /// The name and the checkpoint of the network to continue from. Without one, as by default, the
    /// initial weights are random.
    pub parent: Option<(String, Vec<u8>)>,
    /// The settings that determine the weights.
    pub plan: TrainingPlan,
    /// Threads and instruction set.
    pub compute: ComputeOptions,
}

impl TrainingJob {
    /// Creates a job with the default shape and plan.
    #[must_use]
    pub fn new(name: &str, folders: Vec<PathBuf>) -> TrainingJob {
        TrainingJob {
            name: name.to_owned(),
            folders,
            shape: (1, 256),
            parent: None,
            plan: TrainingPlan::default(),
            compute: ComputeOptions::default(),
        }
    }
}

/// The shapes that can be trained: king buckets, and neurons for each side.
pub const SHAPES: [(usize, usize); 6] = [(1, 64), (1, 128), (1, 256), (1, 512), (4, 256), (4, 512)];

/// A network with its checkpoint, chart and manifest.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct TrainedNetwork {
    /// The bytes of the network file.
    pub network: Vec<u8>,
    /// The bytes of the checkpoint.
    pub checkpoint: Vec<u8>,
    /// The losses as an SVG chart.
    pub chart: String,
    /// The manifest.
    pub manifest: Manifest,
}

/// Reasons why a network cannot be trained.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainingError {
    /// The games cannot be read.
    #[error(transparent)]
    Games(#[from] DatasetError),
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// The path of the file.
        path: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The settings of a run cannot be read.
    #[error(transparent)]
    Run(#[from] SelfplayError),
    /// The manifest cannot be written.
    #[error("{0}")]
    Manifest(String),
    /// No position of the games is kept.
    #[error("there are no positions to train with")]
    Empty,
    /// The trainer is not compiled for this shape.
    #[error("{0} king buckets and {1} neurons: the available shapes are {SHAPES:?}")]
    Shape(usize, usize),
    /// The checkpoint of the parent cannot be used.
    #[error("the parent: {0}")]
    Parent(#[from] CheckpointError),
    /// The trained network cannot be quantised.
    #[error("{0}")]
    Network(#[from] NetworkError),
}

/// Trains a network. `report` receives a line of text for the data and for each epoch.
///
/// # Errors
/// See [`TrainingError`].
pub fn train_network(
    job: &TrainingJob,
    report: &mut dyn FnMut(&str),
) -> Result<TrainedNetwork, TrainingError> {
    match job.shape {
        (1, 64) => train_shape::<1, 64>(job, report),
        (1, 128) => train_shape::<1, 128>(job, report),
        (1, 256) => train_shape::<1, 256>(job, report),
        (1, 512) => train_shape::<1, 512>(job, report),
        (4, 256) => train_shape::<4, 256>(job, report),
        (4, 512) => train_shape::<4, 512>(job, report),
        (king_buckets, neurons) => Err(TrainingError::Shape(king_buckets, neurons)),
    }
}

fn train_shape<const K: usize, const N: usize>(
    job: &TrainingJob,
    report: &mut dyn FnMut(&str),
) -> Result<TrainedNetwork, TrainingError> {
    let model = match &job.parent {
        None => TrainableNetwork::<f32, K, N>::random(job.plan.seed),
        Some((_, bytes)) => TrainableNetwork::from_bytes_padded(bytes, job.plan.seed)?,
    };
    let (dataset, data) = read(&job.folders, &job.plan)?;
    let (training_positions, validation_positions) =
        (dataset.training.len(), dataset.validation.len());
    report(&format!(
        "{} games, {} positions, {training_positions} for training, {validation_positions} for \
         validation",
        dataset.games, dataset.positions
    ));
    if dataset.training.is_empty() {
        return Err(TrainingError::Empty);
    }
    let mut report_epoch = |epoch: u32, losses: EpochLoss, elapsed: Duration| {
        let speed = training_positions as f64 * f64::from(epoch) / elapsed.as_secs_f64() / 1e6;
        let EpochLoss { training, validation } = losses;
        report(&format!(
            "epoch {epoch}: training loss {training:.6}, validation loss {validation:.6}, \
             {speed:.2} M positions/s"
        ));
    };
    let trained = train(model, &dataset, &job.plan, job.compute, &mut report_epoch);
    let network = Arc::new(trained.model.quantised()?);
    let quantisation = trained.model.quantisation_error(&network, &dataset.validation);
    let (network, checkpoint) = (network.to_bytes(), trained.model.to_bytes());
    let losses = |loss: fn(&EpochLoss) -> f64| trained.losses.iter().map(loss).collect();
    let manifest = Manifest {
        name: job.name.clone(),
        parent: job.parent.as_ref().map(|parent| parent.0.clone()),
        king_buckets: K,
        neurons: N,
        training_positions,
        validation_positions,
        best_epoch: trained.best_epoch,
        training_losses: losses(|loss| loss.training),
        validation_losses: losses(|loss| loss.validation),
        checkpoint_sha256: sha256_of(&checkpoint),
        network_sha256: sha256_of(&network),
        strength: Vec::new(),
        quantisation,
        plan: job.plan,
        data,
    };
    let chart = chart(&job.name, &trained.losses);
    Ok(TrainedNetwork { network, checkpoint, chart, manifest })
}

/// Reads the games of all folders, and describes each run.
fn read(
    folders: &[PathBuf],
    plan: &TrainingPlan,
) -> Result<(Dataset, Vec<SelfplayRun>), TrainingError> {
    let mut dataset = Dataset::default();
    let options = DatasetOptions {
        td_lambda: plan.td_lambda,
        sigmoid_scale: plan.sigmoid_scale,
        ..DatasetOptions::default()
    };
    let mut seen = SeenPositions::new();
    let mut data = Vec::new();
    for folder in folders {
        let path = folder.join(GAMES_FILE);
        let (games, end) = dataset.read(&path, &options, &mut seen)?;
        let file = koel_files::open(&path, ANY_SIZE).map_err(|source| file_error(&path, source))?;
        let sha256 =
            sha256_of_reader(file.take(end)).map_err(|source| file_error(&path, source))?;
        let settings = RunFolder(folder).settings()?;
        data.push(SelfplayRun { games, sha256, settings });
    }
    Ok((dataset, data))
}

fn chart(name: &str, losses: &[EpochLoss]) -> String {
    let line = |name: &str, loss: fn(&EpochLoss) -> f64| {
        Line::new(name, (1..).map(f64::from).zip(losses.iter().map(loss)).collect())
    };
    let chart = LineChart {
        title: format!("{name}: mean squared error of the expected score"),
        x_name: "epoch".to_owned(),
        lines: vec![
            line("training", |loss| loss.training),
            line("validation", |loss| loss.validation),
        ],
        ..LineChart::default()
    };
    chart.draw().standalone()
}

pub(crate) fn file_error(path: &Path, source: io::Error) -> TrainingError {
    TrainingError::File { path: path.display().to_string(), source }
}

impl TrainedNetwork {
    /// Writes the network, checkpoint, chart and manifest into a folder.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn save(&self, folder: &Path) -> Result<(), TrainingError> {
        let manifest = toml::to_string(&self.manifest)
            .map_err(|error| TrainingError::Manifest(error.to_string()))?;
        let files: [(&str, &[u8]); 4] = [
            ("koelnet", &self.network),
            ("checkpoint", &self.checkpoint),
            ("svg", self.chart.as_bytes()),
            ("toml", manifest.as_bytes()),
        ];
        fs::create_dir_all(folder).map_err(|source| file_error(folder, source))?;
        for (extension, bytes) in files {
            let path = folder.join(format!("{}.{extension}", self.manifest.name));
            fs::write(&path, bytes).map_err(|source| file_error(&path, source))?;
        }
        Ok(())
    }
}
