//! The state of a training as a file, from which it continues after an interruption.
//!
//! A magic number and the length of the header in 8 bytes, the header as TOML, then 32-bit floats:
//! the weights, and the running means of the gradients and of their squares of each part of the
//! optimizer. All numbers are little-endian.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result, bail};
use koel_files::IN_MEMORY;
use serde::{Deserialize, Serialize};

use super::network_optimizer::NetworkOptimizer;
use super::plan::TrainingPlan;
use super::trainable_network::TrainableNetwork;
use super::trainer::{EpochLoss, Training};
use crate::selfplay_settings::SelfplayRun;

const MAGIC: &[u8; 8] = b"KOELTRN\0";
/// The bytes before the header.
const PREFIX: usize = 16;

/// The settings and the games of a training: what has to be the same when it continues.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct TrainingIdentity {
    pub(crate) king_buckets: usize,
    pub(crate) neurons: usize,
    /// The hash of the checkpoint that the weights began as; without one they were random.
    pub(crate) parent_sha256: Option<String>,
    pub(crate) plan: TrainingPlan,
    pub(crate) data: Vec<SelfplayRun>,
}

#[derive(Serialize, Deserialize)]
struct Header {
    optimizer_steps: [i32; 3],
    losses: Vec<EpochLoss>,
    identity: TrainingIdentity,
}

/// Reads the identity and the state of a training, if the file exists.
///
/// # Errors
/// The file cannot be read, is damaged, or belongs to a network of another shape.
pub(crate) fn read<const K: usize, const N: usize>(
    path: &Path,
) -> Result<Option<(TrainingIdentity, Training<f32, K, N>)>> {
    let bytes = match koel_files::read(path, IN_MEMORY) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        bytes => bytes.with_context(|| path.display().to_string())?,
    };
    let damaged =
        || format!("{}: a damaged state of a training; delete it to begin anew", path.display());
    let (Header { optimizer_steps, losses, identity }, floats) =
        parse(&bytes).with_context(damaged)?;
    if (identity.king_buckets, identity.neurons) != (K, N) {
        bail!(of_another(path));
    }
    let len = TrainableNetwork::<f32, K, N>::LAYOUT.len;
    let shared = NetworkOptimizer::<f32, K, N>::SHARED;
    let (words, rest) = floats.as_chunks::<4>();
    if words.len() != 3 * len + 2 * shared || !rest.is_empty() {
        bail!(damaged());
    }
    let mut values = words.iter().map(|&word| f32::from_le_bytes(word));
    if !values.clone().all(f32::is_finite) {
        bail!(damaged());
    }
    let mut read = |array: &mut [f32]| {
        array.iter_mut().zip(values.by_ref()).for_each(|(place, value)| *place = value);
    };
    let mut model = TrainableNetwork::random(0);
    read(&mut model.weights);
    let mut optimizer = NetworkOptimizer::new();
    for (part, steps) in optimizer.parts.iter_mut().zip(optimizer_steps) {
        part.steps = steps;
        read(&mut part.means);
        read(&mut part.squares);
    }
    Ok(Some((identity, Training { model, optimizer, losses })))
}

/// The message for a file that is the state of another training.
pub(crate) fn of_another(path: &Path) -> String {
    format!(
        "{}: the state of a training with other settings, other networks or other games; repeat \
         those, or delete the file to begin anew",
        path.display()
    )
}

/// Returns the header and the bytes after it.
fn parse(bytes: &[u8]) -> Option<(Header, &[u8])> {
    let (prefix, rest) = bytes.split_at_checked(PREFIX)?;
    let length = prefix.strip_prefix(MAGIC)?.first_chunk::<8>()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let (header, floats) = rest.split_at_checked(length)?;
    Some((toml::from_str(std::str::from_utf8(header).ok()?).ok()?, floats))
}

/// Writes the state of a training. The file is replaced as a whole: one that is interrupted leaves
/// the state before.
///
/// # Errors
/// The file cannot be written.
pub(crate) fn write<const K: usize, const N: usize>(
    path: &Path,
    identity: &TrainingIdentity,
    training: &Training<f32, K, N>,
) -> Result<()> {
    let Training { model, optimizer, losses } = training;
    let header = Header {
        optimizer_steps: optimizer.parts.each_ref().map(|part| part.steps),
        losses: losses.clone(),
        identity: identity.clone(),
    };
    let header = toml::to_string(&header)?;
    let mut bytes = MAGIC.to_vec();
    bytes.extend((header.len() as u64).to_le_bytes());
    bytes.extend(header.into_bytes());
    let means = optimizer.parts.iter().flat_map(|part| [&part.means, &part.squares]);
    for array in std::iter::once(&model.weights).chain(means) {
        bytes.extend(array.iter().flat_map(|value| value.to_le_bytes()));
    }
    koel_files::replace(path, bytes).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::train::compute::ComputeOptions;
    use crate::train::trainer::tests::dataset;

    fn identity(plan: TrainingPlan) -> TrainingIdentity {
        let parent_sha256 = Some("12".to_owned());
        TrainingIdentity { king_buckets: 1, neurons: 64, parent_sha256, plan, data: Vec::new() }
    }

    /// Interrupts a training after each epoch.
    #[test]
    fn a_saved_training_continues_as_if_it_had_not_been_interrupted() {
        let plan = TrainingPlan { epochs: 3, batch_size: 500, ..TrainingPlan::default() };
        let compute = ComputeOptions::default();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.training");
        let mut expected = Training::<f32, 1, 64>::new(TrainableNetwork::random(1));
        let mut interrupted = expected.clone();
        for epoch in 1..=plan.epochs {
            let losses = expected.run_epoch(dataset(), &plan, compute);
            assert_eq!(interrupted.run_epoch(dataset(), &plan, compute), losses);
            write(&path, &identity(plan), &interrupted).unwrap();
            let (found, saved) = read(&path).unwrap().unwrap();
            assert_eq!(found, identity(plan));
            interrupted = saved;
            assert_eq!(interrupted, expected);
            assert_eq!(interrupted.losses.len(), epoch as usize);
        }
        fs::remove_file(&path).unwrap();
        assert_eq!(read::<1, 64>(&path).unwrap(), None);
    }

    #[test]
    fn damaged_files_are_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.training");
        let training = Training::<f32, 1, 64>::new(TrainableNetwork::random(1));
        write(&path, &identity(TrainingPlan::default()), &training).unwrap();
        let bytes = fs::read(&path).unwrap();
        for length in [0, 5, 12, 40, bytes.len() - 1, bytes.len() - 4] {
            fs::write(&path, &bytes[..length]).unwrap();
            let error = read::<1, 64>(&path).unwrap_err().to_string();
            assert!(error.contains("damaged"), "{length} bytes: {error}");
        }
        for value in [f32::NAN, f32::INFINITY] {
            let mut broken = training.clone();
            broken.model.weights[7] = value;
            write(&path, &identity(TrainingPlan::default()), &broken).unwrap();
            let error = read::<1, 64>(&path).unwrap_err().to_string();
            assert!(error.contains("damaged"), "{value}: {error}");
        }
        fs::write(&path, &bytes).unwrap();
        let error = read::<1, 128>(&path).unwrap_err().to_string();
        assert_eq!(error, of_another(&path));
    }
}
