//! The key history against a plain list of keys, and the consistency of the filter.

use koel_cuckoo::{KeyStack, ZobristKey};
use koel_random::Rng;

/// The keys of the line, each with whether a reversible move led to it.
struct Model(Vec<(ZobristKey, bool)>);

impl Model {
    fn reversible_plies(&self, index: usize) -> usize {
        (0..index).take_while(|plies| self.0[index - plies].1).count()
    }

    fn earlier(&self, index: usize) -> Vec<usize> {
        (1..=self.reversible_plies(index))
            .filter(|plies| self.0[index - plies].0 == self.0[index].0)
            .collect()
    }

    fn compare(&self, history: &KeyStack) {
        let last = self.0.len() - 1;
        let earlier = self.earlier(last);
        assert_eq!(
            (history.plies(), history.reversible_plies()),
            (last, self.reversible_plies(last))
        );
        assert_eq!(history.occurrences(), earlier.len() + 1);
        assert_eq!(history.previous_occurrence(), earlier.first().copied());
        let mut judged = Vec::new();
        let none: Option<()> = history.verdict(|repetition| {
            judged.push((repetition.plies, repetition.occurrences));
            None
        });
        assert_eq!(none, None);
        let counts = (1..=earlier.len()).rev();
        assert_eq!(judged, earlier.iter().copied().zip(counts).collect::<Vec<_>>());
        for ply in 0..20 {
            let draw = earlier.iter().any(|&plies| plies < ply) || earlier.len() > 1;
            assert_eq!(history.is_draw_by_repetition(ply), draw);
            let by_verdict = history.verdict(|earlier| earlier.is_draw(ply).then_some(()));
            assert_eq!(by_verdict.is_some(), draw);
        }
        for plies in 0..=last.min(12) {
            assert_eq!(history.key(plies), self.0[last - plies].0);
            let repeated = !self.earlier(last - plies).is_empty();
            assert_eq!(history.is_repeated(plies), repeated);
            assert_eq!(history.return_is_draw(plies, 5), plies < 5 || repeated);
        }
    }
}

/// Compares the history with the model on a random walk. Each side to move has its own keys, none
/// is repeated after two plies, and `mask` selects the random bits of the keys.
fn random_walk(seed: u64, pool: usize, mask: u64) {
    let mut rng = Rng::new(seed);
    let keys: [Vec<ZobristKey>; 2] =
        core::array::from_fn(|_| (0..pool).map(|_| ZobristKey(rng.next_u64() & mask)).collect());
    let mut model = Model(vec![(keys[0][0], false)]);
    let mut history = KeyStack::new(keys[0][0], 400);
    for _ in 0..4000 {
        let plies = model.0.len() - 1;
        match rng.below(20) {
            0..6 if plies > 0 => {
                model.0.pop();
                history.pop();
            }
            _ if plies > 300 => {
                for _ in 0..rng.below(300) {
                    model.0.pop();
                    history.pop();
                }
            }
            choice => {
                let pool = &keys[(plies + 1) % 2];
                let mut key = pool[rng.below(pool.len())];
                while plies > 0 && key == model.0[plies - 1].0 {
                    key = pool[rng.below(pool.len())];
                }
                let reversible = choice > 7 || rng.below(4) > 0;
                model.0.push((key, reversible));
                match choice {
                    _ if reversible => history.push(key, true),
                    6 => history.push_null(key),
                    _ => history.push(key, false),
                }
            }
        }
        model.compare(&history);
        if model.0.len().is_multiple_of(16) {
            assert!(history.is_filter_consistent());
        }
    }
    while history.plies() > 0 {
        history.pop();
    }
    assert!(history.filter().is_empty());
}

#[test]
fn equals_a_plain_list() {
    for seed in 0..6 {
        random_walk(seed, 3, u64::MAX);
        random_walk(seed, 12, u64::MAX);
        random_walk(seed, 200, u64::MAX);
    }
}

#[test]
fn equals_a_plain_list_when_all_keys_share_their_slots() {
    for seed in 0..4 {
        random_walk(seed, 200, 0xffff_0000_ffff_0000);
    }
}

/// Pushes four positions in turn, again and again.
fn shuffle(history: &mut KeyStack, plies: usize) {
    for ply in 1..=plies {
        history.push(ZobristKey(0x1234_5678_9abc_def1 << (ply % 4)), true);
    }
}

#[test]
fn a_position_may_occur_more_often_than_a_counter_counts() {
    let start = ZobristKey(0x1234_5678_9abc_def1);
    let mut history = KeyStack::new(start, 0);
    shuffle(&mut history, 1500);
    assert_eq!((history.reversible_plies(), history.occurrences()), (1500, 376));
    assert_eq!(history.previous_occurrence(), Some(4));
    assert!(history.is_draw_by_repetition(0));
    let counts = history.filter().counts();
    assert_eq!((counts.false_positives(), counts.true_positives), (0, 1497));
    for _ in 0..1500 {
        history.pop();
    }
    assert!(history.filter().is_empty());
    assert_eq!((history.occurrences(), history.key(0)), (1, start));
}

#[test]
fn thousands_of_positions_in_the_same_slots_are_distinguished() {
    let mut history = KeyStack::new(ZobristKey(0), 0);
    for ply in 1..=1500 {
        history.push(ZobristKey(ply << 48), true);
        assert_eq!(history.occurrences(), 1);
    }
    history.push(ZobristKey(3 << 48), true);
    assert_eq!(history.previous_occurrence(), Some(1498));
    while history.plies() > 0 {
        history.pop();
    }
    assert!(history.filter().is_empty());
}

#[test]
fn more_than_sixty_five_thousand_reversible_plies_are_counted() {
    let mut history = KeyStack::new(ZobristKey(0x1234_5678_9abc_def1), 0);
    shuffle(&mut history, 70_000);
    assert_eq!(history.reversible_plies(), 70_000);
    assert_eq!(history.occurrences(), 17_501);
    // A new key in saturated slots: the scan goes back to its limit.
    history.push(ZobristKey(0x1234_5678_9abc_def1 ^ 1 << 60), true);
    assert_eq!((history.occurrences(), history.previous_occurrence()), (1, None));
    while history.plies() > 0 {
        history.pop();
    }
    assert!(history.filter().is_empty());
}

#[test]
fn null_moves_keep_the_filter_consistent() {
    // Removing keys that were never inserted spoilt such a table once: early exits fell to 10-20 %.
    let mut rng = Rng::new(7);
    let mut history = KeyStack::new(ZobristKey(1), 64);
    for _ in 0..20_000 {
        for _ in 0..rng.below(12) {
            history.push(ZobristKey(rng.next_u64()), true);
        }
        history.push_null(ZobristKey(rng.next_u64()));
        for _ in 0..rng.below(12) {
            history.push(ZobristKey(rng.next_u64()), rng.below(9) > 0);
        }
        while history.plies() > 0 {
            history.pop();
        }
    }
    assert!(history.filter().is_empty());
    let counts = history.filter().counts();
    assert!(counts.lookups > 50_000);
    assert!(counts.early_exit_share() > 0.9999);
}

#[test]
fn nearly_all_new_positions_exit_early() {
    let mut rng = Rng::new(9);
    for (plies, share) in [(24, 0.9998), (44, 0.9997), (94, 0.999)] {
        let mut history = KeyStack::new(ZobristKey(rng.next_u64()), 128);
        let (mut lookups, mut early) = (0, 0);
        for _ in 0..200 {
            for _ in 0..plies {
                history.push(ZobristKey(rng.next_u64()), true);
            }
            history.reset_filter_counts();
            for _ in 0..2000 {
                history.push(ZobristKey(rng.next_u64()), true);
                history.pop();
            }
            lookups += history.filter().counts().lookups;
            early += history.filter().counts().exited_early();
            while history.plies() > 0 {
                history.pop();
            }
        }
        assert_eq!(lookups, 400_000);
        println!("{plies} plies: {early} of {lookups} exit early");
        assert!(early as f64 > share * lookups as f64);
    }
}

#[test]
fn lines_without_four_reversible_plies_never_use_the_filter() {
    let mut history = KeyStack::new(ZobristKey(1), 64);
    for ply in 2..50 {
        history.push(ZobristKey(ply), ply % 4 != 0);
    }
    assert_eq!(history.filter().counts().lookups, 0);
    assert!(history.filter().is_empty());
}

#[test]
fn restart_clears_everything() {
    let mut history = KeyStack::new(ZobristKey(0x1234_5678_9abc_def1), 0);
    shuffle(&mut history, 40);
    history.restart(ZobristKey(5));
    assert_eq!((history.plies(), history.reversible_plies(), history.occurrences()), (0, 0, 1));
    assert!(history.filter().is_empty());
    history.reserve(100);
    shuffle(&mut history, 3);
    assert_eq!((history.reversible_plies(), history.key(3)), (3, ZobristKey(5)));
}

#[test]
fn push_within_capacity_equals_push() {
    let mut history = KeyStack::new(ZobristKey(1), 0);
    let mut twin = history.clone();
    history.reserve(60);
    for ply in 0..60 {
        let (key, reversible) = (ZobristKey(ply % 7), ply != 20);
        history.push_within_capacity(key, reversible);
        twin.push(key, reversible);
        assert_eq!(history.occurrences(), twin.occurrences());
        assert_eq!(history.previous_occurrence(), twin.previous_occurrence());
    }
    assert!(history.is_filter_consistent() && history.filter().has_equal_counters(twin.filter()));
}

#[test]
#[should_panic(expected = "no capacity was reserved")]
fn pushing_beyond_the_capacity_panics() {
    KeyStack::new(ZobristKey(1), 0).push_within_capacity(ZobristKey(2), true);
}

#[test]
#[should_panic(expected = "cannot be removed")]
fn the_first_position_cannot_be_popped() {
    KeyStack::new(ZobristKey(1), 0).pop();
}
