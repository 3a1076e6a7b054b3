//! Path-dependent draws (graph history interaction; Palay 1983, Campbell 1985), in three words: a
//! score may depend on the path, the table keeps a mark of that, and a policy decides which marks
//! are accepted on another path. See `docs/cycles.md`.

mod dependence;
mod mark;
mod policy;
mod salt;

mod measurement;

pub(crate) use dependence::PathScore;
pub use dependence::{CycleHead, PathDependence};
pub use mark::PathMark;
pub use measurement::PathCounts;
pub use policy::{NoProgress, PathPolicy, PathRules};
pub(crate) use salt::game_salt;
