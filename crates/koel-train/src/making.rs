//! From folders of games to a network with its papers.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use koel_chart::{Line, LineChart};
use koel_eval::network::NetworkError;
use thiserror::Error;

use crate::distinct::Distinct;
use crate::manifest::{Games, Manifest};
use crate::selfplay::{GAMES_FILE, SETTINGS_FILE, Settings};
use crate::sha256::sha256;
use crate::train::checkpoint::CheckpointError;
use crate::train::dataset::{Dataset, DatasetError, Selection};
use crate::train::learner::{EpochLoss, Workforce, learn};
use crate::train::model::Model;
use crate::train::plan::Plan;

/// What is to be made.
#[derive(Clone, Debug)]
pub struct Order {
    /// The name of the network.
    pub name: String,
    /// Folders of self-play.
    pub folders: Vec<PathBuf>,
    /// Buckets of king squares and neurons for each side: one of [`SHAPES`].
    pub shape: (usize, usize),
    /// The name and the checkpoint of the network to go on from.
    pub parent: Option<(String, Vec<u8>)>,
    /// How it is trained.
    pub plan: Plan,
    /// Who works.
    pub workforce: Workforce,
}

/// What can be made: buckets of king squares, and neurons.
pub const SHAPES: [(usize, usize); 6] = [(1, 64), (1, 128), (1, 256), (1, 512), (4, 256), (4, 512)];

/// A network and what comes with it.
#[derive(Clone, PartialEq, Debug)]
pub struct Made {
    /// The bytes of the network file.
    pub network: Vec<u8>,
    /// The bytes of the checkpoint.
    pub checkpoint: Vec<u8>,
    /// The losses as a chart.
    pub chart: String,
    /// The story.
    pub manifest: Manifest,
}

/// Why nothing could be made.
#[derive(Debug, Error)]
pub enum MakingError {
    /// The games cannot be read.
    #[error(transparent)]
    Games(#[from] DatasetError),
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// Which.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// The settings of a run cannot be read.
    #[error("{0}")]
    Settings(String),
    /// There is nothing to learn from.
    #[error("there are no positions to learn from")]
    Empty,
    /// No such shape is built in.
    #[error("{0} king buckets and {1} neurons: the shapes built in are {SHAPES:?}")]
    Shape(usize, usize),
    /// The checkpoint of the parent cannot be used.
    #[error("the parent: {0}")]
    Parent(#[from] CheckpointError),
    /// What came out cannot be played with.
    #[error("{0}")]
    Network(#[from] NetworkError),
}

/// Trains a network. `tell` gets a line of text now and then.
///
/// # Errors
/// See [`MakingError`].
pub fn make(order: &Order, tell: &mut dyn FnMut(&str)) -> Result<Made, MakingError> {
    match order.shape {
        (1, 64) => make_shape::<1, 64>(order, tell),
        (1, 128) => make_shape::<1, 128>(order, tell),
        (1, 256) => make_shape::<1, 256>(order, tell),
        (1, 512) => make_shape::<1, 512>(order, tell),
        (4, 256) => make_shape::<4, 256>(order, tell),
        (4, 512) => make_shape::<4, 512>(order, tell),
        (king_buckets, neurons) => Err(MakingError::Shape(king_buckets, neurons)),
    }
}

fn make_shape<const K: usize, const N: usize>(
    order: &Order,
    tell: &mut dyn FnMut(&str),
) -> Result<Made, MakingError> {
    let model = match &order.parent {
        None => Model::<f32, K, N>::random(order.plan.seed),
        Some((_, bytes)) => Model::grown_from(bytes, order.plan.seed)?,
    };
    let (dataset, data) = read(&order.folders, order.plan.foresight)?;
    let (learned_positions, held_out_positions) = (dataset.learned.len(), dataset.held_out.len());
    tell(&format!(
        "{} games, {} positions, {learned_positions} to learn from, {held_out_positions} held out",
        dataset.games, dataset.positions
    ));
    if dataset.learned.is_empty() {
        return Err(MakingError::Empty);
    }
    let mut tell_epoch = |epoch: u32, losses: EpochLoss, elapsed: Duration| {
        let speed = learned_positions as f64 * f64::from(epoch) / elapsed.as_secs_f64() / 1e6;
        let EpochLoss { learned, held_out } = losses;
        tell(&format!(
            "epoch {epoch}: learned {learned:.6}, held out {held_out:.6}, {speed:.2} M positions/s"
        ));
    };
    let learned = learn(model, &dataset, &order.plan, order.workforce, &mut tell_epoch);
    let network = Arc::new(learned.model.quantised()?);
    let quantisation = learned.model.error_of(&network, &dataset.held_out);
    let (network, checkpoint) = (network.to_bytes(), learned.model.to_bytes());
    let losses = |loss: fn(&EpochLoss) -> f64| learned.losses.iter().map(loss).collect();
    let manifest = Manifest {
        name: order.name.clone(),
        parent: order.parent.as_ref().map(|parent| parent.0.clone()),
        king_buckets: K,
        neurons: N,
        learned_positions,
        held_out_positions,
        best_epoch: learned.best_epoch,
        learned_losses: losses(|loss| loss.learned),
        held_out_losses: losses(|loss| loss.held_out),
        checkpoint_sha256: hash_of(&checkpoint),
        network_sha256: hash_of(&network),
        strength: Vec::new(),
        quantisation,
        plan: order.plan,
        data,
    };
    Ok(Made { network, checkpoint, chart: chart(&order.name, &learned.losses), manifest })
}

/// All games of the folders, and what they are.
fn read(folders: &[PathBuf], foresight: f64) -> Result<(Dataset, Vec<Games>), MakingError> {
    let mut dataset = Dataset::default();
    let selection = Selection { foresight, ..Selection::default() };
    let distinct = Distinct::new();
    let mut data = Vec::new();
    for folder in folders {
        let path = folder.join(GAMES_FILE);
        let (games, end) = dataset.read(&path, &selection, &distinct)?;
        let file = File::open(&path).map_err(|source| file_error(&path, source))?;
        let sha256 = sha256(file.take(end)).map_err(|source| file_error(&path, source))?;
        data.push(Games { games, sha256, settings: read_settings(&folder.join(SETTINGS_FILE))? });
    }
    Ok((dataset, data))
}

fn read_settings(path: &Path) -> Result<Settings, MakingError> {
    let text = fs::read_to_string(path).map_err(|source| file_error(path, source))?;
    toml::from_str(&text)
        .map_err(|error| MakingError::Settings(format!("{}: {error}", path.display())))
}

fn chart(name: &str, losses: &[EpochLoss]) -> String {
    let line = |name: &str, loss: fn(&EpochLoss) -> f64| {
        Line::new(name, (1..).map(f64::from).zip(losses.iter().map(loss)).collect())
    };
    let chart = LineChart {
        title: format!("{name}: mean squared error of the share of points"),
        x_name: "epoch".to_owned(),
        lines: vec![line("learned", |loss| loss.learned), line("held out", |loss| loss.held_out)],
        ..LineChart::default()
    };
    chart.draw().standalone()
}

/// The SHA-256 of bytes.
#[must_use]
pub fn hash_of(bytes: &[u8]) -> String {
    sha256(bytes).expect("memory can be read")
}

pub(crate) fn file_error(path: &Path, source: io::Error) -> MakingError {
    MakingError::File { path: path.display().to_string(), source }
}

impl Made {
    /// Writes the four files of a network into a folder.
    ///
    /// # Errors
    /// One of them cannot be written.
    pub fn save(&self, folder: &Path) -> Result<(), MakingError> {
        let manifest = toml::to_string(&self.manifest)
            .map_err(|error| MakingError::Settings(error.to_string()))?;
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
