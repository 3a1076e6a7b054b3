//! The same addresses in every process.
//!
//! Systems place the parts of a program at random, against attackers. Two engines of one build that
//! take turns on a core then share nothing of what the processor has learnt of their branches:
//! that goes by addresses.

#[cfg(target_os = "linux")]
pub use on_linux::disable_aslr;

/// Nothing: this system knows no such thing, or no safe way to ask for it.
#[cfg(not(target_os = "linux"))]
pub fn disable_aslr() {}

#[cfg(target_os = "linux")]
mod on_linux {
    use nix::sys::personality::{self, Persona};

    /// Has the programs that this thread starts from now on at fixed addresses. Where that may not
    /// be done, as in some containers, nothing happens.
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

        /// Where the stacks of some processes lie.
        fn stacks() -> BTreeSet<String> {
            let places = (0..4).map(|_| {
                let maps = Command::new("cat").arg("/proc/self/maps").output().unwrap().stdout;
                let maps = String::from_utf8(maps).unwrap();
                maps.lines().find(|line| line.contains("[stack]")).unwrap_or("none").to_owned()
            });
            places.collect()
        }

        #[test]
        fn programs_started_afterwards_lie_in_one_place() {
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
            assert!(!here.contains(Persona::ADDR_NO_RANDOMIZE), "only the thread that asked");
        }
    }
}
