//! What happens when a thread of the engine panics.

/// A thread that dies silently would leave the GUI waiting for ever. Release builds abort on any
/// panic; a thread that holds this does so in every build.
pub(crate) struct AbortOnPanic;

impl Drop for AbortOnPanic {
    fn drop(&mut self) {
        if std::thread::panicking() {
            std::process::abort();
        }
    }
}
