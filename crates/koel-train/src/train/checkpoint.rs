//! Checkpoints: the weights in floating point as a file, from which a training can continue.

use koel_eval::network::training::HIDDEN1;
use koel_eval::network::{OUTPUT_BUCKETS, Shape};
use thiserror::Error;

use super::aligned_vec::AlignedVec;
use super::trainable_network::{TrainableNetwork, WeightLayout};

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

    /// Reads a checkpoint with a single king bucket or as many as this shape, and with at most as
    /// many neurons. The network evaluates every position as the smaller one does: a single bucket
    /// is repeated, and new neurons have random feature weights, as in
    /// [`TrainableNetwork::random`], and their products have weights of zero.
    ///
    /// # Errors
    /// See [`CheckpointError`].
    pub(crate) fn from_bytes(
        bytes: &[u8],
        seed: u64,
    ) -> Result<TrainableNetwork<f32, K, N>, CheckpointError> {
        let (expected, found) = (Shape::of::<K, N>(), shape(bytes)?);
        let [buckets, old] = [found.king_buckets, found.neurons].map(|count| count as usize);
        let is_growth = (buckets == 1 || buckets == K) && (2..=N).contains(&old);
        if !is_growth || old % 2 != 0 || found.output_buckets != expected.output_buckets {
            return Err(CheckpointError::Shape { expected, found });
        }
        let layout = WeightLayout::new(buckets, old);
        let weights = weights(bytes, layout.len)?;
        let mut model = TrainableNetwork::random(seed);
        let (features, layers) = model.weights.split_at_mut(Self::LAYOUT.hidden1_weights);
        // Both halves of the neurons stay halves, since the products are of a neuron of each.
        let (rows, biases) = features.split_at_mut(Self::LAYOUT.feature_biases);
        let old_rows = weights[..layout.feature_biases].chunks_exact(old).cycle();
        rows.chunks_exact_mut(N).zip(old_rows).for_each(|(row, old)| copy_halves(row, old));
        copy_halves(biases, &weights[layout.feature_biases..][..old]);
        let (products, rest) = layers.split_at_mut(OUTPUT_BUCKETS * HIDDEN1 * N);
        let old_rows = weights[layout.hidden1_weights..layout.hidden1_biases].chunks_exact(old);
        for (row, old_row) in products.chunks_exact_mut(N).zip(old_rows) {
            row.fill(0.0);
            copy_halves(row, old_row);
        }
        rest.copy_from_slice(&weights[layout.hidden1_biases..]);
        Ok(model)
    }
}

/// Copies each half of a row to the beginning of a half of another, which is as long or longer.
fn copy_halves(row: &mut [f32], old_row: &[f32]) {
    let halves = row.chunks_exact_mut(row.len() / 2).zip(old_row.chunks_exact(old_row.len() / 2));
    halves.for_each(|(half, old_half)| half[..old_half.len()].copy_from_slice(old_half));
}

/// Reads the weights after the header, of which there must be `len`.
fn weights(bytes: &[u8], len: usize) -> Result<AlignedVec<f32>, CheckpointError> {
    let (words, rest) = bytes[HEADER_BYTES..].as_chunks();
    if !rest.is_empty() || words.len() != len {
        return Err(CheckpointError::Damaged);
    }
    let weights: AlignedVec<f32> = words.iter().map(|&word| f32::from_le_bytes(word)).collect();
    let is_intact = weights.iter().all(|weight| weight.is_finite());
    is_intact.then_some(weights).ok_or(CheckpointError::Damaged)
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
    use std::sync::Arc;

    use koel_board::Position;
    use koel_eval::network::AccumulatorStack;

    use super::*;

    const SEED: u64 = 9;

    #[test]
    fn a_checkpoint_survives_writing_and_reading() {
        let model = TrainableNetwork::<f32, 1, 64>::random(5);
        let bytes = model.to_bytes();
        let read = |bytes: &[u8]| TrainableNetwork::<f32, 1, 64>::from_bytes(bytes, SEED);
        assert_eq!(read(&bytes), Ok(model.clone()));
        assert_eq!(read(&bytes[..20]), Err(CheckpointError::NotACheckpoint));
        assert_eq!(read(&bytes[..bytes.len() - 1]), Err(CheckpointError::Damaged));
        assert_eq!(read(&bytes[..bytes.len() - 4]), Err(CheckpointError::Damaged));
        let mut later = bytes;
        later[8] = 3;
        assert_eq!(read(&later), Err(CheckpointError::NotACheckpoint));
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
        let wide = TrainableNetwork::<f32, 1, 512>::from_bytes(&bytes, SEED).unwrap();
        let bucketed = TrainableNetwork::<f32, 4, 256>::from_bytes(&bytes, SEED).unwrap();
        assert_eq!(evaluations(&wide), expected);
        assert_eq!(evaluations(&bucketed), expected);
        // New neurons must differ: equal ones would have equal gradients for ever.
        assert_ne!(wide.feature_weights(7)[32], wide.feature_weights(7)[33]);
        let is_of_another_shape = |bytes: &[u8]| {
            let read = TrainableNetwork::<f32, 1, 64>::from_bytes(bytes, SEED);
            matches!(read, Err(CheckpointError::Shape { .. }))
        };
        assert!(is_of_another_shape(&wide.to_bytes()));
        assert!(is_of_another_shape(&bucketed.to_bytes()));
        for (place, value) in [(16, 0), (16, 31), (16, 63), (20, 7)] {
            let mut other = bytes.clone();
            other[place..place + 4].copy_from_slice(&u32::to_le_bytes(value));
            assert!(is_of_another_shape(&other), "{place}: {value}");
        }
        let fewer_buckets = TrainableNetwork::<f32, 1, 256>::from_bytes(&bucketed.to_bytes(), SEED);
        assert!(matches!(fewer_buckets, Err(CheckpointError::Shape { .. })));
    }
}
