//! Models of a few threads: all interleavings, and all values that relaxed loads may return.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p koel-tt --release --test loom`

#![cfg(loom)]
#![allow(clippy::unwrap_used, reason = "a test may fail by a panic")]

use koel_tt::{Bound, Entry, Payload, TranspositionTable};
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

#[test]
fn of_two_threads_that_mark_at_once_one_succeeds_and_no_mark_stays() {
    loom::model(|| {
        let table = table();
        let other = {
            let table = table.clone();
            thread::spawn(move || {
                let mark = table.mark_busy(7);
                assert!(mark.is_none() || table.is_busy(7), "another has removed it");
                mark.is_some()
            })
        };
        let mark = table.mark_busy(7);
        assert!(mark.is_none() || table.is_busy(7), "another has removed it");
        let is_made = mark.is_some();
        drop(mark);
        assert!(other.join().unwrap() || is_made);
        assert!(!table.is_busy(7));
        assert_eq!(table.probe(7), Some(entry(1)));
    });
}

#[test]
fn a_store_ends_the_mark_before_it_and_not_the_one_after_it() {
    loom::model(|| {
        let table = table();
        let other = {
            let table = table.clone();
            thread::spawn(move || {
                table.store(7, entry(2));
                let mark = table.mark_busy(7);
                assert!(mark.is_none() || table.is_busy(7), "another has removed it");
            })
        };
        drop(table.mark_busy(7));
        other.join().unwrap();
        assert!(!table.is_busy(7));
        assert_eq!(table.probe(7), Some(entry(2)));
    });
}

#[test]
fn a_mark_leaves_the_entry_whole_that_replaces_the_marked_one() {
    loom::model(|| {
        let table = table();
        (2..5).for_each(|variant| table.store(7 + u64::from(variant), entry(variant)));
        let other = {
            let table = table.clone();
            thread::spawn(move || table.store(12, entry(5)))
        };
        let mark = table.mark_busy(7);
        assert_one_of(table.probe(7), &[1]);
        drop(mark);
        other.join().unwrap();
        assert_eq!((table.probe(7), table.probe(12)), (None, Some(entry(5))));
        assert!(!table.is_busy(7) && !table.is_busy(12));
    });
}
