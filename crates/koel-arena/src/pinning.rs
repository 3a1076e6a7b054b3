//! Pinning of a game to one core.
//!
//! Only one of the two engines and the runner works at a time, so one core is enough for a game, and
//! a switch between them on one core takes two microseconds. Across cores each switch wakes an idle
//! core: eighty microseconds for both directions on a virtual machine, half the time of a search of
//! a thousand nodes.

#[cfg(target_os = "linux")]
pub use on_linux::pin_to_core;

/// Does nothing on this system.
#[cfg(not(target_os = "linux"))]
pub fn pin_to_core(_worker: usize) {}

#[cfg(target_os = "linux")]
mod on_linux {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    /// Pins this thread and the programs it starts from now on to one of the cores it may use. Equal
    /// numbers of workers give the same core. Where pinning is not possible, nothing happens.
    pub fn pin_to_core(worker: usize) {
        let Ok(allowed) = sched_getaffinity(None) else { return };
        let cores: Vec<_> = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect();
        // Two runners on one machine should not choose the same cores.
        let first = std::process::id() as usize;
        let Some(&core) = cores.get((first + worker) % cores.len().max(1)) else { return };
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
        fn every_worker_has_one_core_and_all_cores_are_used() {
            let all = cores();
            let pinned = (0..all.len()).map(|worker| {
                let pinned = std::thread::spawn(move || {
                    pin_to_core(worker);
                    cores()
                });
                pinned.join().unwrap()
            });
            let mut used: Vec<_> =
                pinned.inspect(|cores| assert_eq!(cores.len(), 1)).flatten().collect();
            used.sort_unstable();
            assert_eq!(used, all);
            assert_eq!(cores(), all, "only the pinned threads are affected");
        }
    }
}
