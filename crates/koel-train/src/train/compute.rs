//! The computing resources of a training.

use koel_eval::network::simd::InstructionSet;

/// The threads and the instruction set of a training. They change its duration, not its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ComputeOptions {
    /// Threads; more than four are of no use.
    pub(crate) threads: usize,
    /// The instruction set of each thread.
    pub(crate) instruction_set: InstructionSet,
}

impl ComputeOptions {
    /// Creates options for this many threads with the best instruction set of the machine.
    pub(crate) fn with_threads(threads: usize) -> ComputeOptions {
        ComputeOptions { threads, instruction_set: InstructionSet::detect() }
    }
}

impl Default for ComputeOptions {
    /// One thread with the best instruction set of the machine.
    fn default() -> ComputeOptions {
        ComputeOptions::with_threads(1)
    }
}
