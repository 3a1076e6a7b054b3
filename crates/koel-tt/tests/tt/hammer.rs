//! Many threads on a table that is far too small: every entry found must have been stored.
//!
//! `KOEL_TABLE_OPERATIONS=50000000 cargo test --release -p koel-tt --test tt -- --nocapture`

use crate::random::{Table, entry_of, is_possible, mix};

const THREADS: u64 = 8;

/// The number of operations of all threads together.
fn operations() -> u64 {
    std::env::var("KOEL_TABLE_OPERATIONS").map_or(2_000_000, |text| text.parse().unwrap())
}

/// The results of the probes of a thread.
#[derive(Default)]
struct ProbeCounts {
    probes: u64,
    found: u64,
    wrong: u64,
    marked: u64,
}

/// Stores and probes in equal parts, with this number of keys, and holds a mark most of the time.
fn hammer(table: &Table, keys: u64, thread: u64, rounds: u64) -> ProbeCounts {
    let (mut counts, mut mark) = (ProbeCounts::default(), None);
    for round in 0..rounds {
        let random = mix(round ^ thread << 40);
        let key = mix(random % keys);
        if random >> 58 & 7 == 0 {
            mark = table.mark_busy(key);
            counts.marked += u64::from(mark.is_some());
        }
        if random >> 63 == 0 {
            table.store(key, entry_of(key, random >> 32));
        } else {
            counts.probes += 1;
            if let Some(entry) = table.probe(key) {
                counts.found += 1;
                counts.wrong += u64::from(!is_possible(key, &entry));
            }
        }
        if random >> 40 & 0xffff == 0 {
            table.new_search();
        }
    }
    drop(mark);
    counts
}

/// One bucket, so that every access is a race; and a table whose entries are replaced.
#[test]
fn no_entry_is_returned_that_was_never_stored_for_its_key_and_no_mark_stays() {
    for (mebibytes, keys) in [(0, 64), (1, 1 << 18)] {
        let table = Table::new(mebibytes).unwrap();
        let rounds = operations() / 2 / THREADS;
        let mut all = ProbeCounts::default();
        std::thread::scope(|scope| {
            let table = &table;
            let workers: Vec<_> = (0..THREADS)
                .map(|thread| scope.spawn(move || hammer(table, keys, thread, rounds)))
                .collect();
            for worker in workers {
                let ProbeCounts { probes, found, wrong, marked } = worker.join().unwrap();
                (all.probes, all.found) = (all.probes + probes, all.found + found);
                (all.wrong, all.marked) = (all.wrong + wrong, all.marked + marked);
            }
        });
        let ProbeCounts { probes, found, wrong, marked } = all;
        let expected = 4.0 * probes as f64 / 2_f64.powi(39);
        println!(
            "{} bytes, {THREADS} threads, {} operations: {found} found in {probes} probes, \
             {wrong} wrong ({expected:.1e} expected of tags of 39 bits), {marked} marked",
            table.bytes(),
            rounds * THREADS,
        );
        assert!(found > probes / 100 && marked > probes / 1000);
        assert!((0..keys).all(|key| !table.is_busy(mix(key))));
        assert!(wrong as f64 <= 1.0 + 2.0 * expected, "{wrong} wrong, expected {expected}");
    }
}

#[test]
fn foreign_keys_match_no_entry() {
    let table = Table::new(1).unwrap();
    for index in 0..200_000 {
        let key = mix(index);
        table.store(key, entry_of(key, 0));
    }
    let hits = (0..2_000_000).filter(|index| table.probe(mix(1 << 40 | index)).is_some()).count();
    assert_eq!(hits, 0, "4 in 2^39 a probe are expected");
}
