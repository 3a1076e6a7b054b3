use std::fs;

use koel_eval::Evaluation;
use tempfile::{TempDir, tempdir};

use super::*;

fn games(folder: &TempDir) -> Vec<u8> {
    fs::read(folder.path().join(GAMES_FILE)).unwrap()
}

/// Plays games with settings into a folder, with this many threads, to a goal.
fn play(
    folder: &TempDir,
    settings: &SelfplaySettings,
    goal: SelfplayGoal,
    threads: usize,
) -> Result<SelfplayTotals> {
    selfplay(folder.path(), settings, &Evaluation::default(), goal, threads, &mut |_| ())
}

#[test]
fn a_run_gives_the_same_bytes_with_any_number_of_threads_and_when_interrupted() {
    let [one, three, parts] = [(); 3].map(|()| tempdir().unwrap());
    let goal = SelfplayGoal::games(24);
    let whole = play(&one, &SelfplaySettings::quick(), goal, 1).unwrap();
    assert_eq!(whole.games, 24);
    assert!(whole.kept > 300 && whole.kept < whole.positions, "{whole:?}");
    assert_eq!(play(&three, &SelfplaySettings::quick(), goal, 3).unwrap(), whole);
    assert_eq!(games(&three), games(&one));

    play(&parts, &SelfplaySettings::quick(), SelfplayGoal::games(10), 2).unwrap();
    // Interrupted in the middle of a game.
    let mut bytes = games(&parts);
    bytes.truncate(bytes.len() - 7);
    fs::write(parts.path().join(GAMES_FILE), bytes).unwrap();
    assert_eq!(play(&parts, &SelfplaySettings::quick(), goal, 2).unwrap(), whole);
    assert_eq!(games(&parts), games(&one));

    let other = SelfplaySettings { run: 2, ..SelfplaySettings::quick() };
    let refused = play(&one, &other, SelfplayGoal::games(1), 1).unwrap_err().to_string();
    assert!(refused.contains("holds games of another run (run = 1, not 2);"), "{refused}");
}

#[test]
fn a_run_is_of_one_network() {
    let of = |sha256: Option<&str>| SelfplaySettings {
        evaluation_sha256: sha256.map(str::to_owned),
        ..SelfplaySettings::quick()
    };
    let [older, newer] = [None, Some("a")].map(|sha256| {
        let folder = tempdir().unwrap();
        play(&folder, &of(sha256), SelfplayGoal::games(1), 1).unwrap();
        folder
    });
    for (folder, sha256, is_continued) in
        [(&older, "a", true), (&newer, "a", true), (&newer, "b", false)]
    {
        let continued = play(folder, &of(Some(sha256)), SelfplayGoal::games(1), 1);
        assert_eq!(continued.is_ok(), is_continued, "{continued:?}");
    }
}

#[test]
fn a_run_ends_when_enough_positions_are_kept() {
    let [one, two] = [(); 2].map(|()| tempdir().unwrap());
    let goal = SelfplayGoal { positions: 200, games: u32::MAX };
    let totals = play(&one, &SelfplaySettings::quick(), goal, 1).unwrap();
    assert!((200..500).contains(&totals.kept));
    assert_eq!(play(&two, &SelfplaySettings::quick(), goal, 2).unwrap(), totals);
    assert_eq!(games(&one), games(&two));
}

#[test]
fn games_of_unknown_settings_are_refused() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join(GAMES_FILE), "games of another program").unwrap();
    let refused = play(&folder, &SelfplaySettings::quick(), SelfplayGoal::games(1), 1);
    assert!(refused.unwrap_err().to_string().contains("holds games; choose another folder"));
    assert_eq!(games(&folder), b"games of another program");
    assert!(!folder.path().join(SETTINGS_FILE).exists());
}

#[test]
fn a_file_with_the_name_of_the_lock_stays_as_it_is() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("lock");
    fs::write(&path, "the key is under the mat").unwrap();
    drop(RunFolder(folder.path()).lock().unwrap());
    assert_eq!(fs::read(&path).unwrap(), b"the key is under the mat");
}

#[test]
fn a_run_is_played_by_one_process() {
    let folder = tempdir().unwrap();
    play(&folder, &SelfplaySettings::quick(), SelfplayGoal::games(4), 1).unwrap();
    let bytes = games(&folder);
    let lock = RunFolder(folder.path()).lock().unwrap();
    let refused = play(&folder, &SelfplaySettings::quick(), SelfplayGoal::games(8), 1).unwrap_err();
    assert!(refused.to_string().ends_with("another process plays this run"), "{refused}");
    assert_eq!(games(&folder), bytes);
    drop(lock);
    assert_eq!(
        play(&folder, &SelfplaySettings::quick(), SelfplayGoal::games(8), 1).unwrap().games,
        8
    );
}
