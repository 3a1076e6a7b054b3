//! The memory that is available for the hash table. Systems grant more memory than they have, and
//! kill a process that uses it.

use koel_search::OutOfMemory;
use thiserror::Error;

/// The error of a hash table that does not fit into the memory.
#[derive(Debug, Error)]
pub(crate) enum HashMemoryError {
    #[error("no memory for a transposition table of {mebibytes} MiB, only for {available} MiB")]
    Unavailable { mebibytes: u64, available: u64 },
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
pub(crate) fn check(bytes: u64, released: u64) -> Result<(), HashMemoryError> {
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

/// Returns the available memory in bytes: on Linux the less of `MemAvailable` in `/proc/meminfo` and
/// of what the limit of a container leaves, elsewhere `None`.
#[allow(clippy::disallowed_methods, reason = "files of the kernel have size 0")]
fn available_memory() -> Option<u64> {
    let read = |path| std::fs::read_to_string(path).unwrap_or_default();
    let [meminfo, limit, statistics] =
        ["/proc/meminfo", "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.stat"].map(read);
    least_available(&meminfo, &limit, &statistics)
}

/// Returns the available memory by the texts of these files; those that are missing are empty.
fn least_available(meminfo: &str, limit: &str, statistics: &str) -> Option<u64> {
    let number = |text: &str, name| {
        text.lines().find_map(|line| {
            line.strip_prefix(name)?.split_whitespace().next()?.parse::<u64>().ok()
        })
    };
    let machine = number(meminfo, "MemAvailable:").map(|kibibytes| kibibytes.saturating_mul(1024));
    // Without a limit the text is `max`. The file cache is released on demand and does not count.
    let limit = limit.trim().parse::<u64>().ok();
    let used = number(statistics, "anon ").unwrap_or(0);
    machine.into_iter().chain(limit.map(|limit| limit.saturating_sub(used))).min()
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

    #[test]
    fn the_machine_or_its_container_is_the_limit() {
        let meminfo = "MemTotal:  9000 kB\nMemFree: 10 kB\nMemAvailable:  8000 kB\n";
        let statistics = "anon 500000\nanon_thp 7\nfile 9000000\n";
        assert_eq!(least_available(meminfo, "", ""), Some(8000 * 1024));
        assert_eq!(least_available(meminfo, "max\n", statistics), Some(8000 * 1024));
        assert_eq!(least_available(meminfo, "6000000\n", statistics), Some(5_500_000));
        assert_eq!(least_available("", "", ""), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_reports_a_plausible_size() {
        let bytes = available_memory().unwrap();
        assert!(bytes > MIB && bytes < 1 << 50, "{bytes}");
    }
}
