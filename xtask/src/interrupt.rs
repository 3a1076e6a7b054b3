//! Ctrl-C: what is running ends in an orderly way.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;

static IS_CALLED_OFF: AtomicBool = AtomicBool::new(false);

static IS_HEARD: Once = Once::new();

pub(crate) fn is_called_off() -> bool {
    IS_CALLED_OFF.load(Ordering::SeqCst)
}

/// From now on an interrupt only sets this flag; the second one ends the program at once.
pub(crate) fn flag() -> Result<&'static AtomicBool> {
    let mut heard = Ok(());
    IS_HEARD.call_once(|| {
        heard = ctrlc::set_handler(|| {
            if IS_CALLED_OFF.swap(true, Ordering::SeqCst) {
                std::process::exit(130);
            }
        });
    });
    heard?;
    Ok(&IS_CALLED_OFF)
}
