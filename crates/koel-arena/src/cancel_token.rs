//! Cancellation of a wait, a search or a match.

use std::sync::atomic::{AtomicBool, Ordering};

/// A token that tells a wait, a search or a match to stop: it is cancelled when any of its flags
/// is set.
#[derive(Clone, Copy, Debug, Default)]
pub struct CancelToken<'f> {
    flags: [Option<&'f AtomicBool>; 2],
}

impl<'f> CancelToken<'f> {
    /// A token that is never cancelled.
    pub const NEVER: CancelToken<'static> = CancelToken { flags: [None; 2] };

    /// Returns a token that is cancelled by setting this flag.
    pub fn new(flag: &'f AtomicBool) -> CancelToken<'f> {
        CancelToken { flags: [Some(flag), None] }
    }

    /// Returns a token that is cancelled by setting either flag.
    pub fn either(flags: [&'f AtomicBool; 2]) -> CancelToken<'f> {
        CancelToken { flags: flags.map(Some) }
    }

    /// Returns true if a flag is set.
    pub fn is_cancelled(&self) -> bool {
        self.flags.iter().flatten().any(|flag| flag.load(Ordering::Relaxed))
    }
}
