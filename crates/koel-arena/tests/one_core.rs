//! Games on one core: the affinity of threads, and the addresses of their programs.
#![cfg(target_os = "linux")]
#![allow(missing_docs, clippy::unwrap_used, reason = "a test")]

use koel_arena::stay_on_one_core;
use nix::sys::personality::{self, Persona};
use rustix::thread::{CpuSet, sched_getaffinity};
use std::collections::BTreeSet;
use std::process::Command;

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
    let mut used: Vec<_> = pinned.inspect(|cores| assert_eq!(cores.len(), 1)).flatten().collect();
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
