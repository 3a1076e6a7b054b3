//! The priority of the process.

/// Sets the lowest priority (nice value) for threads that start later. A system that refuses, or
/// has no priorities, changes nothing but the speed of other programs.
#[cfg(unix)]
pub(crate) fn lower() {
    const LOWEST: i32 = 19;
    let _ = rustix::process::nice(LOWEST);
    // Linux compares nice values within a session only and divides the time between sessions first.
    // A session that this process alone has made, as with setsid(1), is lowered as a whole.
    if rustix::process::getsid(None) == Ok(rustix::process::getpid()) {
        let _ = std::fs::write("/proc/self/autogroup", LOWEST.to_string());
    }
}

#[cfg(not(unix))]
pub(crate) fn lower() {}
