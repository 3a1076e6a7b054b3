//! The memory that is available for the hash table. Systems grant more memory than they have, and
//! kill a process that uses it.

use koel_search::OutOfMemory;
use thiserror::Error;

/// The error of a hash table that does not fit into the memory.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HashMemoryError {
    /// There is not as much memory.
    #[error("no memory for a transposition table of {mebibytes} MiB, only for {available} MiB")]
    Unavailable {
        /// The size of the table in MiB.
        mebibytes: u64,
        /// The size for which there is memory in MiB.
        available: u64,
    },
    /// The system refuses the memory.
    #[error(transparent)]
    Refused(#[from] OutOfMemory),
}

/// One part in this many of the available memory stays free for other programs.
const SPARE: u64 = 32;

/// Checks that a table of this size fits into the available memory, together with the bytes that
/// will be released before it is used. Without a report of the system every size passes.
///
/// # Errors
/// [`HashMemoryError::Unavailable`].
pub fn check(bytes: u64, released: u64) -> Result<(), HashMemoryError> {
    check_against(available_memory(), bytes, released)
}

fn check_against(available: Option<u64>, bytes: u64, released: u64) -> Result<(), HashMemoryError> {
    let Some(available) = available else { return Ok(()) };
    let available = (available - available / SPARE).saturating_add(released);
    // A table that needs hardly any memory is not refused, even on a full machine.
    if bytes <= 1 << 20 || bytes <= available {
        return Ok(());
    }
    let mebibytes = bytes.div_ceil(1 << 20);
    Err(HashMemoryError::Unavailable { mebibytes, available: available >> 20 })
}

/// Returns the available memory in bytes: on Linux the least of what the machine has and of what
/// the control groups of this process allow, elsewhere `None`.
#[cfg(target_os = "linux")]
fn available_memory() -> Option<u64> {
    use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};
    let mut system = System::new().ok()?;
    system.refresh_memory();
    let own = Pid::from_u32(std::process::id());
    let what = ProcessRefreshKind::nothing();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[own]), false, what);
    let limits = system.process(own).and_then(|process| process.cgroup_limits());
    // What is used beyond the resident set is file cache, which the system releases on demand.
    let in_group = limits.map(|limits| limits.total_memory.saturating_sub(limits.rss));
    // A system without its process files reports 0.
    let of_machine = Some(system.available_memory()).filter(|&bytes| bytes > 0);
    in_group.into_iter().chain(of_machine).min()
}

#[cfg(not(target_os = "linux"))]
fn available_memory() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    #[test]
    fn a_part_of_the_memory_stays_free() {
        let passes = |bytes, released| check_against(Some(320 * MIB), bytes, released).is_ok();
        assert!(passes(310 * MIB, 0) && !passes(311 * MIB, 0));
        assert!(passes(350 * MIB, 40 * MIB) && !passes(351 * MIB, 40 * MIB));
        assert!(!passes(u64::MAX, 0));
        let error = check_against(Some(320 * MIB), 311 * MIB, 0).unwrap_err();
        let text = "no memory for a transposition table of 311 MiB, only for 310 MiB";
        assert_eq!(error.to_string(), text);
    }

    #[test]
    fn a_small_table_and_an_unknown_machine_are_no_reason_to_refuse() {
        assert!(check_against(Some(0), MIB, 0).is_ok());
        assert!(check_against(Some(0), MIB + 1, 0).is_err());
        assert!(check_against(None, u64::MAX, 0).is_ok());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_reports_a_plausible_size() {
        let bytes = available_memory().unwrap();
        assert!(bytes > MIB && bytes < 1 << 50, "{bytes}");
    }
}
