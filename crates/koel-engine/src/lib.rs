#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod abort_on_panic;
mod available_memory;
mod best_thread;
mod control;
mod engine;
mod event;
mod lines;
mod pool;
mod request;
mod strength;
mod supervisor;
mod syzygy;
mod task;
mod time;
mod win_draw_loss;

pub use koel_board;
pub use koel_eval;
pub use koel_search;

pub use abort_on_panic::AbortOnPanic;
pub use available_memory::{HashMemoryError, check as check_memory};
pub use engine::{Engine, HashTable};
pub use event::{Event, Line, Outcome, WinDrawLoss};
pub use request::{Clock, Request};
pub use strength::{MAX_ELO, MIN_ELO};
pub use syzygy::{Syzygy, SyzygyError};

/// All parameters that a tuner may change: those of time management and of the search.
pub fn params() -> impl Iterator<Item = &'static koel_search::Param> {
    let clock = time::DECLARED.into_iter().flat_map(|declaration| declaration.params).copied();
    clock.chain(koel_search::params())
}
