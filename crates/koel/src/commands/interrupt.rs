//! Ctrl-C: a long command ends in order and keeps what it has.

use std::sync::atomic::{AtomicBool, Ordering};

static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The exit status of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// Returns true after an interrupt.
pub(crate) fn is_interrupted() -> bool {
    IS_INTERRUPTED.load(Ordering::SeqCst)
}

/// Records interrupts from now on instead of ending the program. A second interrupt ends it at
/// once.
///
/// # Errors
/// If there is a signal handler already, or the system refuses one.
pub(crate) fn record_interrupts() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(|| {
        if IS_INTERRUPTED.swap(true, Ordering::SeqCst) {
            std::process::exit(INTERRUPTED);
        }
    })
}
