//! The file format of a network: a header, then the weights. All numbers are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 0..8 | `KOELNET` and a zero |
//! | 8..36 | seven 32-bit numbers: version, king buckets, neurons, output buckets, [`SCALE`], [`QA`], `qb` |
//! | 36..40 | zero |
//! | 40..48 | the hash of all other bytes (FNV-1a) |
//! | 48.. | the [`RawWeights`] in order |

use std::iter::repeat_n;
use std::ops::RangeInclusive;

use super::error::NetworkError;
use super::features::FEATURES;
use super::raw_weights::RawWeights;
use super::shape::Shape;
use super::weights::{Network, OUTPUT_BUCKETS, QA, SCALE};

const MAGIC: &[u8; 8] = b"KOELNET\0";
const VERSION: u32 = 1;
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
        let [features, biases, outputs, output_biases] = self.counts();
        let small = features.saturating_add(biases).saturating_add(outputs).saturating_mul(2);
        output_biases.saturating_mul(4).saturating_add(small).saturating_add(HEADER_BYTES)
    }
}

impl<const K: usize, const N: usize> Network<K, N> {
    /// Returns the sizes in bytes of the files that [`from_bytes_padded`](Self::from_bytes_padded)
    /// accepts, from the smallest to the largest.
    #[must_use]
    pub fn file_sizes() -> RangeInclusive<u64> {
        let largest = Shape::of::<K, N>();
        let smallest = Shape { king_buckets: 1, neurons: 1, ..largest };
        smallest.file_bytes() as u64..=largest.file_bytes() as u64
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

    /// Reads the file of a network of this shape or of a smaller one, with fewer neurons or a
    /// single king bucket. A smaller one is padded with zeros: its evaluation is unchanged, its
    /// speed that of the larger shape.
    ///
    /// # Errors
    /// The file is not valid, or has another shape: see [`NetworkError`].
    pub fn from_bytes_padded(bytes: &[u8]) -> Result<Network<K, N>, NetworkError> {
        let (expected, found) = (Shape::of::<K, N>(), Shape::of_file(bytes)?);
        let has_buckets = found.king_buckets == 1 || found.king_buckets == expected.king_buckets;
        let has_outputs = found.output_buckets == expected.output_buckets;
        if !has_buckets || !has_outputs || !(1..=expected.neurons).contains(&found.neurons) {
            return Err(NetworkError::Shape { expected, found });
        }
        let weights = RawWeights::read(bytes, found)?;
        let padded = |rows: &[i16], count| pad_rows(rows, found.neurons as usize, N, count);
        Network::from_raw_weights(&RawWeights {
            feature_weights: padded(&weights.feature_weights, K * FEATURES),
            feature_biases: padded(&weights.feature_biases, 1),
            output_weights: padded(&weights.output_weights, 2 * OUTPUT_BUCKETS),
            ..weights
        })
    }

    /// Returns the file of the network.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let shape = Shape::of::<K, N>();
        let weights = self.to_raw_weights();
        let mut bytes = MAGIC.to_vec();
        let scales = [SCALE as u32, QA as u32, u32::from(self.qb.get()), 0];
        let shape = [VERSION, shape.king_buckets, shape.neurons, shape.output_buckets];
        bytes.extend(shape.into_iter().chain(scales).flat_map(u32::to_le_bytes));
        bytes.extend([0; HEADER_BYTES - HASH_AT]);
        let small = [&weights.feature_weights, &weights.feature_biases, &weights.output_weights];
        bytes.extend(small.into_iter().flatten().flat_map(|weight| weight.to_le_bytes()));
        bytes.extend(weights.output_biases.iter().flat_map(|bias| bias.to_le_bytes()));
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

/// Pads rows with zeros from a width to a greater one, and repeats all rows until there are
/// `count` of them.
fn pad_rows(rows: &[i16], from: usize, to: usize, count: usize) -> Vec<i16> {
    let rows = rows.chunks_exact(from).cycle().take(count);
    rows.flat_map(|row| row.iter().copied().chain(repeat_n(0, to - from))).collect()
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
        let [features, biases, outputs, output_biases] = shape.counts();
        let (small, last) = body.split_at(body.len() - 4 * output_biases);
        let mut small = small.chunks_exact(2).map(|two| i16::from_le_bytes([two[0], two[1]]));
        let mut take = |count| small.by_ref().take(count).collect::<Vec<_>>();
        Ok(RawWeights {
            feature_weights: take(features),
            feature_biases: take(biases),
            output_weights: take(outputs),
            output_biases: (0..output_biases).map(|index| u32_at(last, 4 * index) as i32).collect(),
            qb: u32_at(header, 32) as i32,
        })
    }
}

/// Returns the bytes of the feature weights in a network file that is compiled into the program, for
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
    let hashed = bytes[..HASH_AT].iter().chain(&bytes[HEADER_BYTES..]);
    hashed.fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use koel_board::Position;

    use super::super::accumulator::AccumulatorStack;
    use super::super::testing::random_weights;
    use super::*;

    #[test]
    fn a_file_is_read_back() {
        let network = Network::<1, 64>::from_raw_weights(&random_weights::<1, 64>(3)).unwrap();
        let bytes = network.to_bytes();
        assert_eq!(Network::<1, 64>::from_bytes(&bytes).unwrap(), network);
        assert_eq!(bytes.len(), Shape::of::<1, 64>().file_bytes());
        assert_eq!(bytes[HASH_AT..HEADER_BYTES], network.hash().to_le_bytes());
    }

    #[test]
    fn wrong_files_are_rejected_with_a_reason() {
        let network = Network::<1, 64>::from_raw_weights(&random_weights::<1, 64>(3)).unwrap();
        let bytes = network.to_bytes();
        let error = |bytes: &[u8]| Network::<1, 64>::from_bytes(bytes).unwrap_err();
        for length in [0, 7, 20, HEADER_BYTES - 1] {
            assert_eq!(error(&bytes[..length]), NetworkError::NotANetwork);
        }
        assert_eq!(
            error(b"not a network, though long enough to have a header"),
            NetworkError::NotANetwork
        );
        assert!(matches!(error(&bytes[..5_000]), NetworkError::Length { .. }));
        let changed = |at: usize| {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1;
            bytes
        };
        assert_eq!(error(&changed(8)), NetworkError::Version { expected: 1, found: 0 });
        for at in [24, 28, 32, 36, HASH_AT, HEADER_BYTES, 5_000, bytes.len() - 1] {
            assert_eq!(error(&changed(at)), NetworkError::Hash, "byte {at}");
        }
        let wide = Network::<1, 128>::zero().to_bytes();
        let text =
            "a network of shape (768 x 1 -> 128) x 2 -> 1 x 8, not (768 x 1 -> 64) x 2 -> 1 x 8";
        assert_eq!(error(&wide).to_string(), text);
    }

    #[test]
    fn a_padded_network_evaluates_like_the_original() {
        let small = Network::<1, 64>::from_raw_weights(&random_weights::<1, 64>(3)).unwrap();
        let bytes = small.to_bytes();
        let (small, wide, both) = (
            Arc::new(small),
            Arc::new(Network::<1, 128>::from_bytes_padded(&bytes).unwrap()),
            Arc::new(Network::<4, 256>::from_bytes_padded(&bytes).unwrap()),
        );
        assert_eq!(Network::<1, 64>::from_bytes_padded(&bytes).as_ref(), Ok(&*small));
        assert!(Network::<4, 256>::file_sizes().contains(&(bytes.len() as u64)));
        assert_eq!(*Network::<1, 64>::file_sizes().end(), bytes.len() as u64);
        let mut position = Position::start();
        let mut seen = BTreeSet::new();
        for number in 0..200 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[number * 7 % moves.len()]);
            let expected = AccumulatorStack::new(Arc::clone(&small), &position).evaluate(&position);
            let by_wide = AccumulatorStack::new(Arc::clone(&wide), &position).evaluate(&position);
            let by_both = AccumulatorStack::new(Arc::clone(&both), &position).evaluate(&position);
            assert_eq!([by_wide, by_both], [expected, expected], "{position}");
            seen.insert(expected.0);
        }
        assert!(seen.len() > 20, "{seen:?}");
        for bytes in [wide.to_bytes(), both.to_bytes()] {
            let error = Network::<1, 64>::from_bytes_padded(&bytes).unwrap_err();
            assert!(matches!(error, NetworkError::Shape { .. }), "{error}");
        }
        // Headers that state more than the file holds.
        for (at, count) in [(12, 0), (12, 3), (16, 0), (16, u32::MAX), (20, u32::MAX), (16, 63)] {
            let mut bytes = small.to_bytes();
            bytes[at..at + 4].copy_from_slice(&count.to_le_bytes());
            let error = Network::<1, 64>::from_bytes_padded(&bytes).unwrap_err();
            let is_length = matches!(error, NetworkError::Length { .. });
            assert!(is_length || matches!(error, NetworkError::Shape { .. }), "{at} {count}");
        }
    }
}
