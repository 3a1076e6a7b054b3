//! Address space layout randomisation (ASLR), turned off for engines.
//!
//! Systems load programs at random addresses as a defence against attacks. The branch predictors of
//! a processor are indexed by address, so two engines of one build that share a core cannot share
//! their predictions unless they are loaded at the same addresses.

#[cfg(target_os = "linux")]
pub use on_linux::disable_aslr;

/// Does nothing: there is no safe way to turn it off on this system.
#[cfg(not(target_os = "linux"))]
pub fn disable_aslr() {}

#[cfg(target_os = "linux")]
mod on_linux {
    use nix::sys::personality::{self, Persona};

    /// Turns off address space layout randomisation for the programs that this thread starts from now
    /// on. Where that is not permitted, as in some containers, nothing happens.
    pub fn disable_aslr() {
        if let Ok(persona) = personality::get() {
            let _ = personality::set(persona | Persona::ADDR_NO_RANDOMIZE);
        }
    }

    #[cfg(test)]
    mod tests {
        use std::collections::BTreeSet;
        use std::process::Command;

        use super::*;

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
        fn later_programs_have_fixed_addresses() {
            let stacks = std::thread::spawn(|| {
                disable_aslr();
                let is_fixed = personality::get().unwrap().contains(Persona::ADDR_NO_RANDOMIZE);
                is_fixed.then(stacks)
            });
            match stacks.join().unwrap() {
                Some(stacks) => assert_eq!(stacks.len(), 1, "{stacks:?}"),
                None => eprintln!("skipped: the system does not allow it"),
            }
            let here = personality::get().unwrap();
            assert!(
                !here.contains(Persona::ADDR_NO_RANDOMIZE),
                "only the calling thread is affected"
            );
        }
    }
}
