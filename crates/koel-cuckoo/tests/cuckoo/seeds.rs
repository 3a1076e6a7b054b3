//! The table for arbitrary keys: construction terminates, and fails exactly if no arrangement
//! exists.
//!
//! `KOEL_CYCLE_SEEDS` sets the number of random sets of keys (10,000 by default).

use koel_cuckoo::{CycleTable, CycleTableError};
use koel_random::Rng;

type Keys = [[u64; 64]; 10];

fn random_keys(seed: u64) -> (Keys, u64) {
    let mut rng = Rng::new(seed << 32);
    let keys = core::array::from_fn(|_| core::array::from_fn(|_| rng.next_u64()));
    (keys, rng.next_u64())
}

/// Lists the moves on an empty board by walking along directions, independently of the crate.
fn pairs(kind: usize) -> Vec<(usize, usize)> {
    const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
    const KNIGHT: [(i32, i32); 8] =
        [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];
    let all: Vec<_> = STRAIGHT.into_iter().chain(DIAGONAL).collect();
    let (directions, steps) = match kind {
        0 => (KNIGHT.to_vec(), 1),
        1 => (DIAGONAL.to_vec(), 7),
        2 => (STRAIGHT.to_vec(), 7),
        3 => (all, 7),
        _ => (all, 1),
    };
    let mut pairs = Vec::new();
    for from in 0..64_i32 {
        for &(file, rank) in &directions {
            for step in 1..=steps {
                let (file, rank) = (from % 8 + step * file, from / 8 + step * rank);
                let to = file + 8 * rank;
                if (0..8).contains(&file) && (0..8).contains(&rank) && from < to {
                    pairs.push((from.unsigned_abs() as usize, to.unsigned_abs() as usize));
                }
            }
        }
    }
    pairs
}

/// Returns true if an arrangement exists. Slots are vertices, moves are edges between their two
/// slots, and no connected component may have more edges than vertices.
fn has_arrangement(differences: &[u64]) -> bool {
    let mut parent: Vec<usize> = (0..8192).collect();
    let mut free = vec![1_i32; 8192];
    for &difference in differences {
        let ends = [difference & 8191, (difference >> 16) & 8191];
        let [first, second] = ends.map(|slot| root(&mut parent, usize::try_from(slot).unwrap()));
        if first != second {
            parent[second] = first;
            free[first] += free[second];
        }
        free[first] -= 1;
        if free[first] < 0 {
            return false;
        }
    }
    true
}

fn root(parent: &mut [usize], mut slot: usize) -> usize {
    while parent[slot] != slot {
        parent[slot] = parent[parent[slot]];
        slot = parent[slot];
    }
    slot
}

#[test]
fn a_table_is_built_exactly_if_one_exists() {
    let wanted = std::env::var("KOEL_CYCLE_SEEDS");
    let wanted = wanted.map_or(10_000, |text| text.parse::<u64>().unwrap());
    let moves: Vec<(usize, usize, usize)> = (0..10)
        .flat_map(|piece| pairs(piece % 5).into_iter().map(move |(from, to)| (piece, from, to)))
        .collect();
    assert_eq!(moves.len(), 3668);
    let mut failures = 0;
    for seed in 1..=wanted {
        let (keys, side) = random_keys(seed);
        let differences: Vec<u64> = moves
            .iter()
            .map(|&(piece, from, to)| keys[piece][from] ^ keys[piece][to] ^ side)
            .collect();
        match CycleTable::try_new(&keys, side) {
            Ok(_) => assert!(has_arrangement(&differences), "seed {seed}"),
            Err(error) => {
                assert_eq!(error, CycleTableError::NoArrangement, "seed {seed}");
                assert!(!has_arrangement(&differences), "seed {seed}");
                failures += 1;
            }
        }
    }
    let share = f64::from(failures) / wanted as f64;
    println!("{failures} of {wanted} sets of keys have no arrangement: {:.2} %", 100.0 * share);
    assert!((0.005..0.025).contains(&share));
}

fn failure(change: impl FnOnce(&mut Keys, &mut u64)) -> CycleTableError {
    let (mut keys, mut side) = random_keys(1);
    assert!(CycleTable::try_new(&keys, side).is_ok());
    change(&mut keys, &mut side);
    CycleTable::try_new(&keys, side).unwrap_err()
}

#[test]
fn zero_keys_are_rejected() {
    assert_eq!(failure(|keys, _| keys[9][63] = 0), CycleTableError::ZeroKey);
    assert_eq!(failure(|_, side| *side = 0), CycleTableError::ZeroKey);
}

#[test]
fn equal_keys_are_rejected() {
    assert_eq!(failure(|keys, _| keys[0][0] = keys[9][63]), CycleTableError::EqualKeys);
    assert_eq!(failure(|keys, side| *side = keys[4][4]), CycleTableError::EqualKeys);
    assert_eq!(failure(|keys, _| keys[5] = keys[0]), CycleTableError::EqualKeys);
}

#[test]
fn dependent_keys_are_rejected() {
    // The white king's move a1-b1 and the black king's move g8-h8 get equal differences.
    let clash = |keys: &mut Keys, _: &mut u64| {
        keys[4][0] = keys[4][1] ^ keys[9][62] ^ keys[9][63];
    };
    assert_eq!(failure(clash), CycleTableError::EqualMoves);
    // The move a1-b1 gets the difference 0.
    let nothing = |keys: &mut Keys, side: &mut u64| keys[4][0] = keys[4][1] ^ *side;
    assert_eq!(failure(nothing), CycleTableError::EqualMoves);
}

#[test]
fn keys_of_few_bits_end_in_an_error() {
    // All moves share a few slots, so the insertion has to give up.
    let (keys, side) = random_keys(1);
    let narrow = keys.map(|keys| keys.map(|key| key & !0x1fff_1ff0));
    assert_eq!(CycleTable::try_new(&narrow, side).unwrap_err(), CycleTableError::NoArrangement);
}

#[test]
fn errors_have_messages() {
    let error: &dyn core::error::Error = &CycleTableError::NoArrangement;
    assert!(error.to_string().contains("no cuckoo arrangement"));
}

#[test]
#[should_panic(expected = "use another seed")]
fn new_panics_where_try_new_fails() {
    let seed = (1..).find(|&seed| {
        let (keys, side) = random_keys(seed);
        CycleTable::try_new(&keys, side).is_err()
    });
    let (keys, side) = random_keys(seed.unwrap());
    let _ = CycleTable::new(&keys, side);
}
