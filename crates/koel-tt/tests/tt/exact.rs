//! Against the twin that forgets nothing: a table that is large enough says the same, a small one
//! the same or nothing.

use koel_tt::{Entry, ExactTable, TranspositionTable};

use crate::random::{entry_of, mix};

/// The same random operations on both; how often the table had forgotten, and at how many probes.
fn compare(mebibytes: usize, keys: u64, operations: u64) -> (u64, u64) {
    let (mut table, mut exact) =
        (TranspositionTable::<u16>::new(mebibytes).unwrap(), ExactTable::<u16>::new());
    let (mut forgotten, mut probes) = (0, 0);
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
                let (found, truth) = (table.probe(key), exact.probe(key));
                match found {
                    None => forgotten += u64::from(truth.is_some()),
                    // What was forgotten may come back without the move or the depth it had.
                    Some(_) if keys > 1 << 16 => assert!(truth.is_some()),
                    Some(_) => assert_eq!(found, truth),
                }
            }
        }
    }
    (forgotten, probes)
}

#[test]
fn a_table_that_is_large_enough_forgets_nothing() {
    let (forgotten, probes) = compare(64, 1 << 14, 1_000_000);
    assert_eq!(forgotten, 0, "of {probes}");
}

#[test]
fn a_small_table_forgets_but_invents_nothing() {
    let (forgotten, probes) = compare(1, 1 << 18, 1_000_000);
    println!("forgotten at {forgotten} of {probes} probes, with 4 keys to a place");
    assert!(forgotten > probes / 10);
}

#[test]
fn both_keep_what_is_worth_more() {
    let (table, exact) = (TranspositionTable::<u16>::new(0).unwrap(), ExactTable::<u16>::new());
    let deep = Entry { depth: 20, ..entry_of(1, 0) };
    for depth in [20, 3, 16, 17, 1, 40] {
        let entry = Entry { depth, best_move: Some(u16::from(depth)), ..deep };
        table.store(1, entry);
        exact.store(1, entry);
        assert_eq!(table.probe(1), exact.probe(1));
    }
}

#[test]
fn the_twin_counts_its_positions() {
    let mut exact = ExactTable::<u16>::new();
    assert!(exact.is_empty());
    (0..2000).for_each(|index| exact.store(index % 1000, entry_of(index, 0)));
    assert_eq!((exact.len(), exact.hashfull()), (1000, 0));
    exact.clear(1);
    assert!(exact.is_empty() && exact.probe(1).is_none());
}
