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

/// Returns the available memory in bytes, as far as the system reports it: on Linux the least of
/// `MemAvailable` in `/proc/meminfo` and the limits of the control groups, elsewhere `None`.
#[allow(clippy::disallowed_methods, reason = "files of the kernel have size 0")]
fn available_memory() -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        linux::available(&|path| std::fs::read_to_string(path).ok())
    }
    #[cfg(not(target_os = "linux"))]
    None
}

#[cfg(any(target_os = "linux", test))]
mod linux {
    use std::path::Path;

    /// Returns the text of a file, if it can be read.
    type Read<'a> = &'a dyn Fn(&str) -> Option<String>;

    /// The files of a version of control groups.
    struct CgroupVersion {
        mount: &'static str,
        limit: &'static str,
        usage: &'static str,
        /// The part of the usage that the system releases on demand: the file cache.
        reclaimable: &'static str,
    }

    const V1: CgroupVersion = CgroupVersion {
        mount: "/sys/fs/cgroup/memory",
        limit: "memory.limit_in_bytes",
        usage: "memory.usage_in_bytes",
        reclaimable: "total_inactive_file",
    };

    const V2: CgroupVersion = CgroupVersion {
        mount: "/sys/fs/cgroup",
        limit: "memory.max",
        usage: "memory.current",
        reclaimable: "inactive_file",
    };

    pub(super) fn available(read: Read<'_>) -> Option<u64> {
        let machine = read("/proc/meminfo")
            .and_then(|text| Some(number(&text, "MemAvailable:")?.saturating_mul(1024)));
        let groups = read("/proc/self/cgroup").unwrap_or_default();
        let in_groups = groups.lines().filter_map(|line| {
            // number:controllers:path; version 2 has no controllers.
            let mut fields = line.splitn(3, ':').skip(1);
            let (controllers, path) = (fields.next()?, fields.next()?);
            match controllers {
                "" => available_in(&V2, path, read),
                _ if controllers.split(',').any(|name| name == "memory") => {
                    available_in(&V1, path, read)
                }
                _ => None,
            }
        });
        in_groups.chain(machine).min()
    }

    /// Returns the available memory of a group: the least of the group and its ancestors.
    fn available_in(version: &CgroupVersion, path: &str, read: Read<'_>) -> Option<u64> {
        let folders = Path::new(path).ancestors().filter_map(Path::to_str);
        let available = |folder: &str| {
            let file =
                |name| read(&format!("{}{}/{name}", version.mount, folder.trim_end_matches('/')));
            // A group without a limit has the text `max`, which is not a number.
            let limit = file(version.limit)?.trim().parse::<u64>().ok()?;
            let usage = file(version.usage)?.trim().parse::<u64>().ok()?;
            let statistics = file("memory.stat").unwrap_or_default();
            let reclaimable = number(&statistics, version.reclaimable).unwrap_or(0);
            Some(limit.saturating_sub(usage.saturating_sub(reclaimable)))
        };
        folders.filter_map(available).min()
    }

    /// Returns the number after a word at the beginning of a line.
    fn number(text: &str, name: &str) -> Option<u64> {
        text.lines().find_map(|line| {
            let mut words = line.split_whitespace();
            words.next().filter(|&word| word == name)?;
            words.next()?.parse().ok()
        })
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        fn available_with(files: &[(&str, &str)]) -> Option<u64> {
            available(&|path| {
                let file = files.iter().find(|(name, _)| *name == path)?;
                Some(file.1.to_owned())
            })
        }

        const MEMINFO: (&str, &str) =
            ("/proc/meminfo", "MemTotal:  9000 kB\nMemFree: 10 kB\nMemAvailable:  8000 kB\n");

        #[test]
        fn without_groups_the_machine_is_the_limit() {
            assert_eq!(available_with(&[MEMINFO]), Some(8000 * 1024));
            assert_eq!(available_with(&[]), None);
            let group = ("/proc/self/cgroup", "3:cpu:/a\nnonsense\n0::/a\n");
            let unlimited = ("/sys/fs/cgroup/a/memory.max", "max\n");
            assert_eq!(available_with(&[MEMINFO, group, unlimited]), Some(8000 * 1024));
        }

        #[test]
        fn the_smallest_group_is_the_limit() {
            let files = [
                MEMINFO,
                ("/proc/self/cgroup", "0::/a/b\n"),
                ("/sys/fs/cgroup/a/b/memory.max", "6000000\n"),
                ("/sys/fs/cgroup/a/b/memory.current", "2000000\n"),
                ("/sys/fs/cgroup/a/b/memory.stat", "anon 5\ninactive_file 500000\n"),
                ("/sys/fs/cgroup/a/memory.max", "7000000\n"),
                ("/sys/fs/cgroup/a/memory.current", "6500000\n"),
            ];
            assert_eq!(available_with(&files[..5]), Some(4_500_000));
            assert_eq!(available_with(&files), Some(500_000));
        }

        #[test]
        fn version_1_is_supported() {
            let files = [
                MEMINFO,
                ("/proc/self/cgroup", "5:cpu:/x\n4:blkio,memory:/a\n0::/\n"),
                ("/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "3000\n"),
                ("/sys/fs/cgroup/memory/a/memory.usage_in_bytes", "4000\n"),
                ("/sys/fs/cgroup/memory/a/memory.stat", "total_inactive_file 1500\n"),
            ];
            assert_eq!(available_with(&files), Some(500));
        }
    }
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
