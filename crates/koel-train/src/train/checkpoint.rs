//! Checkpoints: the weights in floating point as a file, from which a training can continue.

use koel_eval::network::{OUTPUT_BUCKETS, Shape};
use thiserror::Error;

use super::AlignedVec;
use super::trainable_network::TrainableNetwork;

const MAGIC: &[u8; 8] = b"KOELF32\0";
/// The version of all networks since v13.
const VERSION: u32 = 2;
const HEADER_BYTES: usize = 24;

/// Reasons why a checkpoint cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum CheckpointError {
    /// The header is not that of a checkpoint of a known version.
    #[error("not a checkpoint, or one of another version")]
    NotACheckpoint,
    /// The network has another shape.
    #[error("a checkpoint of shape {found}, not {expected}")]
    Shape {
        /// The shape required.
        expected: Shape,
        /// The shape of the checkpoint.
        found: Shape,
    },
    /// It has too many or too few weights, or one that is not finite.
    #[error("a damaged checkpoint")]
    Damaged,
}

impl<const K: usize, const N: usize> TrainableNetwork<f32, K, N> {
    /// Returns the checkpoint: a header of 24 bytes, then the weights, all little-endian.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let shape = [K, N, OUTPUT_BUCKETS].map(|count| count as u32);
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION].into_iter().chain(shape).flat_map(u32::to_le_bytes));
        bytes.extend(self.weights.iter().flat_map(|weight| weight.to_le_bytes()));
        bytes
    }

    /// Reads a checkpoint.
    ///
    /// # Errors
    /// See [`CheckpointError`].
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<TrainableNetwork<f32, K, N>, CheckpointError> {
        let (expected, found) = (Shape::of::<K, N>(), shape(bytes)?);
        if found != expected {
            return Err(CheckpointError::Shape { expected, found });
        }
        let (words, rest) = bytes[HEADER_BYTES..].as_chunks();
        let weights = words.iter().map(|&word| f32::from_le_bytes(word));
        let weights = AlignedVec::from_iter(0, weights);
        let is_whole = weights.len() == Self::LAYOUT.len && rest.is_empty();
        let is_intact = is_whole && weights.iter().all(|weight| weight.is_finite());
        is_intact.then_some(TrainableNetwork { weights }).ok_or(CheckpointError::Damaged)
    }
}

/// Reads the shape from the header.
fn shape(bytes: &[u8]) -> Result<Shape, CheckpointError> {
    if bytes.len() < HEADER_BYTES || !bytes.starts_with(MAGIC) {
        return Err(CheckpointError::NotACheckpoint);
    }
    let number =
        |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let [version, king_buckets, neurons, output_buckets] = [8, 12, 16, 20].map(number);
    let shape = Shape { king_buckets, neurons, output_buckets };
    if version == VERSION { Ok(shape) } else { Err(CheckpointError::NotACheckpoint) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_survives_writing_and_reading() {
        let mut model = TrainableNetwork::<f32, 1, 64>::random(5);
        let bytes = model.to_bytes();
        assert_eq!(TrainableNetwork::from_bytes(&bytes).as_ref(), Ok(&model));
        model.weights[7] = f32::NAN;
        let changed = |place: usize, value| {
            let mut bytes = bytes.clone();
            bytes[place] = value;
            bytes
        };
        let shape = |king_buckets, neurons, output_buckets| CheckpointError::Shape {
            expected: Shape::of::<1, 64>(),
            found: Shape { king_buckets, neurons, output_buckets },
        };
        for (bytes, expected) in [
            (bytes[..20].to_vec(), CheckpointError::NotACheckpoint),
            (changed(0, 0), CheckpointError::NotACheckpoint),
            (changed(8, 3), CheckpointError::NotACheckpoint),
            (bytes[..bytes.len() - 1].to_vec(), CheckpointError::Damaged),
            (bytes[..bytes.len() - 4].to_vec(), CheckpointError::Damaged),
            (model.to_bytes(), CheckpointError::Damaged),
            (changed(12, 4), shape(4, 64, 8)),
            (changed(16, 0), shape(1, 0, 8)),
            (changed(16, 63), shape(1, 63, 8)),
            (changed(20, 7), shape(1, 64, 7)),
        ] {
            assert_eq!(TrainableNetwork::<f32, 1, 64>::from_bytes(&bytes), Err(expected));
        }
    }
}
