//! The reasons for which a network is rejected.

use thiserror::Error;

use super::shape::Shape;

/// The reason for which a network is rejected.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// The file does not begin with the header of a network.
    #[error("not a network file")]
    NotANetwork,
    /// The file format has another version.
    #[error("a network file of version {found}, not {expected}")]
    Version {
        /// The supported version.
        expected: u32,
        /// The version of the file.
        found: u32,
    },
    /// The network has another shape.
    #[error("a network of shape {found}, not {expected}")]
    Shape {
        /// The supported shape.
        expected: Shape,
        /// The shape of the file.
        found: Shape,
    },
    /// The quantisation factors of the network are others.
    #[error("a network with other quantisation factors")]
    Scale,
    /// The length of the file does not match its header.
    #[error("a network file of {found} bytes, not {expected}")]
    Length {
        /// The length in bytes according to the header.
        expected: usize,
        /// The length of the file in bytes.
        found: usize,
    },
    /// The checksum is wrong: the file is damaged.
    #[error("a damaged network file: its checksum is wrong")]
    Hash,
    /// The number of weights does not match the shape.
    #[error("too many or too few weights for {0}")]
    Counts(Shape),
    /// A weight is not a number or too large, or a sum could overflow in some position.
    #[error("a network that could overflow: {0}")]
    Overflow(&'static str),
}
