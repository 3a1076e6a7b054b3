//! Keeping a game on one core.
//!
//! Of the two engines of a game and the runner only one has something to do at a time, so one core
//! is enough for them, and on one core they hand over in two microseconds. Across cores each
//! handing over wakes a core from its sleep: eighty microseconds there and back on a virtual
//! machine, half the time of a search of a thousand nodes.

#[cfg(target_os = "linux")]
pub use on_linux::pin_to_core;

/// Nothing: this system knows no such thing.
#[cfg(not(target_os = "linux"))]
pub fn pin_to_core(_place: usize) {}

#[cfg(target_os = "linux")]
mod on_linux {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    /// Keeps this thread, and the programs that it starts from now on, on one core of those that it
    /// may use: the same for equal places. Where that cannot be done, nothing happens.
    pub fn pin_to_core(place: usize) {
        let Ok(allowed) = sched_getaffinity(None) else { return };
        let cores: Vec<_> = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect();
        // Two runners on one machine begin with different cores, by chance.
        let start = std::process::id() as usize;
        let Some(&core) = cores.get((start + place) % cores.len().max(1)) else { return };
        let mut chosen = CpuSet::new();
        chosen.set(core);
        let _ = sched_setaffinity(None, &chosen);
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        fn cores() -> Vec<usize> {
            let allowed = sched_getaffinity(None).unwrap();
            (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect()
        }

        #[test]
        fn every_place_has_one_core_and_all_cores_are_used() {
            let all = cores();
            let pinned = (0..all.len()).map(|place| {
                let pinned = std::thread::spawn(move || {
                    pin_to_core(place);
                    cores()
                });
                pinned.join().unwrap()
            });
            let mut used: Vec<_> =
                pinned.inspect(|cores| assert_eq!(cores.len(), 1)).flatten().collect();
            used.sort_unstable();
            assert_eq!(used, all);
            assert_eq!(cores(), all, "only the threads that were pinned");
        }
    }
}
