//! Checkpoints: the weights in floating point as a file, from which a training can continue.

use anyhow::{Context, Result, bail, ensure};
use koel_eval::network::{OUTPUT_BUCKETS, Shape};

use super::aligned_vec::AlignedVec;
use super::trainable_network::TrainableNetwork;

const MAGIC: &[u8; 8] = b"KOELF32\0";
/// The version of all networks since v13.
const VERSION: u32 = 2;
const HEADER_BYTES: usize = 24;

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
    /// It has another version or shape, or is damaged.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<TrainableNetwork<f32, K, N>> {
        let no_checkpoint = "not a checkpoint, or one of another version";
        let (header, weights) = bytes.split_at_checked(HEADER_BYTES).context(no_checkpoint)?;
        let numbers = header.strip_prefix(MAGIC).context(no_checkpoint)?.as_chunks().0;
        let numbers: Vec<u32> = numbers.iter().map(|&four| u32::from_le_bytes(four)).collect();
        let &[VERSION, king_buckets, neurons, output_buckets] = numbers.as_slice() else {
            bail!(no_checkpoint);
        };
        let expected = Shape::of::<K, N>();
        let found = Shape { king_buckets, neurons, output_buckets };
        ensure!(found == expected, "a checkpoint of shape {found}, not {expected}");
        let (words, rest) = weights.as_chunks();
        let weights: AlignedVec<f32> = words.iter().map(|&word| f32::from_le_bytes(word)).collect();
        let is_whole = weights.len() == Self::LAYOUT.len && rest.is_empty();
        let is_intact = is_whole && weights.iter().all(|weight| weight.is_finite());
        ensure!(is_intact, "a damaged checkpoint");
        Ok(TrainableNetwork { weights })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_survives_writing_and_reading() {
        let mut model = TrainableNetwork::<f32, 1, 64>::random(5);
        let bytes = model.to_bytes();
        assert_eq!(TrainableNetwork::from_bytes(&bytes).unwrap(), model);
        model.weights[7] = f32::NAN;
        let changed = |place: usize, value| {
            let mut bytes = bytes.clone();
            bytes[place] = value;
            bytes
        };
        for (bytes, expected) in [
            (bytes[..20].to_vec(), "not a checkpoint"),
            (changed(0, 0), "not a checkpoint"),
            (changed(8, 3), "not a checkpoint"),
            (bytes[..bytes.len() - 1].to_vec(), "a damaged checkpoint"),
            (bytes[..bytes.len() - 4].to_vec(), "a damaged checkpoint"),
            (model.to_bytes(), "a damaged checkpoint"),
            (changed(12, 4), "(768 x 4 -> 64 / 2) x 2 -> (16 -> 32 -> 1) x 8, not (768 x 1 ->"),
            (changed(16, 0), "(768 x 1 -> 0 / 2)"),
            (changed(16, 63), "(768 x 1 -> 63 / 2)"),
            (changed(20, 7), "(16 -> 32 -> 1) x 7, not"),
        ] {
            let error = TrainableNetwork::<f32, 1, 64>::from_bytes(&bytes).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
