//! The table against a map: a table that is large enough finds the same entries, a small one the
//! same or none.

use std::collections::HashMap;

use koel_tt::{Bound, Entry};

use crate::random::{Bits, Table, entry_of, mix};

/// Every entry under its full key with the search that stored it, which the table counts modulo 32.
#[derive(Default)]
struct Reference {
    entries: HashMap<u64, (Entry<u16, Bits>, u8)>,
    search: u8,
}

impl Reference {
    fn probe(&self, key: u64) -> Option<Entry<u16, Bits>> {
        Some(self.entries.get(&key)?.0)
    }

    /// Stores an entry as the documentation of the table says: one that is four plies deeper (six
    /// than one of a principal variation) stays with the new move, unless the new one is exact or
    /// of another search.
    fn store(&mut self, key: u64, mut entry: Entry<u16, Bits>) {
        if let Some((old, search)) = self.entries.get_mut(&key) {
            entry.best_move = entry.best_move.or(old.best_move);
            let depth = i32::from(entry.depth) + if entry.is_pv { 2 } else { 0 };
            let is_much_deeper = i32::from(old.depth) >= depth + 4;
            if entry.bound != Bound::Exact && *search == self.search && is_much_deeper {
                old.best_move = entry.best_move;
                return;
            }
        }
        self.entries.insert(key, (entry, self.search));
    }

    fn new_search(&mut self) {
        self.search = (self.search + 1) % 32;
    }

    fn clear(&mut self) {
        *self = Reference::default();
    }
}

/// Runs the same random operations on both. Returns how many entries the table had lost, and the
/// number of probes.
fn compare(mebibytes: usize, keys: u64, operations: u64) -> (u64, u64) {
    let (mut table, mut reference) = (Table::new(mebibytes).unwrap(), Reference::default());
    let (mut lost, mut probes) = (0, 0);
    for operation in 0..operations {
        let random = mix(operation);
        let key = mix(random % keys);
        match random >> 40 & 0xfff {
            0..2000 => {
                let mut entry = entry_of(key, random >> 32);
                if random >> 60 == 0 {
                    entry.best_move = None;
                }
                table.store(key, entry);
                reference.store(key, entry);
            }
            2000..2003 => {
                table.new_search();
                reference.new_search();
            }
            2003 if random >> 52 == 0 => {
                table.clear(2);
                reference.clear();
            }
            _ => {
                table.prefetch(key);
                probes += 1;
                let (found, expected) = (table.probe(key), reference.probe(key));
                match found {
                    None => lost += u64::from(expected.is_some()),
                    // A lost entry may be stored again without its old move or depth.
                    Some(_) if keys > 1 << 16 => assert!(expected.is_some()),
                    Some(_) => assert_eq!(found, expected),
                }
            }
        }
    }
    (lost, probes)
}

#[test]
fn a_table_that_is_large_enough_loses_nothing() {
    let (lost, probes) = compare(64, 1 << 14, 1_000_000);
    assert_eq!(lost, 0, "of {probes}");
}

#[test]
fn a_small_table_loses_entries_but_invents_none() {
    let (lost, probes) = compare(1, 1 << 18, 1_000_000);
    println!("lost at {lost} of {probes} probes, with 4 keys per slot");
    assert!(lost > probes / 10);
}

#[test]
fn both_keep_the_same_entry_of_a_position() {
    let (table, mut reference) = (Table::new(0).unwrap(), Reference::default());
    let deep = Entry { depth: 20, ..entry_of(1, 0) };
    for depth in [20, 3, 16, 17, 1, 40] {
        let entry = Entry { depth, best_move: Some(u16::from(depth)), ..deep };
        table.store(1, entry);
        reference.store(1, entry);
        assert_eq!(table.probe(1), reference.probe(1));
    }
}
