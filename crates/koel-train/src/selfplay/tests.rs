use std::fs;

use koel_eval::Evaluation;

use super::*;
use crate::phase_values::PhaseValues;
use crate::testing::Scratch;

impl Scratch {
    fn games(&self) -> Vec<u8> {
        fs::read(self.0.join(GAMES_FILE)).unwrap()
    }
}

fn quick() -> SelfplaySettings {
    SelfplaySettings {
        soft_nodes: PhaseValues::Uniform(20),
        hash_mebibytes: 1,
        opening_nodes: 100,
        tree_position_share: 0.5,
        ..SelfplaySettings::default()
    }
}

fn play(
    scratch: &Scratch,
    settings: &SelfplaySettings,
    games: u32,
    threads: usize,
) -> SelfplayTotals {
    let goal = SelfplayGoal::games(games);
    selfplay(&scratch.0, settings, &Evaluation::default(), goal, threads, &mut |_| ()).unwrap()
}

#[test]
fn a_run_gives_the_same_bytes_with_any_number_of_threads_and_when_interrupted() {
    let [one, three, parts] = ["one", "three", "parts"].map(Scratch::new);
    let whole = play(&one, &quick(), 24, 1);
    assert_eq!(whole.games, 24);
    assert!(whole.kept > 300 && whole.kept < whole.positions, "{whole:?}");
    assert_eq!(play(&three, &quick(), 24, 3), whole);
    assert_eq!(three.games(), one.games());

    play(&parts, &quick(), 10, 2);
    // Interrupted in the middle of a game.
    let mut bytes = parts.games();
    bytes.truncate(bytes.len() - 7);
    fs::write(parts.0.join(GAMES_FILE), bytes).unwrap();
    assert_eq!(play(&parts, &quick(), 24, 2), whole);
    assert_eq!(parts.games(), one.games());

    let other = SelfplaySettings { run: 2, ..quick() };
    let goal = SelfplayGoal { positions: 1, games: 1 };
    let refused = selfplay(&one.0, &other, &Evaluation::default(), goal, 1, &mut |_| ());
    assert!(refused.unwrap_err().to_string().contains("holds games of another run"));
}

#[test]
fn a_run_ends_when_enough_positions_are_kept() {
    let [one, two] = ["kept-one", "kept-two"].map(Scratch::new);
    let goal = SelfplayGoal { positions: 200, games: u32::MAX };
    let totals = selfplay(&one.0, &quick(), &Evaluation::default(), goal, 1, &mut |_| ()).unwrap();
    assert!((200..500).contains(&totals.kept));
    assert_eq!(
        selfplay(&two.0, &quick(), &Evaluation::default(), goal, 2, &mut |_| ()).unwrap(),
        totals
    );
    assert_eq!(one.games(), two.games());
}

#[test]
fn a_run_is_played_by_one_process() {
    let scratch = Scratch::new("locked");
    play(&scratch, &quick(), 4, 1);
    let bytes = scratch.games();
    let lock = RunFolder(&scratch.0).lock().unwrap();
    let goal = SelfplayGoal::games(8);
    let refused =
        selfplay(&scratch.0, &quick(), &Evaluation::default(), goal, 1, &mut |_| ()).unwrap_err();
    assert!(refused.to_string().ends_with("another process plays this run"), "{refused}");
    assert_eq!(scratch.games(), bytes);
    drop(lock);
    assert_eq!(play(&scratch, &quick(), 8, 1).games, 8);
}
