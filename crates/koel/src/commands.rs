//! Koel's own commands, in a session and as arguments.

#[cfg(feature = "cli")]
pub(crate) mod analysis_engine;
#[cfg(feature = "cli")]
pub(crate) mod analyze;
pub(crate) mod bench;
pub(crate) mod cycles;
pub(crate) mod display;
pub(crate) mod genfens;
pub(crate) mod perft;
#[cfg(feature = "cli")]
pub(crate) mod verify_tables;
