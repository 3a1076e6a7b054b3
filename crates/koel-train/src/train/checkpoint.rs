//! A model as a file: the weights in floating point, from which a training can go on.

use koel_eval::network::{OUTPUT_BUCKETS, Shape};
use thiserror::Error;

use super::aligned::Aligned;
use super::model::Model;

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
        let expected = Shape::of::<K, N>();
        let found = shape_of(bytes)?;
        if found != expected {
            return Err(CheckpointError::Shape { expected, found });
        }
        let numbers = bytes[HEADER_BYTES..].chunks_exact(4);
        if !numbers.remainder().is_empty() || numbers.len() != Self::LAYOUT.len {
            return Err(CheckpointError::Damaged);
        }
        let number = |four: &[u8]| f32::from_le_bytes([four[0], four[1], four[2], four[3]]);
        let numbers: Aligned<f32> = numbers.map(number).collect();
        if numbers.iter().any(|number| !number.is_finite()) {
            return Err(CheckpointError::Damaged);
        }
        Ok(Model { numbers })
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
}
