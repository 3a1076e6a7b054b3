//! Ctrl-C: the running command ends in order and keeps what it has.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;

use crate::engine::kill_engines;

static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

static INSTALL_HANDLER: Once = Once::new();

/// Returns true after an interrupt.
pub fn is_interrupted() -> bool {
    IS_INTERRUPTED.load(Ordering::SeqCst)
}

/// Returns the flag that an interrupt sets from now on. A second interrupt ends the program at
/// once.
///
/// # Errors
/// If the signal handler cannot be installed.
pub fn interrupt_flag() -> Result<&'static AtomicBool> {
    let mut installed = Ok(());
    INSTALL_HANDLER.call_once(|| {
        installed = ctrlc::set_handler(|| {
            if IS_INTERRUPTED.swap(true, Ordering::SeqCst) {
                kill_engines();
                std::process::exit(130);
            }
        });
    });
    installed?;
    Ok(&IS_INTERRUPTED)
}
