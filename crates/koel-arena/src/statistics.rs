//! What a match says about two engines: pure functions of its counts.
//!
//! A pair is two games of one opening with colours swapped. Its two results depend on each other
//! (an opening may favour White), so it is pairs that are counted, by their points: 0, 1/2, 1,
//! 3/2 or 2. That is the pentanomial; single games make the trinomial.

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
