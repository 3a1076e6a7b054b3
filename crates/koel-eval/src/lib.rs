#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod centipawns;
mod custom;
mod evaluation;
mod evaluator;
mod material;
mod mop_up;
pub mod network;
mod network_breakdown;
mod piece_square;
#[cfg(test)]
mod testing;
mod wdl_model;

pub use centipawns::Centipawns;
pub use custom::{CustomEvaluation, CustomEvaluator};
pub use evaluation::{BUILT_IN, Evaluation, KING_BUCKETS, NEURONS, SearchNetwork};
pub use evaluator::Evaluator;
pub use material::material;
pub use network_breakdown::NetworkBreakdown;
pub use wdl_model::WdlModel;
