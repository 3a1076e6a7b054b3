//! A game on one core of the machine.
//!
//! Only one of the two engines and the runner works at a time, so one core is enough for a game, and
//! a switch between them on one core takes two microseconds. Across cores each switch wakes an idle
//! core: eighty microseconds for both directions on a virtual machine, half the time of a search of
//! a thousand nodes.
//!
//! Systems load programs at random addresses as a defence against attacks (address space layout
//! randomisation). The branch predictors of a processor are indexed by address, so two engines of
//! one build that share a core cannot share their predictions unless they are loaded at the same
//! addresses.

#[cfg(target_os = "linux")]
pub use on_linux::stay_on_one_core;

/// Does nothing on this system.
#[cfg(not(target_os = "linux"))]
pub fn stay_on_one_core(_worker: usize) {}

#[cfg(target_os = "linux")]
mod on_linux {
    use nix::sys::personality::{self, Persona};
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    /// Pins this thread and the programs it starts from now on to one of the cores it may use, and
    /// turns off address space layout randomisation for these programs. Equal numbers of workers
    /// give the same core. What is not permitted, as in some containers, does not happen.
    pub fn stay_on_one_core(worker: usize) {
        if let Ok(persona) = personality::get() {
            let _ = personality::set(persona | Persona::ADDR_NO_RANDOMIZE);
        }
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
        use std::collections::BTreeSet;
        use std::process::Command;

        use super::*;

        fn cores() -> Vec<usize> {
            let allowed = sched_getaffinity(None).unwrap();
            (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect()
        }

        fn has_fixed_addresses() -> bool {
            personality::get().unwrap().contains(Persona::ADDR_NO_RANDOMIZE)
        }

        /// Returns the addresses of the stacks of some processes.
        fn stacks() -> BTreeSet<String> {
            let stacks = (0..4).map(|_| {
                let maps = Command::new("cat").arg("/proc/self/maps").output().unwrap().stdout;
                let maps = String::from_utf8(maps).unwrap();
                maps.lines().find(|line| line.contains("[stack]")).unwrap_or("none").to_owned()
            });
            stacks.collect()
        }

        #[test]
        fn every_worker_has_one_core_and_all_cores_are_used() {
            let all = cores();
            let pinned = (0..all.len()).map(|worker| {
                let pinned = std::thread::spawn(move || {
                    stay_on_one_core(worker);
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

        #[test]
        fn later_programs_have_fixed_addresses() {
            let stacks = std::thread::spawn(|| {
                stay_on_one_core(0);
                has_fixed_addresses().then(stacks)
            });
            match stacks.join().unwrap() {
                Some(stacks) => assert_eq!(stacks.len(), 1, "{stacks:?}"),
                None => eprintln!("skipped: the system does not allow it"),
            }
            assert!(!has_fixed_addresses(), "only the calling thread is affected");
        }
    }
}
