//! The table against the exact one: a table that is large enough finds the same entries, a small
//! one the same or none.

use koel_tt::Entry;

use crate::random::{Exact, Table, entry_of, mix};

/// Runs the same random operations on both. Returns how many entries the table had lost, and the
/// number of probes.
fn compare(mebibytes: usize, keys: u64, operations: u64) -> (u64, u64) {
    let (mut table, mut exact) = (Table::new(mebibytes).unwrap(), Exact::new());
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
                exact.store(key, entry);
            }
            2000..2003 => {
                table.new_search();
                exact.new_search();
            }
            2003 if random >> 52 == 0 => {
                table.clear(2);
                exact.clear(2);
            }
            _ => {
                table.prefetch(key);
                probes += 1;
                let (found, expected) = (table.probe(key), exact.probe(key));
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
    let (table, exact) = (Table::new(0).unwrap(), Exact::new());
    let deep = Entry { depth: 20, ..entry_of(1, 0) };
    for depth in [20, 3, 16, 17, 1, 40] {
        let entry = Entry { depth, best_move: Some(u16::from(depth)), ..deep };
        table.store(1, entry);
        exact.store(1, entry);
        assert_eq!(table.probe(1), exact.probe(1));
    }
}

#[test]
fn the_exact_table_counts_its_positions() {
    let mut exact = Exact::new();
    assert!(exact.is_empty());
    (0..2000).for_each(|index| exact.store(index % 1000, entry_of(index, 0)));
    assert_eq!((exact.len(), exact.hashfull()), (1000, 0));
    exact.clear(1);
    assert!(exact.is_empty() && exact.probe(1).is_none());
}
