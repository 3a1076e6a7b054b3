#![doc = include_str!("../README.md")]

mod breakdown;
mod evaluation;
mod evaluator;
mod hand_written;
mod line_evaluator;
mod material;
mod mating;
pub mod network;
mod network_breakdown;
mod pair;
mod pawn_cache;
mod placement;
mod plain;
mod plies;
mod scale;
mod side;
mod simd;
mod survey;
mod table;
mod tally;
mod terms;
#[cfg(test)]
mod testing;
pub mod tuning;
mod weights;

pub use breakdown::{Breakdown, Row};
pub use evaluation::{BUILT_IN, Evaluation, SearchNetwork};
pub use evaluator::{Centipawns, Evaluator, Style};
pub use line_evaluator::LineEvaluator;
pub use material::material;
pub use network_breakdown::NetworkBreakdown;
pub use pawn_cache::PawnCache;
pub use weights::Term;
