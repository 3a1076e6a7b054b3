//! A game on one core of the machine.
//!
//! Only one of the two engines and the runner works at a time, so one core is enough for a game,
//! and a switch between them on one core takes two microseconds. Across cores each switch wakes an
//! idle core: eighty microseconds for both directions on a virtual machine, half the time of a
//! search of a thousand nodes.
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
}
