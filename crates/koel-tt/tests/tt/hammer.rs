//! Many threads on a table that is far too small: what comes out must have gone in.
//!
//! `KOEL_TABLE_OPERATIONS=50000000 cargo test --release -p koel-tt --test tt -- --nocapture`

use koel_tt::TranspositionTable;

use crate::random::{entry_of, is_possible, mix};

const THREADS: u64 = 8;

/// Operations of all threads together.
fn operations() -> u64 {
    std::env::var("KOEL_TABLE_OPERATIONS").map_or(2_000_000, |text| text.parse().unwrap())
}

/// What the probes of a thread have seen.
#[derive(Default)]
struct Tally {
    probes: u64,
    found: u64,
    wrong: u64,
}

/// Half of it stores, half of it probes, of so many keys.
fn hammer(table: &TranspositionTable<u16>, keys: u64, thread: u64, rounds: u64) -> Tally {
    let mut tally = Tally::default();
    for round in 0..rounds {
        let random = mix(round ^ thread << 40);
        let key = mix(random % keys);
        if random >> 63 == 0 {
            table.store(key, entry_of(key, random >> 32));
        } else {
            tally.probes += 1;
            if let Some(entry) = table.probe(key) {
                tally.found += 1;
                tally.wrong += u64::from(!is_possible(key, &entry));
            }
        }
        if random >> 40 & 0xffff == 0 {
            table.new_search();
        }
    }
    tally
}

/// One bucket, so that every access is a race; and a table in which buckets fill and entries go.
#[test]
fn no_entry_is_returned_that_was_never_stored_for_its_key() {
    for (mebibytes, keys) in [(0, 64), (1, 1 << 18)] {
        let table = TranspositionTable::<u16>::new(mebibytes).unwrap();
        let rounds = operations() / 2 / THREADS;
        let mut all = Tally::default();
        std::thread::scope(|scope| {
            let table = &table;
            let workers: Vec<_> = (0..THREADS)
                .map(|thread| scope.spawn(move || hammer(table, keys, thread, rounds)))
                .collect();
            for worker in workers {
                let Tally { probes, found, wrong } = worker.join().unwrap();
                (all.probes, all.found) = (all.probes + probes, all.found + found);
                all.wrong += wrong;
            }
        });
        let Tally { probes, found, wrong } = all;
        let expected = 4.0 * probes as f64 / 2_f64.powi(40);
        println!(
            "{} bytes, {THREADS} threads, {} operations: {found} found in {probes} probes, \
             {wrong} wrong ({expected:.1e} expected of tags of 40 bits)",
            table.bytes(),
            rounds * THREADS,
        );
        assert!(found > probes / 100);
        assert!(wrong as f64 <= 1.0 + 2.0 * expected, "{wrong} wrong, expected {expected}");
    }
}

#[test]
fn foreign_keys_match_no_record() {
    let table = TranspositionTable::<u16>::new(1).unwrap();
    for index in 0..200_000 {
        let key = mix(index);
        table.store(key, entry_of(key, 0));
    }
    let hits = (0..2_000_000).filter(|index| table.probe(mix(1 << 40 | index)).is_some()).count();
    assert_eq!(hits, 0, "4 in 2^40 a probe are expected");
}
