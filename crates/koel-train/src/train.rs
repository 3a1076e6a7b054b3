//! The trainer of networks.
//!
//! The network is that of [`koel_eval::network`] in floating point, with the features computed
//! there. Every sum is added up in an order that depends neither on the number of threads nor on
//! the vector width of the machine, so the same data and plan give the same weights, bit for bit.

pub(crate) mod checkpoint;
pub(crate) mod compute;
pub(crate) mod dataset;
mod gradient;
mod loss;
mod network_optimizer;
mod optimizer;
pub(crate) mod plan;
pub(crate) mod quantise;
pub(crate) mod real;
pub(crate) mod state_file;
pub(crate) mod trainable_network;
pub(crate) mod trainer;
mod training_position;

/// A vector that begins at a cache line. Where values are read and written in place, as in
/// gradients, a SIMD vector that crosses two lines costs twice.
type AlignedVec<F> = aligned_vec::AVec<F>;

/// Returns a vector of this many zeros.
fn zeros<F: real::Real>(len: usize) -> AlignedVec<F> {
    aligned_vec::avec![F::default(); len]
}
