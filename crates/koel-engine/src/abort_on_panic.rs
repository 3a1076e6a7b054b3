//! Aborting the process when a thread panics.

/// A guard that aborts the process if its thread panics: a thread that dies silently would leave
/// the GUI waiting for ever. Release builds abort on any panic; a thread with this guard does so in
/// every build.
pub struct AbortOnPanic;

impl Drop for AbortOnPanic {
    fn drop(&mut self) {
        if std::thread::panicking() {
            std::process::abort();
        }
    }
}
