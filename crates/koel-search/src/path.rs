//! Draws that depend on the path: what a score rests on besides the position, and which of the
//! table's scores are believed on another path (graph history interaction, Palay 1983, Campbell
//! 1985). `docs/path-dependence.md` explains it.

mod counts;
mod dependence;
mod policy;
mod salt;
mod sample;
mod tracking;

pub use counts::PathCounts;
pub use dependence::{Dependence, Head};
pub use policy::{NoProgress, PathPolicy, PathRules};
pub(crate) use salt::{mixed, salt_of};
pub(crate) use sample::Sample;
