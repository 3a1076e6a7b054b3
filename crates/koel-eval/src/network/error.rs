//! The reasons for which a network is rejected.

use std::fmt;

use super::shape::Shape;

/// The reason for which a network is rejected.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NetworkError {
    /// The file does not begin with the header of a network.
    NotANetwork,
    /// The file format has another version.
    Version {
        /// The supported version.
        expected: u32,
        /// The version of the file.
        found: u32,
    },
    /// The network has another shape.
    Shape {
        /// The supported shape.
        expected: Shape,
        /// The shape of the file.
        found: Shape,
    },
    /// The quantisation factors of the network are others.
    Scale,
    /// The length of the file does not match its header.
    Length {
        /// The length in bytes according to the header.
        expected: usize,
        /// The length of the file in bytes.
        found: usize,
    },
    /// The checksum is wrong: the file is damaged.
    Hash,
    /// The number of weights does not match the shape.
    Counts(Shape),
    /// A weight is not a number or too large, or a sum could overflow in some position.
    Overflow(&'static str),
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::NotANetwork => f.write_str("not a network file"),
            NetworkError::Version { expected, found } => {
                write!(f, "a network file of version {found}, not {expected}")
            }
            NetworkError::Shape { expected, found } => {
                write!(f, "a network of shape {found}, not {expected}")
            }
            NetworkError::Scale => f.write_str("a network with other quantisation factors"),
            NetworkError::Length { expected, found } => {
                write!(f, "a network file of {found} bytes, not {expected}")
            }
            NetworkError::Hash => f.write_str("a damaged network file: its checksum is wrong"),
            NetworkError::Counts(shape) => write!(f, "too many or too few weights for {shape}"),
            NetworkError::Overflow(part) => write!(f, "a network that could overflow: {part}"),
        }
    }
}

impl std::error::Error for NetworkError {}
