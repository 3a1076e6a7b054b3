//! Calling off what waits or works.

use std::sync::atomic::{AtomicBool, Ordering};

/// What may call a search or a match off: the user, or the end of the match.
#[derive(Clone, Copy, Debug, Default)]
pub struct CallOff<'f> {
    flags: [Option<&'f AtomicBool>; 2],
}

impl<'f> CallOff<'f> {
    /// Nothing does.
    pub const NEVER: CallOff<'static> = CallOff { flags: [None; 2] };

    /// This flag does when it is set.
    pub fn by(flag: &'f AtomicBool) -> CallOff<'f> {
        CallOff { flags: [Some(flag), None] }
    }

    /// Either of these flags does.
    pub fn by_either(flags: [&'f AtomicBool; 2]) -> CallOff<'f> {
        CallOff { flags: flags.map(Some) }
    }

    /// Whether it is called off.
    pub fn is_set(&self) -> bool {
        self.flags.iter().flatten().any(|flag| flag.load(Ordering::Relaxed))
    }
}
