#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

#[macro_use]
mod declaration;
mod history;
mod iterate;
mod limits;
mod move_loop;
mod move_picker;
mod node;
mod node_budget;
mod path;
mod quiesce;
mod quiet_bonus;
mod reductions;
mod repetition_detector;
mod root_moves;
mod root_ranking;
mod score;
mod scored_moves;
mod search;
mod search_node;
mod searcher;
mod shared;
mod stack;
mod steps;
mod supervisor;
mod tablebase;
#[cfg(test)]
mod testing;
mod tt;
mod window;
mod worker;

pub use declaration::{Declaration, Param, Switch};
pub use iterate::SearchResult;
pub use koel_tt::{Bound, OutOfMemory};
pub use limits::Limits;
pub use path::{
    CycleHead, NoProgress, PathCounts, PathDependence, PathMark, PathPolicy, PathRules,
};
pub use repetition_detector::{CYCLES, CycleCounts, RepetitionDetector};
pub use root_ranking::{RankedMove, RootRanking};
pub use score::{Depth, MAX_PLY, Score};
pub use searcher::Searcher;
pub use shared::Shared;
pub use steps::CLASSIC;
pub use supervisor::{Progress, Report, Supervisor};
pub use tablebase::{Tablebase, Tablebases, Wdl};
pub use worker::{STACK_BYTES, Worker};

declared_in! { OTHERS: iterate search tt move_picker quiet_bonus history reductions }

fn declarations() -> impl Iterator<Item = &'static Declaration> {
    let all = steps::DECLARED.iter().chain(OTHERS).copied();
    #[cfg(feature = "switches")]
    let all = all.chain(steps::CLASSIC_DECLARED.iter().copied());
    all.chain([&history::CORRECTION])
}

/// All switches of the search.
pub fn switches() -> impl Iterator<Item = &'static Switch> {
    declarations().flat_map(|declaration| declaration.switches).copied()
}

/// All parameters of the search.
pub fn params() -> impl Iterator<Item = &'static Param> {
    declarations().flat_map(|declaration| declaration.params).copied()
}
