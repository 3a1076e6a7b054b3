//! The history against a plain list of keys, and the filter's balance.

use koel_cuckoo::{KeyHistory, ZobristKey};

use crate::random::Random;

/// Keys, each with whether a reversible move led to it.
struct Model(Vec<(ZobristKey, bool)>);

impl Model {
    fn reach(&self, index: usize) -> usize {
        (0..index).take_while(|plies| self.0[index - plies].1).count()
    }

    fn earlier(&self, index: usize) -> Vec<usize> {
        let reach = self.reach(index);
        (1..=reach).filter(|plies| self.0[index - plies].0 == self.0[index].0).collect()
    }

    fn compare(&self, history: &KeyHistory) {
        let last = self.0.len() - 1;
        let earlier = self.earlier(last);
        assert_eq!((history.plies(), history.reach()), (last, self.reach(last)));
        assert_eq!(history.occurrences(), earlier.len() + 1);
        assert_eq!(history.previous_occurrence(), earlier.first().copied());
        for ply in 0..20 {
            let draw = earlier.iter().any(|&plies| plies < ply) || earlier.len() > 1;
            assert_eq!(history.is_draw_by_repetition(ply), draw);
        }
        for plies in 0..=last.min(12) {
            assert_eq!(history.key(plies), self.0[last - plies].0);
            let repeated = !self.earlier(last - plies).is_empty();
            assert_eq!(history.is_repeated(plies), repeated);
            assert_eq!(history.return_is_draw(plies, 5), plies < 5 || repeated);
        }
    }
}

/// Keys of each side to move; no position comes back after two plies. `mask` cuts their bits down.
fn wander(seed: u64, pool: usize, mask: u64) {
    let mut random = Random(seed);
    let keys: [Vec<ZobristKey>; 2] =
        core::array::from_fn(|_| (0..pool).map(|_| ZobristKey(random.number() & mask)).collect());
    let mut model = Model(vec![(keys[0][0], false)]);
    let mut history = KeyHistory::new(keys[0][0], 400);
    for _ in 0..4000 {
        let plies = model.0.len() - 1;
        match random.below(20) {
            0..6 if plies > 0 => {
                model.0.pop();
                history.pop();
            }
            _ if plies > 300 => {
                for _ in 0..random.below(300) {
                    model.0.pop();
                    history.pop();
                }
            }
            choice => {
                let pool = &keys[(plies + 1) % 2];
                let mut key = pool[random.below(pool.len())];
                while plies > 0 && key == model.0[plies - 1].0 {
                    key = pool[random.below(pool.len())];
                }
                let reversible = choice > 7 || random.below(4) > 0;
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
            assert!(history.is_in_balance());
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
        wander(seed, 3, u64::MAX);
        wander(seed, 12, u64::MAX);
        wander(seed, 200, u64::MAX);
    }
}

#[test]
fn equals_a_plain_list_when_all_keys_share_their_slots() {
    for seed in 0..4 {
        wander(seed, 200, 0xffff_0000_ffff_0000);
    }
}

/// Four positions in turn, and over again.
fn shuffle(history: &mut KeyHistory, plies: usize) {
    for ply in 1..=plies {
        history.push(ZobristKey(0x1234_5678_9abc_def1 << (ply % 4)), true);
    }
}

#[test]
fn a_position_may_occur_more_often_than_a_counter_can_count() {
    let start = ZobristKey(0x1234_5678_9abc_def1);
    let mut history = KeyHistory::new(start, 0);
    shuffle(&mut history, 1500);
    assert_eq!((history.reach(), history.occurrences()), (1500, 376));
    assert_eq!(history.previous_occurrence(), Some(4));
    assert!(history.is_draw_by_repetition(0));
    let counts = history.filter().counts();
    assert_eq!((counts.passed_in_vain(), counts.repeated), (0, 1497));
    for _ in 0..1500 {
        history.pop();
    }
    assert!(history.filter().is_empty());
    assert_eq!((history.occurrences(), history.key(0)), (1, start));
}

#[test]
fn thousands_of_positions_in_the_same_slots_are_still_told_apart() {
    let mut history = KeyHistory::new(ZobristKey(0), 0);
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
fn a_reach_beyond_sixteen_bits_is_told() {
    let mut history = KeyHistory::new(ZobristKey(0x1234_5678_9abc_def1), 0);
    shuffle(&mut history, 70_000);
    assert_eq!(history.reach(), 70_000);
    assert_eq!(history.occurrences(), 17_501);
    // New, but in slots that are full: the scan goes as far back as it may.
    history.push(ZobristKey(0x1234_5678_9abc_def1 ^ 1 << 60), true);
    assert_eq!((history.occurrences(), history.previous_occurrence()), (1, None));
    while history.plies() > 0 {
        history.pop();
    }
    assert!(history.filter().is_empty());
}

#[test]
fn null_moves_leave_the_filter_in_balance() {
    // Unmaking what was never entered once spoilt such a table: early exits fell to 10-20 %.
    let mut random = Random(7);
    let mut history = KeyHistory::new(ZobristKey(1), 64);
    for _ in 0..20_000 {
        for _ in 0..random.below(12) {
            history.push(ZobristKey(random.number()), true);
        }
        history.push_null(ZobristKey(random.number()));
        for _ in 0..random.below(12) {
            history.push(ZobristKey(random.number()), random.below(9) > 0);
        }
        while history.plies() > 0 {
            history.pop();
        }
    }
    assert!(history.filter().is_empty());
    let counts = history.filter().counts();
    assert!(counts.consulted > 50_000);
    assert!(counts.early_exit_share() > 0.9999);
}

#[test]
fn nearly_all_new_positions_exit_early() {
    let mut random = Random(9);
    for (plies, share) in [(24, 0.9998), (44, 0.9997), (94, 0.999)] {
        let mut history = KeyHistory::new(ZobristKey(random.number()), 128);
        let (mut consulted, mut early) = (0, 0);
        for _ in 0..200 {
            for _ in 0..plies {
                history.push(ZobristKey(random.number()), true);
            }
            history.reset_filter_counts();
            for _ in 0..2000 {
                history.push(ZobristKey(random.number()), true);
                history.pop();
            }
            consulted += history.filter().counts().consulted;
            early += history.filter().counts().exited_early();
            while history.plies() > 0 {
                history.pop();
            }
        }
        assert_eq!(consulted, 400_000);
        println!("{plies} plies: {early} of {consulted} exit early");
        assert!(early as f64 > share * consulted as f64);
    }
}

#[test]
fn lines_without_four_reversible_plies_never_ask() {
    let mut history = KeyHistory::new(ZobristKey(1), 64);
    for ply in 2..50 {
        history.push(ZobristKey(ply), ply % 4 != 0);
    }
    assert_eq!(history.filter().counts().consulted, 0);
    assert!(history.filter().is_empty());
}

#[test]
fn restart_forgets_everything() {
    let mut history = KeyHistory::new(ZobristKey(0x1234_5678_9abc_def1), 0);
    shuffle(&mut history, 40);
    history.restart(ZobristKey(5));
    assert_eq!((history.plies(), history.reach(), history.occurrences()), (0, 0, 1));
    assert!(history.filter().is_empty());
    history.reserve(100);
    shuffle(&mut history, 3);
    assert_eq!((history.reach(), history.key(3)), (3, ZobristKey(5)));
}

#[test]
fn in_reserved_room_a_push_is_the_same() {
    let mut history = KeyHistory::new(ZobristKey(1), 0);
    let mut twin = history.clone();
    history.reserve(60);
    for ply in 0..60 {
        let (key, reversible) = (ZobristKey(ply % 7), ply != 20);
        history.push_in_room(key, reversible);
        twin.push(key, reversible);
        assert_eq!(history.occurrences(), twin.occurrences());
        assert_eq!(history.previous_occurrence(), twin.previous_occurrence());
    }
    assert!(history.is_in_balance() && history.filter().holds_the_same(twin.filter()));
}

#[test]
#[should_panic(expected = "no room was reserved")]
fn no_room_is_taken_that_was_not_reserved() {
    KeyHistory::new(ZobristKey(1), 0).push_in_room(ZobristKey(2), true);
}

#[test]
#[should_panic(expected = "cannot be taken back")]
fn the_first_position_cannot_be_popped() {
    KeyHistory::new(ZobristKey(1), 0).pop();
}
