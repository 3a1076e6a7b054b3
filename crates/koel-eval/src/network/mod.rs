//! An efficiently updatable neural network (NNUE): (768 × K king buckets, mirrored → N, pairwise
//! products) × 2 → (16 → 32 → 1) × 8.
//!
//! Its feature transformer, a layer of N neurons, is computed from the perspective of each side:
//! the inputs are the side's own pieces and the opponent's by square, with files mirrored so that
//! the side's king is on files a to d. These accumulators are updated incrementally, move by move
//! ([`AccumulatorStack`]). The products of pairs of their clipped neurons are the inputs of two
//! hidden layers with squared clipped ReLU, whose weights are chosen by the number of pieces
//! ([`OUTPUT_BUCKETS`]). The layers up to the first hidden one are integers; the rest is floating
//! point in a fixed order. The result is the same on every machine.
//!
//! ```
//! use std::sync::Arc;
//! use koel_board::Position;
//! use koel_eval::network::{AccumulatorStack, Network};
//!
//! let network = Arc::new(Network::<1, 64>::zero());
//! let mut position = Position::start();
//! let mut accumulators = AccumulatorStack::new(network, &position);
//! position.play_observed(position.parse_uci("e2e4")?, accumulators.push());
//! let eval = accumulators.evaluate(&position);
//! accumulators.pop();
//! # assert_eq!(eval.0, 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(
    not(feature = "training"),
    allow(dead_code, unreachable_pub, reason = "what only a trainer needs is not exported")
)]

mod accumulator;
mod dirty_pieces;
mod error;
mod features;
mod file;
mod finny_table;
mod hidden_layers;
mod raw_weights;
mod reference;
mod row;
mod shape;
pub mod simd;
mod weights;

#[cfg(test)]
pub(crate) mod testing;

pub use accumulator::AccumulatorStack;
pub use dirty_pieces::DirtyPieces;
pub use error::NetworkError;
pub use features::FEATURES;
pub use shape::Shape;
pub use weights::{Network, OUTPUT_BUCKETS, output_bucket};

/// The parts of a network that a trainer needs: input features, the sizes of the layers, and the
/// weights as integers.
#[cfg(feature = "training")]
pub mod training {
    pub use super::features::{Perspective, PieceSquare};
    pub use super::hidden_layers::{HIDDEN1, HIDDEN2, MAX_WEIGHT_PAIR, PRODUCT_UNIT};
    pub use super::raw_weights::RawWeights;
    pub use super::row::QA;
    pub use super::weights::SCALE;
}

pub(crate) use accumulator::MAX_PLIES;
pub(crate) use file::feature_weight_bytes;
pub(crate) use row::AccumulatorRow;
