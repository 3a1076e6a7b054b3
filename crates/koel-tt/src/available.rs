//! How much memory could be had: systems promise more than they have, and end whoever uses it.

/// How many bytes of memory are to be had now, as far as the system says: on Linux what
/// `/proc/meminfo` and the limits of the control groups leave, elsewhere `None`.
#[must_use]
pub fn available_memory() -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        linux::available(&|path| std::fs::read_to_string(path).ok())
    }
    #[cfg(not(target_os = "linux"))]
    None
}

#[cfg(any(target_os = "linux", test))]
mod linux {
    /// The text of a file, if it can be read.
    type Read<'a> = &'a dyn Fn(&str) -> Option<String>;

    /// Where a version of control groups keeps its numbers.
    struct Group {
        mount: &'static str,
        limit: &'static str,
        usage: &'static str,
        /// Of the usage, what the system gives back when asked: files in the cache.
        reclaimable: &'static str,
    }

    const FIRST: Group = Group {
        mount: "/sys/fs/cgroup/memory",
        limit: "memory.limit_in_bytes",
        usage: "memory.usage_in_bytes",
        reclaimable: "total_inactive_file",
    };

    const SECOND: Group = Group {
        mount: "/sys/fs/cgroup",
        limit: "memory.max",
        usage: "memory.current",
        reclaimable: "inactive_file",
    };

    pub(super) fn available(read: Read<'_>) -> Option<u64> {
        let machine = read("/proc/meminfo")
            .and_then(|text| Some(number(&text, "MemAvailable:")?.saturating_mul(1024)));
        let groups = read("/proc/self/cgroup").unwrap_or_default();
        let rooms = groups.lines().filter_map(|line| {
            // number:controllers:path, without controllers in the second version
            let mut fields = line.splitn(3, ':').skip(1);
            let (controllers, path) = (fields.next()?, fields.next()?);
            match controllers {
                "" => room(&SECOND, path, read),
                _ if controllers.split(',').any(|name| name == "memory") => {
                    room(&FIRST, path, read)
                }
                _ => None,
            }
        });
        rooms.chain(machine).min()
    }

    /// What is left in a group and in all that it lies in.
    fn room(group: &Group, path: &str, read: Read<'_>) -> Option<u64> {
        let ancestors = std::path::Path::new(path).ancestors().filter_map(std::path::Path::to_str);
        let left = |folder: &str| {
            let file =
                |name| read(&format!("{}{}/{name}", group.mount, folder.trim_end_matches('/')));
            // Without a limit it says `max`, which is no number.
            let limit = file(group.limit)?.trim().parse::<u64>().ok()?;
            let usage = file(group.usage)?.trim().parse::<u64>().ok()?;
            let statistics = file("memory.stat").unwrap_or_default();
            let reclaimable = number(&statistics, group.reclaimable).unwrap_or(0);
            Some(limit.saturating_sub(usage.saturating_sub(reclaimable)))
        };
        ancestors.filter_map(left).min()
    }

    /// The number behind a word at the beginning of a line.
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
        fn without_groups_the_machine_counts() {
            assert_eq!(available_with(&[MEMINFO]), Some(8000 * 1024));
            assert_eq!(available_with(&[]), None);
            let group = ("/proc/self/cgroup", "3:cpu:/a\nnonsense\n0::/a\n");
            let unlimited = ("/sys/fs/cgroup/a/memory.max", "max\n");
            assert_eq!(available_with(&[MEMINFO, group, unlimited]), Some(8000 * 1024));
        }

        #[test]
        fn the_narrowest_group_counts() {
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
        fn the_first_version_is_understood() {
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
    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_says_something_sensible() {
        let bytes = super::available_memory().unwrap();
        assert!(bytes > 1 << 20 && bytes < 1 << 50, "{bytes}");
    }
}
