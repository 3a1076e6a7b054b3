//! Path-dependent draws: the positions of the path that a score depends on, and the table scores
//! that are accepted on another path (graph history interaction; Palay 1983, Campbell 1985). See
//! `docs/cycles.md`.

mod counts;
mod dependence;
mod payload;
mod policy;
mod salt;
mod sample;
mod tracking;

pub use counts::PathCounts;
pub(crate) use dependence::PathScore;
pub use dependence::{Dependence, Head};
pub use payload::PathDependence;
pub use policy::{NoProgress, PathPolicy, PathRules};
pub(crate) use salt::{game_salt, mix};
pub(crate) use sample::Sample;
