//! The files of a match, wherever the writing of them breaks off.
#![allow(missing_docs, clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use koel_arena::{Ending, GameId, GameOutcome, GameRecord, JournalError, MatchJournal, read_state};

fn record(number: u32) -> GameRecord {
    GameRecord {
        outcome: GameOutcome::Draw,
        ending: Ending::AgreedDraw,
        plies: number,
        moves_hash: u64::from(number),
        pgn_bytes: 0,
        warnings: Default::default(),
    }
}

fn pgn(number: u32) -> String {
    format!("[Round \"{number}\"]\n\n*\n\n")
}

/// What closes a state.
const CLOSING: &[u8] = b"\n}}\n";

struct Files {
    state: PathBuf,
    pgn: PathBuf,
}

impl Files {
    fn new(name: &str) -> Files {
        let path = |ending| {
            let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
            folder.join(format!("journal-{name}.{ending}"))
        };
        let files = Files { state: path("json"), pgn: path("pgn") };
        for file in [&files.state, &files.pgn] {
            let _ = fs::remove_file(file);
        }
        files
    }

    fn open(&self) -> MatchJournal {
        let terms = BTreeMap::from([("seed".to_owned(), "},\n\"7".to_owned())]);
        MatchJournal::open(Some(&self.state), Some(&self.pgn), terms).unwrap()
    }

    /// Adds games of these numbers.
    fn play(&self, numbers: impl IntoIterator<Item = u32>) {
        let mut journal = self.open();
        for number in numbers {
            let id = GameId { pair: number, is_swapped: false };
            journal.add(id, record(number), &pgn(number)).unwrap();
        }
    }

    /// How many games the state knows; they are the first ones.
    fn known(&self) -> u32 {
        let state = read_state(&self.state).unwrap().unwrap();
        let numbers: Vec<_> = state.games.keys().map(|id| id.pair).collect();
        let count = u32::try_from(numbers.len()).unwrap();
        assert_eq!(numbers, (1..=count).collect::<Vec<_>>());
        count
    }
}

#[test]
fn a_state_is_one_document_after_every_game() {
    let files = Files::new("document");
    files.play([]);
    assert!(!files.state.exists(), "nothing is played");
    for number in 1..=3 {
        files.play((1..=3).filter(|&other| other == number));
        let text = fs::read_to_string(&files.state).unwrap();
        let document: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(document["games"].as_object().unwrap().len() as u32, number);
        assert_eq!(files.known(), number);
    }
    assert_eq!(fs::read_to_string(&files.pgn).unwrap(), (1..=3).map(pgn).collect::<String>());
}

#[test]
fn wherever_writing_breaks_off_no_other_game_is_lost() {
    let files = Files::new("torn");
    for games in 0..=4 {
        files.play((games..=games).filter(|&number| number > 0));
        let before = fs::read(&files.state).ok();
        files.play([games + 1]);
        let after = fs::read(&files.state).unwrap();
        // Before the first game is written, the file has a first line and is closed.
        let first_line = after.iter().position(|&byte| byte == b'\n').unwrap();
        let before = before.unwrap_or_else(|| [&after[..first_line], CLOSING].concat());
        let written = before.len() - CLOSING.len();
        // Played in one go or resumed in between, the file is the same up to the last game.
        assert_eq!(before[..written], after[..written]);
        for end in written..=after.len() {
            // What is not written yet is as it was.
            let old = before.get(end..).unwrap_or_default();
            fs::write(&files.state, [&after[..end], old].concat()).unwrap();
            fs::write(&files.pgn, (1..=games + 1).map(pgn).collect::<String>()).unwrap();
            let known = files.known();
            // Who reads while it is written may see the old end and then what is behind the new.
            let torn = [&before[..], after.get(before.len()..).unwrap_or_default()].concat();
            fs::write(&files.state, &torn[..end.max(before.len()).min(torn.len())]).unwrap();
            assert_eq!(files.known(), games, "{end}");
            fs::write(&files.state, [&after[..end], old].concat()).unwrap();
            assert!(known == games || known == games + 1, "{end}: {known}");
            // Whoever goes on plays what is lost once more, and no game stands there twice.
            files.play((games + 1..=games + 1).filter(|&number| number > known));
            assert_eq!(files.known(), games + 1);
            let all = (1..=games + 1).map(pgn).collect::<String>();
            assert_eq!(fs::read_to_string(&files.pgn).unwrap(), all, "{end}");
            if known == games {
                assert_eq!(fs::read(&files.state).unwrap(), after, "{end}");
            }
        }
        fs::write(&files.state, &before).unwrap();
    }
}

#[test]
fn what_no_crash_leaves_behind_is_not_mended() {
    let files = Files::new("mangled");
    files.play(1..=3);
    let text = fs::read_to_string(&files.state).unwrap();
    let (first, last) = text.rsplit_once("draw").unwrap();
    let last_game = format!("{first}drawn{last}");
    let of_old = text.replace("\"pgn_bytes\"", "\"bytes\"");
    let first_game = text.replacen("draw", "drawn", 1);
    for wrong in [first_game, last_game, of_old, "{".to_owned(), String::new()] {
        fs::write(&files.state, &wrong).unwrap();
        assert!(read_state(&files.state).is_err(), "{wrong}");
    }
}

#[test]
fn nobody_else_writes_the_same_games() {
    let files = Files::new("shared");
    let first = files.open();
    let terms = BTreeMap::new();
    let second = MatchJournal::open(Some(&files.state), Some(&files.pgn), terms);
    assert!(matches!(second, Err(JournalError::InUse { .. })), "{:?}", second.err());
    drop(first);
    files.open();
}

#[test]
fn a_match_that_played_nothing_binds_nobody() {
    let files = Files::new("nothing");
    let terms = |seed: &str| BTreeMap::from([("seed".to_owned(), seed.to_owned())]);
    let open = |seed| MatchJournal::open(Some(&files.state), None, terms(seed));
    fs::write(&files.state, "{\"version\":2,\"settings\":{\"seed\":\"1\"},\"games\":{\n}}\n")
        .unwrap();
    open("2").unwrap().add(GameId { pair: 1, is_swapped: false }, record(1), "").unwrap();
    assert!(open("2").is_ok());
    assert!(matches!(open("1"), Err(JournalError::OtherSettings { .. })));
}
