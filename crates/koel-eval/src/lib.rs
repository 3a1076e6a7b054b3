#![doc = include_str!("../README.md")]

mod evaluator;
mod values;

pub use evaluator::{Centipawns, Evaluator};
