//! The statistics of a match: pure functions of its counts.
//!
//! A pair is two games of one opening with colours swapped. Its two results are not independent (an
//! opening may favour White), so pairs are counted by their points: 0, 1/2, 1, 3/2 or 2. These
//! counts are the pentanomial; those of single games are the trinomial.

mod elo;
mod normal;
mod performance;
mod result_counts;
mod sprt;

pub use elo::{Estimate, Strength, expected_score};
pub use normal::probability_below;
pub use performance::{Performance, performance};
pub use result_counts::{Pentanomial, ResultCounts, Trinomial};
pub use sprt::{Decision, EloModel, Sprt, llr};
