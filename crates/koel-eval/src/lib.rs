#![doc = include_str!("../README.md")]

mod centipawns;
mod evaluation;
mod evaluator;
mod hand_written;
mod material;
mod mop_up;
pub mod network;
mod network_breakdown;
mod pair;
mod piece_square;
mod placement;
mod ply_stack;
mod scale;
mod side;
mod survey;
mod table;
mod tally;
mod terms;
#[cfg(test)]
mod testing;
mod weights;

pub use centipawns::Centipawns;
pub use evaluation::{BUILT_IN, Evaluation, SearchNetwork};
pub use evaluator::Evaluator;
pub use material::material;
pub use network_breakdown::NetworkBreakdown;
