//! A model as a file: the weights in floating point, from which a training can go on.

use koel_eval::network::{OUTPUT_BUCKETS, Shape};
use thiserror::Error;

use super::aligned::Aligned;
use super::model::{Layout, Model};

const MAGIC: &[u8; 8] = b"KOELF32\0";
const VERSION: u32 = 1;
const HEADER_BYTES: usize = 24;

/// Why bytes are not a checkpoint that can be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CheckpointError {
    /// They do not begin like one.
    #[error("not a checkpoint, or one of another version")]
    NotACheckpoint,
    /// It is of another shape.
    #[error("a checkpoint of shape {found}, not {expected}")]
    Shape {
        /// What is wanted.
        expected: Shape,
        /// What there is.
        found: Shape,
    },
    /// It has too many or too few weights, or one that is no number.
    #[error("a damaged checkpoint")]
    Damaged,
}

impl<const K: usize, const N: usize> Model<f32, K, N> {
    /// The bytes of its checkpoint: a header of 24, then its numbers, all little-endian.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let shape = [K, N, OUTPUT_BUCKETS].map(|count| count as u32);
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION].into_iter().chain(shape).flat_map(u32::to_le_bytes));
        bytes.extend(self.numbers.iter().flat_map(|number| number.to_le_bytes()));
        bytes
    }

    /// Reads a checkpoint.
    ///
    /// # Errors
    /// See [`CheckpointError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Model<f32, K, N>, CheckpointError> {
        let (expected, found) = (Shape::of::<K, N>(), shape_of(bytes)?);
        if found != expected {
            return Err(CheckpointError::Shape { expected, found });
        }
        Ok(Model { numbers: numbers(bytes, Self::LAYOUT)? })
    }

    /// The model of a checkpoint with one king bucket or as many, and as many neurons or fewer. It
    /// says the same of every position, but can learn more: a single bucket is repeated, and what
    /// is new of the neurons is random, as in [`Model::random`], and counts for nothing yet.
    ///
    /// # Errors
    /// See [`CheckpointError`].
    pub fn grown_from(bytes: &[u8], seed: u64) -> Result<Model<f32, K, N>, CheckpointError> {
        let (expected, found) = (Shape::of::<K, N>(), shape_of(bytes)?);
        let [buckets, old] = [found.king_buckets, found.neurons].map(|count| count as usize);
        let is_growth = (buckets == 1 || buckets == K) && (1..=N).contains(&old);
        if !is_growth || found.output_buckets != expected.output_buckets {
            return Err(CheckpointError::Shape { expected, found });
        }
        let layout = Layout::new(buckets, old);
        let numbers = numbers(bytes, layout)?;
        let mut model = Model::random(seed);
        let grown = Self::LAYOUT;
        model.numbers[grown.outputs..].fill(0.0);
        let rows = model.numbers[..grown.start].chunks_exact_mut(N);
        for (row, old_row) in rows.zip(numbers[..layout.start].chunks_exact(old).cycle()) {
            row[..old].copy_from_slice(old_row);
        }
        model.numbers[grown.start..][..old].copy_from_slice(&numbers[layout.start..][..old]);
        let outputs = model.numbers[grown.outputs..grown.constants].chunks_exact_mut(N);
        let old_outputs = numbers[layout.outputs..layout.constants].chunks_exact(old);
        for (row, old_row) in outputs.zip(old_outputs) {
            row[..old].copy_from_slice(old_row);
        }
        model.numbers[grown.constants..].copy_from_slice(&numbers[layout.constants..]);
        Ok(model)
    }
}

/// The numbers behind a checkpoint's header.
fn numbers(bytes: &[u8], layout: Layout) -> Result<Aligned<f32>, CheckpointError> {
    let numbers = bytes[HEADER_BYTES..].chunks_exact(4);
    if !numbers.remainder().is_empty() || numbers.len() != layout.len {
        return Err(CheckpointError::Damaged);
    }
    let number = |four: &[u8]| f32::from_le_bytes([four[0], four[1], four[2], four[3]]);
    let numbers: Aligned<f32> = numbers.map(number).collect();
    if numbers.iter().all(|number| number.is_finite()) {
        Ok(numbers)
    } else {
        Err(CheckpointError::Damaged)
    }
}

/// The shape that a checkpoint's header states.
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
    fn a_checkpoint_comes_back() {
        let model = Model::<f32, 1, 64>::random(5);
        let bytes = model.to_bytes();
        assert_eq!(Model::from_bytes(&bytes), Ok(model.clone()));
        let other = Model::<f32, 1, 128>::from_bytes(&bytes);
        assert!(matches!(other, Err(CheckpointError::Shape { .. })));
        let read = |bytes: &[u8]| Model::<f32, 1, 64>::from_bytes(bytes);
        assert_eq!(read(&bytes[..20]), Err(CheckpointError::NotACheckpoint));
        assert_eq!(read(&bytes[..bytes.len() - 1]), Err(CheckpointError::Damaged));
        assert_eq!(read(&bytes[..bytes.len() - 4]), Err(CheckpointError::Damaged));
        let mut broken = model;
        broken.numbers[7] = f32::NAN;
        assert_eq!(read(&broken.to_bytes()), Err(CheckpointError::Damaged));
    }

    /// What a model, quantised, says of some positions.
    fn said<const K: usize, const N: usize>(model: &Model<f32, K, N>) -> Vec<i32> {
        let network = Arc::new(model.quantised().unwrap());
        let fens = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "8/8/1k6/8/8/5K2/8/4R3 b - - 0 1",
        ];
        let positions = fens.map(|fen| Position::from_fen(fen).unwrap());
        let worth = |position| AccumulatorStack::new(Arc::clone(&network), position);
        positions.iter().map(|position| worth(position).evaluate(position).0).collect()
    }

    #[test]
    fn a_grown_model_says_the_same_and_can_learn_more() {
        let small = Model::<f32, 1, 64>::random(5);
        let bytes = small.to_bytes();
        let worth = said(&small);
        assert!(worth.iter().any(|&worth| worth != 0), "{worth:?}");
        assert_eq!(Model::<f32, 1, 64>::grown_from(&bytes, 9), Ok(small));
        let wide = Model::<f32, 1, 512>::grown_from(&bytes, 9).unwrap();
        let bucketed = Model::<f32, 4, 256>::grown_from(&bytes, 9).unwrap();
        assert_eq!(said(&wide), worth);
        assert_eq!(said(&bucketed), worth);
        // What is new is not all the same: its gradients would be, for ever.
        assert_ne!(wide.input(7)[64], wide.input(7)[65]);
        let other = Model::<f32, 1, 256>::grown_from(&bucketed.to_bytes(), 9);
        assert!(matches!(other, Err(CheckpointError::Shape { .. })));
        let mut nobody = bytes[..HEADER_BYTES].to_vec();
        nobody[16..20].fill(0);
        nobody.extend([0; 32]);
        let other = Model::<f32, 1, 64>::grown_from(&nobody, 9);
        assert!(matches!(other, Err(CheckpointError::Shape { .. })));
        let other = Model::<f32, 1, 64>::grown_from(&wide.to_bytes(), 9);
        assert!(matches!(other, Err(CheckpointError::Shape { .. })));
    }
}
