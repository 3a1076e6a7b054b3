//! Models of a few threads: all interleavings, and all values that relaxed loads may return.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p koel-tt --release --test loom`

#![cfg(loom)]
#![allow(clippy::unwrap_used, reason = "a test may fail by a panic")]

use koel_tt::{Bound, BusyTable, Entry, Payload, TranspositionTable};
use loom::sync::Arc;
use loom::thread;

/// A payload of 24 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bits(u32);

impl Payload for Bits {
    const BITS: u32 = 24;

    fn from_bits(bits: u32) -> Bits {
        Bits(bits)
    }

    fn bits(self) -> u32 {
        self.0
    }
}

type Table = TranspositionTable<u16, Bits>;

/// Returns entries that differ in every field.
fn entry(variant: u8) -> Entry<u16, Bits> {
    Entry {
        best_move: Some(0x1000 + u16::from(variant)),
        score: i16::from(variant) * 100,
        static_eval: Some(i16::from(variant) * 7),
        depth: 10 + variant,
        bound: if variant % 2 == 0 { Bound::Exact } else { Bound::Lower },
        is_pv: variant % 2 == 0,
        payload: Bits(0x01_0203 * u32::from(variant)),
    }
}

/// Returns a table of one bucket with an entry in it.
fn table() -> Arc<Table> {
    let table = Table::new(0).unwrap();
    table.store(7, entry(1));
    Arc::new(table)
}

fn assert_one_of(found: Option<Entry<u16, Bits>>, variants: &[u8]) {
    if let Some(found) = found {
        assert!(variants.iter().any(|&variant| found == entry(variant)), "torn: {found:?}");
    }
}

#[test]
fn a_probe_sees_a_whole_entry_or_none() {
    loom::model(|| {
        let table = table();
        let writer = {
            let table = table.clone();
            thread::spawn(move || table.store(7, entry(2)))
        };
        assert_one_of(table.probe(7), &[1, 2]);
        writer.join().unwrap();
        assert_eq!(table.probe(7), Some(entry(2)));
    });
}

#[test]
fn two_writers_of_one_position_leave_a_whole_entry_or_none() {
    loom::model(|| {
        let table = table();
        let writers = [2, 4].map(|variant| {
            let table = table.clone();
            thread::spawn(move || table.store(7, entry(variant)))
        });
        for writer in writers {
            writer.join().unwrap();
        }
        assert_one_of(table.probe(7), &[2, 4]);
    });
}

#[test]
fn two_writers_of_two_positions_do_not_mix_them() {
    loom::model(|| {
        let table = Arc::new(Table::new(0).unwrap());
        let writers = [(8, 2), (9, 3)].map(|(key, variant)| {
            let table = table.clone();
            thread::spawn(move || table.store(key, entry(variant)))
        });
        assert_one_of(table.probe(8), &[2]);
        for writer in writers {
            writer.join().unwrap();
        }
        assert_one_of(table.probe(8), &[2]);
        assert_one_of(table.probe(9), &[3]);
        assert_eq!(table.probe(7), None);
    });
}

/// All keys share the one slot of the table in a model.
#[test]
fn a_release_does_not_remove_the_mark_of_another_thread() {
    loom::model(|| {
        let table = Arc::new(BusyTable::new(2));
        table.new_search();
        let other = {
            let table = table.clone();
            thread::spawn(move || drop(table.mark(1, 8, 1)))
        };
        let mark = table.mark(2, 9, 0);
        let is_made = mark.is_made();
        // The other mark is shallower: it must not take the slot, nor its release clear it.
        other.join().unwrap();
        assert_eq!(table.is_busy(2, 9, 1), is_made);
        drop(mark);
        assert!(!table.is_busy(2, 0, 1) && !table.is_busy(1, 0, 0));
    });
}

#[test]
fn of_two_threads_that_mark_at_once_one_succeeds_and_no_mark_stays() {
    loom::model(|| {
        let table = Arc::new(BusyTable::new(2));
        let other = {
            let table = table.clone();
            thread::spawn(move || {
                let mark = table.mark(1, 8, 1);
                let is_made = mark.is_made();
                drop(mark);
                is_made
            })
        };
        let mark = table.mark(1, 8, 0);
        let is_made = mark.is_made();
        assert!(!table.is_busy(1, 8, 0) || !is_made, "a thread does not see its own mark");
        drop(mark);
        let other_is_made = other.join().unwrap();
        assert!(is_made || other_is_made);
        for thread in [0, 1, 2] {
            assert!(!table.is_busy(1, 0, thread));
        }
    });
}
