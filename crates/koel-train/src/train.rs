//! Training: from games to a network.
//!
//! The network is that of [`koel_eval::network`], in floating point: its inputs are taken from
//! there and not written twice. Every sum is added up in an order that neither the number of
//! threads nor the width of the machine's vectors changes, so the same data and plan give the same
//! weights, bit for bit.

mod aligned;
pub mod checkpoint;
pub mod dataset;
mod gradient;
pub mod learner;
pub mod model;
mod optimizer;
pub mod plan;
pub mod quantise;
pub mod real;
pub mod sample;
