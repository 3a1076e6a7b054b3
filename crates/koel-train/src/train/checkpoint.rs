//! Checkpoints: the weights in floating point as a file, from which a training can continue.

use koel_eval::network::{OUTPUT_BUCKETS, Shape};
use thiserror::Error;

use super::aligned_vec::AlignedVec;
use super::trainable_network::{TrainableNetwork, WeightLayout};

const MAGIC: &[u8; 8] = b"KOELF32\0";
const VERSION: u32 = 1;
const HEADER_BYTES: usize = 24;

/// Reasons why a checkpoint cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The header is not that of a checkpoint of this version.
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
    #[must_use]
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let shape = [K, N, OUTPUT_BUCKETS].map(|count| count as u32);
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION].into_iter().chain(shape).flat_map(u32::to_le_bytes));
        bytes.extend(self.weights.iter().flat_map(|weight| weight.to_le_bytes()));
        bytes
    }

    /// Reads a checkpoint of the same shape.
    ///
    /// # Errors
    /// See [`CheckpointError`].
    #[cfg(test)]
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<TrainableNetwork<f32, K, N>, CheckpointError> {
        let (expected, found) = (Shape::of::<K, N>(), shape_of(bytes)?);
        if found != expected {
            return Err(CheckpointError::Shape { expected, found });
        }
        Ok(TrainableNetwork { weights: weights(bytes, Self::LAYOUT)? })
    }

    /// Reads a checkpoint with a single king bucket or as many as this shape, and with at most as
    /// many neurons. The network evaluates every position as the smaller one does: a single bucket
    /// is repeated, and new neurons have random feature weights, as in
    /// [`TrainableNetwork::random`], and output weights of zero.
    ///
    /// # Errors
    /// See [`CheckpointError`].
    pub(crate) fn from_bytes_padded(
        bytes: &[u8],
        seed: u64,
    ) -> Result<TrainableNetwork<f32, K, N>, CheckpointError> {
        let (expected, found) = (Shape::of::<K, N>(), shape_of(bytes)?);
        let [buckets, old] = [found.king_buckets, found.neurons].map(|count| count as usize);
        let is_growth = (buckets == 1 || buckets == K) && (1..=N).contains(&old);
        if !is_growth || found.output_buckets != expected.output_buckets {
            return Err(CheckpointError::Shape { expected, found });
        }
        let layout = WeightLayout::new(buckets, old);
        let weights = weights(bytes, layout)?;
        let mut model = TrainableNetwork::random(seed);
        let padded = Self::LAYOUT;
        model.weights[padded.output_weights..].fill(0.0);
        let rows = model.weights[..padded.feature_biases].chunks_exact_mut(N);
        for (row, old_row) in rows.zip(weights[..layout.feature_biases].chunks_exact(old).cycle()) {
            row[..old].copy_from_slice(old_row);
        }
        let old_biases = &weights[layout.feature_biases..][..old];
        model.weights[padded.feature_biases..][..old].copy_from_slice(old_biases);
        let outputs =
            model.weights[padded.output_weights..padded.output_biases].chunks_exact_mut(N);
        let old_outputs = weights[layout.output_weights..layout.output_biases].chunks_exact(old);
        for (row, old_row) in outputs.zip(old_outputs) {
            row[..old].copy_from_slice(old_row);
        }
        model.weights[padded.output_biases..].copy_from_slice(&weights[layout.output_biases..]);
        Ok(model)
    }
}

/// Reads the weights after the header.
fn weights(bytes: &[u8], layout: WeightLayout) -> Result<AlignedVec<f32>, CheckpointError> {
    let words = bytes[HEADER_BYTES..].chunks_exact(4);
    if !words.remainder().is_empty() || words.len() != layout.len {
        return Err(CheckpointError::Damaged);
    }
    let weight = |word: &[u8]| f32::from_le_bytes([word[0], word[1], word[2], word[3]]);
    let weights: AlignedVec<f32> = words.map(weight).collect();
    if weights.iter().all(|weight| weight.is_finite()) {
        Ok(weights)
    } else {
        Err(CheckpointError::Damaged)
    }
}

/// Reads the shape from the header.
fn shape_of(bytes: &[u8]) -> Result<Shape, CheckpointError> {
    if bytes.len() < HEADER_BYTES || !bytes.starts_with(MAGIC) {
        return Err(CheckpointError::NotACheckpoint);
    }
    let number =
        |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    if number(8) != VERSION {
        return Err(CheckpointError::NotACheckpoint);
    }
    let [king_buckets, neurons, output_buckets] = [12, 16, 20].map(number);
    Ok(Shape { king_buckets, neurons, output_buckets })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use koel_board::Position;
    use koel_eval::network::AccumulatorStack;

    use super::*;

    #[test]
    fn a_checkpoint_survives_writing_and_reading() {
        let model = TrainableNetwork::<f32, 1, 64>::random(5);
        let bytes = model.to_bytes();
        assert_eq!(TrainableNetwork::from_bytes(&bytes), Ok(model.clone()));
        let other = TrainableNetwork::<f32, 1, 128>::from_bytes(&bytes);
        assert!(matches!(other, Err(CheckpointError::Shape { .. })));
        let read = |bytes: &[u8]| TrainableNetwork::<f32, 1, 64>::from_bytes(bytes);
        assert_eq!(read(&bytes[..20]), Err(CheckpointError::NotACheckpoint));
        assert_eq!(read(&bytes[..bytes.len() - 1]), Err(CheckpointError::Damaged));
        assert_eq!(read(&bytes[..bytes.len() - 4]), Err(CheckpointError::Damaged));
        let mut broken = model;
        broken.weights[7] = f32::NAN;
        assert_eq!(read(&broken.to_bytes()), Err(CheckpointError::Damaged));
    }

    /// Evaluates some positions by the quantised network.
    fn evaluations<const K: usize, const N: usize>(
        model: &TrainableNetwork<f32, K, N>,
    ) -> Vec<i32> {
        let network = Arc::new(model.quantised().unwrap());
        let fens = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "8/8/1k6/8/8/5K2/8/4R3 b - - 0 1",
        ];
        let positions = fens.map(|fen| Position::from_fen(fen).unwrap());
        let accumulators = |position| AccumulatorStack::new(Arc::clone(&network), position);
        positions.iter().map(|position| accumulators(position).evaluate(position).0).collect()
    }

    #[test]
    fn a_grown_network_evaluates_the_same_and_can_learn_more() {
        let small = TrainableNetwork::<f32, 1, 64>::random(5);
        let bytes = small.to_bytes();
        let expected = evaluations(&small);
        assert!(expected.iter().any(|&score| score != 0), "{expected:?}");
        assert_eq!(TrainableNetwork::<f32, 1, 64>::from_bytes_padded(&bytes, 9), Ok(small));
        let wide = TrainableNetwork::<f32, 1, 512>::from_bytes_padded(&bytes, 9).unwrap();
        let bucketed = TrainableNetwork::<f32, 4, 256>::from_bytes_padded(&bytes, 9).unwrap();
        assert_eq!(evaluations(&wide), expected);
        assert_eq!(evaluations(&bucketed), expected);
        // New neurons must differ: equal ones would have equal gradients for ever.
        assert_ne!(wide.feature_weights(7)[64], wide.feature_weights(7)[65]);
        let other = TrainableNetwork::<f32, 1, 256>::from_bytes_padded(&bucketed.to_bytes(), 9);
        assert!(matches!(other, Err(CheckpointError::Shape { .. })));
        let mut empty = bytes[..HEADER_BYTES].to_vec();
        empty[16..20].fill(0);
        empty.extend([0; 32]);
        let other = TrainableNetwork::<f32, 1, 64>::from_bytes_padded(&empty, 9);
        assert!(matches!(other, Err(CheckpointError::Shape { .. })));
        let other = TrainableNetwork::<f32, 1, 64>::from_bytes_padded(&wide.to_bytes(), 9);
        assert!(matches!(other, Err(CheckpointError::Shape { .. })));
    }
}
