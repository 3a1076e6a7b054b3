//! The file of a network: a header that says what it is, then its numbers.
//!
//! | bytes | hold |
//! |---|---|
//! | 0..8 | `KOELNET` and a zero |
//! | 8..36 | seven numbers of four bytes: version, king buckets, neurons, output buckets, [`SCALE`], [`QA`], `qb` |
//! | 36..40 | zero |
//! | 40..48 | the hash of all other bytes (FNV-1a) |
//! | 48.. | the [`Parts`] in order |
//!
//! All numbers are little-endian.

use std::fmt;
use std::iter::repeat_n;

use super::features::FEATURES;
use super::parts::Parts;
use super::weights::{Network, OUTPUT_BUCKETS, QA, SCALE};

const MAGIC: &[u8; 8] = b"KOELNET\0";
const VERSION: u32 = 1;
const HASH_AT: usize = 40;
const HEADER_BYTES: usize = 48;

/// How many of everything a network has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Buckets of king squares.
    pub king_buckets: u32,
    /// Neurons for each side.
    pub neurons: u32,
    /// Buckets by the number of pieces.
    pub output_buckets: u32,
}

impl Shape {
    /// That of [`Network<K, N>`].
    #[must_use]
    pub const fn of<const K: usize, const N: usize>() -> Shape {
        Shape { king_buckets: K as u32, neurons: N as u32, output_buckets: OUTPUT_BUCKETS as u32 }
    }

    /// The shape that the header of a file states, whatever follows it.
    ///
    /// # Errors
    /// It is no network file of a version that is known.
    pub fn of_file(bytes: &[u8]) -> Result<Shape, NetworkError> {
        if bytes.len() < HEADER_BYTES || !bytes.starts_with(MAGIC) {
            return Err(NetworkError::NotANetwork);
        }
        if number(bytes, 8) != VERSION {
            return Err(NetworkError::Version(number(bytes, 8)));
        }
        Ok(Shape {
            king_buckets: number(bytes, 12),
            neurons: number(bytes, 16),
            output_buckets: number(bytes, 20),
        })
    }

    /// How many inputs' weights it has, numbers that neurons begin with, output weights and
    /// constants. What a header makes up may be more than a machine can count.
    fn counts(self) -> [usize; 4] {
        let [buckets, neurons, outputs] =
            [self.king_buckets, self.neurons, self.output_buckets].map(|count| count as usize);
        let inputs = buckets.saturating_mul(FEATURES).saturating_mul(neurons);
        [inputs, neurons, outputs.saturating_mul(2).saturating_mul(neurons), outputs]
    }

    /// Bytes of a file of this shape.
    fn file_bytes(self) -> usize {
        let [inputs, start, outputs, constants] = self.counts();
        let small = inputs.saturating_add(start).saturating_add(outputs).saturating_mul(2);
        constants.saturating_mul(4).saturating_add(small).saturating_add(HEADER_BYTES)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shape { king_buckets, neurons, output_buckets } = self;
        write!(f, "({FEATURES} x {king_buckets} -> {neurons}) x 2 -> 1 x {output_buckets}")
    }
}

/// Why something is not a network that can be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetworkError {
    /// The file does not begin like a network.
    NotANetwork,
    /// The file is of another version.
    Version(u32),
    /// The network has another shape than what can be used.
    Shape {
        /// What can be used.
        expected: Shape,
        /// What the file has.
        found: Shape,
    },
    /// The numbers of the network are in other units.
    Scale,
    /// The file is longer or shorter than its header says.
    Length {
        /// Bytes that it should have.
        expected: usize,
        /// Bytes that it has.
        found: usize,
    },
    /// The file is damaged.
    Hash,
    /// There are not as many numbers as the shape wants.
    Counts(Shape),
    /// Some position could make a sum overflow.
    Overflow(&'static str),
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::NotANetwork => f.write_str("not a network file"),
            NetworkError::Version(found) => {
                write!(f, "a network file of version {found}, not {VERSION}")
            }
            NetworkError::Shape { expected, found } => {
                write!(f, "a network of shape {found}, not {expected}")
            }
            NetworkError::Scale => f.write_str("a network in other units"),
            NetworkError::Length { expected, found } => {
                write!(f, "a network file of {found} bytes, not {expected}")
            }
            NetworkError::Hash => f.write_str("a damaged network file: its hash is another"),
            NetworkError::Counts(shape) => write!(f, "too many or too few numbers for {shape}"),
            NetworkError::Overflow(what) => write!(f, "a network that could overflow: {what}"),
        }
    }
}

impl std::error::Error for NetworkError {}

impl<const K: usize, const N: usize> Network<K, N> {
    /// Reads a network file.
    ///
    /// # Errors
    /// Says what is wrong with it: see [`NetworkError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Network<K, N>, NetworkError> {
        let (expected, found) = (Shape::of::<K, N>(), Shape::of_file(bytes)?);
        if found != expected {
            return Err(NetworkError::Shape { expected, found });
        }
        Network::from_parts(&Parts::read(bytes, found)?)
    }

    /// Reads the file of such a network or of a smaller one, with fewer neurons or a single king
    /// bucket: it says the same of every position, only slower than it could.
    ///
    /// # Errors
    /// Says what is wrong with it: see [`NetworkError`].
    pub fn grown_from(bytes: &[u8]) -> Result<Network<K, N>, NetworkError> {
        let (expected, found) = (Shape::of::<K, N>(), Shape::of_file(bytes)?);
        let has_buckets = found.king_buckets == 1 || found.king_buckets == expected.king_buckets;
        let has_outputs = found.output_buckets == expected.output_buckets;
        if !has_buckets || !has_outputs || !(1..=expected.neurons).contains(&found.neurons) {
            return Err(NetworkError::Shape { expected, found });
        }
        let parts = Parts::read(bytes, found)?;
        let wide = |rows: &[i16], count| widened(rows, found.neurons as usize, N, count);
        Network::from_parts(&Parts {
            inputs: wide(&parts.inputs, K * FEATURES),
            start: wide(&parts.start, 1),
            outputs: wide(&parts.outputs, 2 * OUTPUT_BUCKETS),
            ..parts
        })
    }

    /// The bytes of its file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let shape = Shape::of::<K, N>();
        let parts = self.to_parts();
        let mut bytes = MAGIC.to_vec();
        let scales = [SCALE as u32, QA as u32, u32::from(self.qb.get()), 0];
        let shape = [VERSION, shape.king_buckets, shape.neurons, shape.output_buckets];
        bytes.extend(shape.into_iter().chain(scales).flat_map(u32::to_le_bytes));
        bytes.extend([0; HEADER_BYTES - HASH_AT]);
        let small = parts.inputs.iter().chain(&parts.start).chain(&parts.outputs);
        bytes.extend(small.flat_map(|weight| weight.to_le_bytes()));
        bytes.extend(parts.constants.iter().flat_map(|constant| constant.to_le_bytes()));
        let hash = hash(&bytes).to_le_bytes();
        bytes[HASH_AT..HEADER_BYTES].copy_from_slice(&hash);
        bytes
    }

    /// The hash in its file, by which a network is known.
    #[must_use]
    pub fn hash(&self) -> u64 {
        hash(&self.to_bytes())
    }
}

/// So many rows of a greater width, the numbers that are missing zero; if there are fewer they are
/// repeated.
fn widened(rows: &[i16], width: usize, wide: usize, count: usize) -> Vec<i16> {
    let rows = rows.chunks_exact(width).cycle().take(count);
    rows.flat_map(|row| row.iter().copied().chain(repeat_n(0, wide - width))).collect()
}

impl Parts {
    /// Reads the numbers of a file whose header states this shape.
    fn read(bytes: &[u8], shape: Shape) -> Result<Parts, NetworkError> {
        let expected = shape.file_bytes();
        if bytes.len() != expected {
            return Err(NetworkError::Length { expected, found: bytes.len() });
        }
        let (header, numbers) = bytes.split_at(HEADER_BYTES);
        if header[HASH_AT..] != hash(bytes).to_le_bytes() {
            return Err(NetworkError::Hash);
        }
        if number(header, 24) != SCALE as u32 || number(header, 28) != QA as u32 {
            return Err(NetworkError::Scale);
        }
        let [inputs, start, outputs, constants] = shape.counts();
        let (small, last) = numbers.split_at(numbers.len() - 4 * constants);
        let mut small = small.chunks_exact(2).map(|two| i16::from_le_bytes([two[0], two[1]]));
        let mut take = |count| small.by_ref().take(count).collect::<Vec<_>>();
        Ok(Parts {
            inputs: take(inputs),
            start: take(start),
            outputs: take(outputs),
            constants: (0..constants).map(|at| number(last, 4 * at) as i32).collect(),
            qb: number(header, 32) as i32,
        })
    }
}

/// The bytes of the inputs in a network file, for a network that is compiled into a program: see
/// [`Network::with_inputs_in_program`]. Nothing is examined; of a file of fewer all are zero.
#[must_use]
pub const fn bytes_of_inputs<const BYTES: usize>(file: &[u8]) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    if file.len() >= HEADER_BYTES + BYTES {
        bytes.copy_from_slice(file.split_at(HEADER_BYTES).1.split_at(BYTES).0);
    }
    bytes
}

/// The number of four bytes at a place, which must be there.
fn number(bytes: &[u8], at: usize) -> u32 {
    let four = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
    u32::from_le_bytes(four)
}

/// FNV-1a with 64 bits, of all but the place where it is kept.
fn hash(bytes: &[u8]) -> u64 {
    let kept = bytes[..HASH_AT].iter().chain(&bytes[HEADER_BYTES..]);
    kept.fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use koel_board::Position;

    use super::super::accumulator::AccumulatorStack;
    use super::super::samples::random_parts;
    use super::*;

    #[test]
    fn a_file_comes_back() {
        let network = Network::<1, 64>::from_parts(&random_parts::<1, 64>(3)).unwrap();
        let bytes = network.to_bytes();
        assert_eq!(Network::<1, 64>::from_bytes(&bytes).unwrap(), network);
        assert_eq!(bytes.len(), Shape::of::<1, 64>().file_bytes());
        assert_eq!(bytes[HASH_AT..HEADER_BYTES], network.hash().to_le_bytes());
    }

    #[test]
    fn wrong_files_are_refused_with_a_reason() {
        let network = Network::<1, 64>::from_parts(&random_parts::<1, 64>(3)).unwrap();
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
        assert_eq!(error(&changed(8)), NetworkError::Version(0));
        for at in [24, 28, 32, 36, HASH_AT, HEADER_BYTES, 5_000, bytes.len() - 1] {
            assert_eq!(error(&changed(at)), NetworkError::Hash, "byte {at}");
        }
        let wide = Network::<1, 128>::zero().to_bytes();
        let text =
            "a network of shape (768 x 1 -> 128) x 2 -> 1 x 8, not (768 x 1 -> 64) x 2 -> 1 x 8";
        assert_eq!(error(&wide).to_string(), text);
    }

    #[test]
    fn a_smaller_network_is_one_that_says_the_same() {
        let small = Network::<1, 64>::from_parts(&random_parts::<1, 64>(3)).unwrap();
        let bytes = small.to_bytes();
        let (small, wide, both) = (
            Arc::new(small),
            Arc::new(Network::<1, 128>::grown_from(&bytes).unwrap()),
            Arc::new(Network::<4, 256>::grown_from(&bytes).unwrap()),
        );
        assert_eq!(Network::<1, 64>::grown_from(&bytes).as_ref(), Ok(&*small));
        let mut position = Position::start();
        let mut seen = BTreeSet::new();
        for number in 0..200 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[number * 7 % moves.len()]);
            let worth = AccumulatorStack::new(Arc::clone(&small), &position).evaluate(&position);
            let by_wide = AccumulatorStack::new(Arc::clone(&wide), &position).evaluate(&position);
            let by_both = AccumulatorStack::new(Arc::clone(&both), &position).evaluate(&position);
            assert_eq!([by_wide, by_both], [worth, worth], "{position}");
            seen.insert(worth.0);
        }
        assert!(seen.len() > 20, "{seen:?}");
        for bytes in [wide.to_bytes(), both.to_bytes()] {
            let error = Network::<1, 64>::grown_from(&bytes).unwrap_err();
            assert!(matches!(error, NetworkError::Shape { .. }), "{error}");
        }
        // A header that promises more than there is.
        for (at, count) in [(12, 0), (12, 3), (16, 0), (16, u32::MAX), (20, u32::MAX), (16, 63)] {
            let mut bytes = small.to_bytes();
            bytes[at..at + 4].copy_from_slice(&count.to_le_bytes());
            let error = Network::<1, 64>::grown_from(&bytes).unwrap_err();
            let is_length = matches!(error, NetworkError::Length { .. });
            assert!(is_length || matches!(error, NetworkError::Shape { .. }), "{at} {count}");
        }
    }
}
