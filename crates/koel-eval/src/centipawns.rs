//! The unit of the evaluation.

/// A hundredth of the value of a pawn, from the point of view that the context names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
pub struct Centipawns(pub i32);
