//! Many threads on a table that is far too small: what comes out must have gone in.

use koel_tt::{Bound, Record, TranspositionTable};

/// SplitMix64.
fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// One of 32,768 records that may be stored for a key: the static evaluation tells which, and all
/// else follows from both. Equal depths let the newest always stay, unmixed.
fn record_of(key: u64, variant: u64) -> Record<u16> {
    let static_eval = variant as i16 | 1;
    let bits = mix(key ^ mix(u64::from(static_eval.cast_unsigned())));
    Record {
        best_move: Some(bits as u16 | 1),
        score: (bits >> 16) as i16,
        static_eval: Some(static_eval),
        depth: 9,
        bound: [Bound::Upper, Bound::Lower, Bound::Exact][(bits >> 56) as usize % 3],
        was_pv: bits >> 63 != 0,
    }
}

fn is_possible(key: u64, found: &Record<u16>) -> bool {
    found.static_eval.is_some_and(|eval| *found == record_of(key, u64::from(eval.cast_unsigned())))
}

#[test]
fn no_record_is_returned_that_was_never_stored_for_its_key() {
    const THREADS: u64 = 4;
    const ROUNDS: u64 = 500_000;
    let table = TranspositionTable::<u16>::new(0).unwrap();
    assert_eq!(table.bytes(), 32, "one bucket, so that every access is a race");
    let (mut found, mut wrong) = (0_u64, 0_u64);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..THREADS)
            .map(|thread| {
                let table = &table;
                scope.spawn(move || {
                    let (mut found, mut wrong) = (0_u64, 0_u64);
                    for round in 0..ROUNDS {
                        let random = mix(round ^ thread << 40);
                        let key = mix(random % 64);
                        if random >> 60 < 8 {
                            table.store(key, record_of(key, random >> 32));
                        } else if let Some(record) = table.probe(key) {
                            found += 1;
                            wrong += u64::from(!is_possible(key, &record));
                        }
                    }
                    (found, wrong)
                })
            })
            .collect();
        for worker in workers {
            let (seen, bad) = worker.join().unwrap();
            (found, wrong) = (found + seen, wrong + bad);
        }
    });
    let probes = THREADS * ROUNDS / 2;
    let expected = 3 * probes / 65_536;
    println!("{found} found of {probes}, {wrong} wrong; at most about {expected} expected");
    assert!(found > 10_000);
    assert!(wrong <= 2 * expected, "{wrong} wrong, expected {expected}");
}

#[test]
fn foreign_keys_match_as_rarely_as_tags_allow() {
    let table = TranspositionTable::<u16>::new(1).unwrap();
    for index in 0..200_000 {
        let key = mix(index);
        table.store(key, record_of(key, 0));
    }
    let foreign = 1_000_000;
    let hits = (0..foreign).filter(|index| table.probe(mix(1 << 40 | index)).is_some()).count();
    assert!(hits < 3 * foreign as usize / 65_536 * 2, "{hits} hits of foreign keys");
}
