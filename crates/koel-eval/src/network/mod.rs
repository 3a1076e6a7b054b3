//! An efficiently updatable neural network (NNUE): (768 × K king buckets, mirrored → N) × 2 → 1 × 8.
//!
//! Each side sees the board from its own view: which of its own and of the other's pieces stands
//! where, with files mirrored so that its king is on the queen's side. A layer of N neurons for
//! each view is brought up to date move by move ([`AccumulatorStack`]); clipped, squared and
//! weighted, both views give one number ([`OUTPUT_BUCKETS`] weightings, chosen by the number of
//! pieces). All of it is integer arithmetic and gives the same on every machine.
//!
//! ```
//! use std::sync::Arc;
//! use koel_board::Position;
//! use koel_eval::network::{AccumulatorStack, Network};
//!
//! let network = Arc::new(Network::<1, 32>::zero());
//! let mut position = Position::start();
//! let mut accumulators = AccumulatorStack::new(network, &position);
//! position.play_observed(position.parse_uci("e2e4")?, accumulators.push());
//! let worth = accumulators.evaluate(&position);
//! accumulators.pop();
//! # assert_eq!(worth.0, 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod accumulator;
mod cache;
mod deltas;
mod features;
mod file;
mod layer;
mod parts;
mod scratch;
pub mod simd;
mod weights;

#[cfg(test)]
pub(crate) mod samples;

pub use accumulator::AccumulatorStack;
pub use deltas::Deltas;
pub use features::{FEATURES, PieceSquare, View};
pub use file::{NetworkError, Shape, bytes_of_inputs};
pub use layer::Row;
pub use parts::Parts;
pub use weights::{Network, OUTPUT_BUCKETS, QA, SCALE, output_bucket};
