#![doc = include_str!("../README.md")]

mod breakdown;
mod evaluator;
mod hand_written;
mod mating;
pub mod network;
mod pair;
mod pawn_cache;
mod placement;
mod plain;
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
pub use evaluator::{Centipawns, Evaluator, Style};
pub use pawn_cache::PawnCache;
pub use weights::Term;
