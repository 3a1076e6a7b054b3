//! The files of a match, interrupted at every byte of a write.
#![allow(missing_docs, clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use koel_arena::{Ending, GameId, GameOutcome, GameRecord, JournalError, MatchJournal, read_state};

fn record(number: u32) -> GameRecord {
    GameRecord {
        plies: number,
        moves_hash: u64::from(number),
        ..GameRecord::new(GameOutcome::Draw, Ending::AgreedDraw)
    }
}

fn pgn(number: u32) -> String {
    format!("[Round \"{number}\"]\n\n*\n\n")
}

/// The end of a state.
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
        let settings = BTreeMap::from([("seed".to_owned(), "},\n\"7".to_owned())]);
        MatchJournal::open(Some(&self.state), Some(&self.pgn), settings).unwrap()
    }

    /// Adds games with these numbers.
    fn play(&self, numbers: impl IntoIterator<Item = u32>) {
        let mut journal = self.open();
        for number in numbers {
            let id = GameId { pair: number, is_swapped: false };
            journal.add(id, record(number), &pgn(number)).unwrap();
        }
    }

    /// Returns the number of games in the state, which must be the first ones.
    fn known(&self) -> u32 {
        let state = read_state(&self.state).unwrap().unwrap();
        let numbers: Vec<_> = state.games.keys().map(|id| id.pair).collect();
        let count = u32::try_from(numbers.len()).unwrap();
        assert_eq!(numbers, (1..=count).collect::<Vec<_>>());
        count
    }
}

#[test]
fn the_state_is_valid_json_after_every_game() {
    let files = Files::new("document");
    files.play([]);
    assert!(!files.state.exists(), "no game was added");
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
fn an_interrupted_write_loses_no_other_game() {
    let files = Files::new("torn");
    for games in 0..=4 {
        files.play((games..=games).filter(|&number| number > 0));
        let before = fs::read(&files.state).ok();
        files.play([games + 1]);
        let after = fs::read(&files.state).unwrap();
        // Before the first game, the file has its first line and its end.
        let first_line = after.iter().position(|&byte| byte == b'\n').unwrap();
        let before = before.unwrap_or_else(|| [&after[..first_line], CLOSING].concat());
        let written = before.len() - CLOSING.len();
        // A resumed match gives the same file as one without interruption.
        assert_eq!(before[..written], after[..written]);
        for end in written..=after.len() {
            // The bytes not yet written are those of before.
            let old = before.get(end..).unwrap_or_default();
            fs::write(&files.state, [&after[..end], old].concat()).unwrap();
            fs::write(&files.pgn, (1..=games + 1).map(pgn).collect::<String>()).unwrap();
            let known = files.known();
            // A reader at the moment of the write may see the old end, and behind it the new bytes.
            let torn = [&before[..], after.get(before.len()..).unwrap_or_default()].concat();
            fs::write(&files.state, &torn[..end.max(before.len()).min(torn.len())]).unwrap();
            assert_eq!(files.known(), games, "{end}");
            fs::write(&files.state, [&after[..end], old].concat()).unwrap();
            assert!(known == games || known == games + 1, "{end}: {known}");
            // A resumed match plays a lost game again, and no game is there twice.
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
fn damage_that_no_crash_causes_is_an_error() {
    let files = Files::new("mangled");
    files.play(1..=3);
    let text = fs::read_to_string(&files.state).unwrap();
    let (first, last) = text.rsplit_once("draw").unwrap();
    let last_game = format!("{first}drawn{last}");
    let old_format = text.replace("\"pgn_bytes\"", "\"bytes\"");
    let first_game = text.replacen("draw", "drawn", 1);
    for wrong in [first_game, last_game, old_format, "{".to_owned(), String::new()] {
        fs::write(&files.state, &wrong).unwrap();
        assert!(read_state(&files.state).is_err(), "{wrong}");
    }
}

#[test]
fn a_second_match_cannot_use_the_same_pgn() {
    let files = Files::new("shared");
    let first = files.open();
    let settings = BTreeMap::new();
    let second = MatchJournal::open(Some(&files.state), Some(&files.pgn), settings);
    assert!(matches!(second, Err(JournalError::InUse(_))), "{:?}", second.err());
    drop(first);
    files.open();
}

#[test]
fn a_state_without_games_may_have_other_settings() {
    let files = Files::new("nothing");
    let settings = |seed: &str| BTreeMap::from([("seed".to_owned(), seed.to_owned())]);
    let open = |seed| MatchJournal::open(Some(&files.state), None, settings(seed));
    fs::write(&files.state, "{\"settings\":{\"seed\":\"1\"},\"games\":{\n}}\n").unwrap();
    open("2").unwrap().add(GameId { pair: 1, is_swapped: false }, record(1), "").unwrap();
    assert!(open("2").is_ok());
    assert!(matches!(open("1"), Err(JournalError::OtherSettings { .. })));
}

#[test]
fn a_state_of_another_version_is_an_error_in_words() {
    let files = Files::new("version");
    // The second is of a build whose records had fewer fields.
    for games in ["", "\"1.1\":{\"outcome\":\"win\",\"ending\":\"checkmate\"}"] {
        let text = format!("{{\"terms\":{{\"seed\":\"1\"}},\"games\":{{\n{games}\n}}}}\n");
        fs::write(&files.state, text).unwrap();
        let error = read_state(&files.state).unwrap_err();
        assert!(matches!(error, JournalError::Format { .. }), "{error}");
        assert!(error.to_string().contains("--fresh"), "{error}");
    }
}
