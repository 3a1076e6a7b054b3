#![doc = include_str!("../README.md")]

pub mod features;
mod frame;
mod history;
mod iterate;
mod limits;
mod node;
pub mod params;
mod path;
mod picker;
mod quiesce;
mod ranking;
mod reductions;
mod root;
mod score;
mod search;
mod shared;
mod steps;
mod supervisor;
mod table;
mod tablebase;
mod tally;
mod timeline;
mod visit;
mod window;
mod worker;

pub use iterate::Outcome;
pub use koel_tt::{Bound, OutOfMemory};
pub use limits::Limits;
pub use path::{NoProgress, PathCounts, PathPolicy, PathRules};
pub use ranking::{RankedMove, Ranking};
pub use score::{Depth, MAX_PLY, Score};
pub use shared::Shared;
pub use supervisor::{Progress, Report, Supervisor};
pub use tablebase::{Tablebase, Tablebases, Verdict};
pub use timeline::{CYCLES, CycleCounts, Timeline};
pub use worker::Worker;
