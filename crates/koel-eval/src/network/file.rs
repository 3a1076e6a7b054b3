//! The file format of a network: a header, then the weights. All numbers are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 0..8 | `KOELNET` and a zero |
//! | 8..32 | six 32-bit numbers: version, king buckets, neurons, output buckets, `SCALE`, `QA` |
//! | 32..40 | zero |
//! | 40..48 | the hash of all other bytes (FNV-1a) |
//! | 48.. | the [`RawWeights`] in order |

use std::ops::RangeInclusive;

use super::error::NetworkError;
use super::hidden_layers::{HIDDEN1, HIDDEN2};
use super::raw_weights::RawWeights;
use super::row::QA;
use super::shape::Shape;
use super::weights::{Network, SCALE};

const MAGIC: &[u8; 8] = b"KOELNET\0";
const VERSION: u32 = 2;
const HASH_AT: usize = 40;
const HEADER_BYTES: usize = 48;

impl Shape {
    /// Reads the shape that the header of a file states, without validating the rest.
    ///
    /// # Errors
    /// The file is not a network file of the supported version.
    pub fn of_file(bytes: &[u8]) -> Result<Shape, NetworkError> {
        if bytes.len() < HEADER_BYTES || !bytes.starts_with(MAGIC) {
            return Err(NetworkError::NotANetwork);
        }
        let found = u32_at(bytes, 8);
        if found != VERSION {
            return Err(NetworkError::Version { expected: VERSION, found });
        }
        Ok(Shape {
            king_buckets: u32_at(bytes, 12),
            neurons: u32_at(bytes, 16),
            output_buckets: u32_at(bytes, 20),
        })
    }

    /// Returns the length of a file of this shape in bytes.
    fn file_bytes(self) -> usize {
        let [features, biases, hidden1, floats] = self.counts();
        let small = features.saturating_add(biases).saturating_mul(2);
        let layers = floats.saturating_mul(4).saturating_add(hidden1);
        small.saturating_add(layers).saturating_add(HEADER_BYTES)
    }
}

impl<const K: usize, const N: usize> Network<K, N> {
    /// Returns the sizes in bytes of the files that are worth reading: from the header, by which a
    /// file of another version or shape is recognised, to the file of this shape.
    #[must_use]
    pub fn file_sizes() -> RangeInclusive<u64> {
        HEADER_BYTES as u64..=Shape::of::<K, N>().file_bytes() as u64
    }

    /// Reads a network file.
    ///
    /// # Errors
    /// The file is not valid, or has another shape: see [`NetworkError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Network<K, N>, NetworkError> {
        let (expected, found) = (Shape::of::<K, N>(), Shape::of_file(bytes)?);
        if found != expected {
            return Err(NetworkError::Shape { expected, found });
        }
        Network::from_raw_weights(&RawWeights::read(bytes, found)?)
    }

    /// Returns the file of the network.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let shape = Shape::of::<K, N>();
        let weights = self.to_raw_weights();
        let mut bytes = MAGIC.to_vec();
        let scales = [SCALE as u32, QA as u32, 0, 0];
        let shape = [VERSION, shape.king_buckets, shape.neurons, shape.output_buckets];
        bytes.extend(shape.into_iter().chain(scales).flat_map(u32::to_le_bytes));
        bytes.extend([0; HEADER_BYTES - HASH_AT]);
        let small = [&weights.feature_weights, &weights.feature_biases];
        bytes.extend(small.into_iter().flatten().flat_map(|weight| weight.to_le_bytes()));
        bytes.extend(weights.hidden1_weights.iter().map(|weight| weight.cast_unsigned()));
        bytes.extend(weights.floats().flat_map(|weight| weight.to_le_bytes()));
        let hash = hash(&bytes).to_le_bytes();
        bytes[HASH_AT..HEADER_BYTES].copy_from_slice(&hash);
        bytes
    }

    /// Returns the hash in the header of its file, which identifies a network.
    #[must_use]
    pub fn hash(&self) -> u64 {
        hash(&self.to_bytes())
    }
}

impl RawWeights {
    /// Reads the weights of a file whose header states this shape.
    fn read(bytes: &[u8], shape: Shape) -> Result<RawWeights, NetworkError> {
        let expected = shape.file_bytes();
        if bytes.len() != expected {
            return Err(NetworkError::Length { expected, found: bytes.len() });
        }
        let (header, body) = bytes.split_at(HEADER_BYTES);
        if header[HASH_AT..] != hash(bytes).to_le_bytes() {
            return Err(NetworkError::Hash);
        }
        if u32_at(header, 24) != SCALE as u32 || u32_at(header, 28) != QA as u32 {
            return Err(NetworkError::Scale);
        }
        let [features, biases, hidden1, _] = shape.counts();
        let (small, layers) = body.split_at(2 * (features + biases));
        let mut small = small.as_chunks().0.iter().map(|&two| i16::from_le_bytes(two));
        let (hidden1, floats) = layers.split_at(hidden1);
        let mut floats = floats.as_chunks().0.iter().map(|&four| f32::from_le_bytes(four));
        let mut of_buckets =
            |count| floats.by_ref().take(shape.output_buckets as usize * count).collect::<Vec<_>>();
        Ok(RawWeights {
            feature_weights: small.by_ref().take(features).collect(),
            feature_biases: small.collect(),
            hidden1_weights: hidden1.iter().map(|byte| byte.cast_signed()).collect(),
            hidden1_units: of_buckets(HIDDEN1),
            hidden1_biases: of_buckets(HIDDEN1),
            hidden2_weights: of_buckets(HIDDEN1 * HIDDEN2),
            hidden2_biases: of_buckets(HIDDEN2),
            output_weights: of_buckets(HIDDEN2),
            output_biases: of_buckets(1),
        })
    }
}

/// Returns the bytes of the feature weights in a network file that is compiled into the program,
/// for
/// [`Network::with_static_features`]. Nothing is validated; if the file has fewer, all are zero.
#[must_use]
pub(crate) const fn feature_weight_bytes<const BYTES: usize>(file: &[u8]) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    if file.len() >= HEADER_BYTES + BYTES {
        bytes.copy_from_slice(file.split_at(HEADER_BYTES).1.split_at(BYTES).0);
    }
    bytes
}

/// Returns the 32-bit number at an offset, which must be in range.
fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let four = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
    u32::from_le_bytes(four)
}

/// Returns the 64-bit FNV-1a hash of all bytes but those of the hash itself.
fn hash(bytes: &[u8]) -> u64 {
    koel_random::fnv1a(bytes[..HASH_AT].iter().chain(&bytes[HEADER_BYTES..]))
}

#[cfg(test)]
mod tests {
    use super::super::testing::random_weights;
    use super::*;

    #[test]
    fn a_file_is_read_back() {
        let network = Network::<1, 64>::from_raw_weights(&random_weights::<1, 64>(3)).unwrap();
        let bytes = network.to_bytes();
        assert_eq!(Network::<1, 64>::from_bytes(&bytes).unwrap(), network);
        assert_eq!(bytes.len(), Shape::of::<1, 64>().file_bytes());
        assert_eq!(*Network::<1, 64>::file_sizes().end(), bytes.len() as u64);
        assert_eq!(bytes[HASH_AT..HEADER_BYTES], network.hash().to_le_bytes());
    }

    #[test]
    fn wrong_files_are_rejected_with_a_reason() {
        let network = Network::<1, 64>::from_raw_weights(&random_weights::<1, 64>(3)).unwrap();
        let bytes = network.to_bytes();
        let error = |bytes: &[u8]| Network::<1, 64>::from_bytes(bytes).unwrap_err();
        let other: &[u8] = b"not a network, though long enough to have a header";
        for bytes in [&[], &bytes[..7], &bytes[..20], &bytes[..HEADER_BYTES - 1], other] {
            assert_eq!(error(bytes), NetworkError::NotANetwork);
        }
        assert!(matches!(error(&bytes[..5_000]), NetworkError::Length { .. }));
        let changed = |at: usize| {
            let mut bytes = bytes.clone();
            bytes[at] ^= 3;
            bytes
        };
        assert_eq!(error(&changed(8)), NetworkError::Version { expected: 2, found: 1 });
        for at in [24, 28, 32, 36, HASH_AT, HEADER_BYTES, 5_000, bytes.len() - 1] {
            assert_eq!(error(&changed(at)), NetworkError::Hash, "byte {at}");
        }
        let wide = Network::<1, 128>::zero().to_bytes();
        let text = "a network of shape (768 x 1 -> 128 / 2) x 2 -> (16 -> 32 -> 1) x 8, \
                    not (768 x 1 -> 64 / 2) x 2 -> (16 -> 32 -> 1) x 8";
        assert_eq!(error(&wide).to_string(), text);
        // Headers that state another shape than the file has.
        for (at, count) in [(12, 0), (12, 3), (16, 0), (16, u32::MAX), (20, u32::MAX), (16, 63)] {
            let mut bytes = bytes.clone();
            bytes[at..at + 4].copy_from_slice(&count.to_le_bytes());
            assert!(matches!(error(&bytes), NetworkError::Shape { .. }), "{at} {count}");
            let shape = Shape::of_file(&bytes).unwrap();
            assert_ne!(shape.file_bytes(), bytes.len(), "{at} {count}");
        }
    }
}
