//! Koel's own commands, in a session and as arguments.

pub(crate) mod analysis_engine;
pub(crate) mod analyze;
pub(crate) mod bench;
pub(crate) mod cycles;
pub(crate) mod display;
pub(crate) mod flip;
pub(crate) mod genfens;
pub(crate) mod interrupt;
pub(crate) mod repetition_comments;
pub(crate) mod verify_tables;
