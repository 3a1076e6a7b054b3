//! UCI engines as child processes.

mod child_process;
mod compliance;
mod engine_process;
mod fault;
mod output;
mod search;
mod spec;

#[cfg(feature = "cli")]
pub(crate) use child_process::kill_engines;
pub use compliance::{CheckResult, check_engine};
pub use engine_process::EngineProcess;
pub use fault::{EngineFault, StartError};
pub use search::SearchReply;
pub use spec::{EngineSpec, Timeouts};
