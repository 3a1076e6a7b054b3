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
fn the_state_has_a_line_for_every_game() {
    let files = Files::new("document");
    files.play([]);
    assert!(!files.state.exists(), "no game was added");
    for number in 1..=3 {
        files.play((1..=3).filter(|&other| other == number));
        let text = fs::read_to_string(&files.state).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
        assert_eq!(lines.collect::<Vec<serde_json::Value>>().len() as u32, number + 1);
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
        // Before the first game, the file has its first line.
        let first_line = after.iter().position(|&byte| byte == b'\n').unwrap();
        let before = before.unwrap_or_else(|| after[..=first_line].to_vec());
        // A resumed match gives the same file as one without interruption.
        assert!(after.starts_with(&before));
        for end in before.len()..=after.len() {
            fs::write(&files.state, &after[..end]).unwrap();
            fs::write(&files.pgn, (1..=games + 1).map(pgn).collect::<String>()).unwrap();
            let known = files.known();
            assert_eq!(known, games + u32::from(end == after.len()), "{end}");
            // A resumed match plays a lost game again, and no game is there twice.
            files.play((games + 1..=games + 1).filter(|&number| number > known));
            assert_eq!(files.known(), games + 1);
            let all = (1..=games + 1).map(pgn).collect::<String>();
            assert_eq!(fs::read_to_string(&files.pgn).unwrap(), all, "{end}");
            assert_eq!(fs::read(&files.state).unwrap(), after, "{end}");
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
    fs::write(&files.state, "{\"seed\":\"1\"}\n").unwrap();
    open("2").unwrap().add(GameId { pair: 1, is_swapped: false }, record(1), "").unwrap();
    assert!(open("2").is_ok());
    assert!(matches!(open("1"), Err(JournalError::OtherSettings { .. })));
}

#[test]
fn a_state_of_another_version_is_an_error_in_words() {
    let files = Files::new("version");
    // The first is of a build that wrote one document, the second of one whose records had fewer fields.
    let record =
        "[{\"pair\":1,\"is_swapped\":false},{\"outcome\":\"win\",\"ending\":\"checkmate\"}]";
    let document = "{\"settings\":{\"seed\":\"1\"},\"games\":{\n}}\n".to_owned();
    for text in [document, format!("{{\"seed\":\"1\"}}\n{record}\n")] {
        fs::write(&files.state, text).unwrap();
        let error = read_state(&files.state).unwrap_err();
        assert!(matches!(error, JournalError::Format { .. }), "{error}");
        assert!(error.to_string().contains("--fresh"), "{error}");
    }
}
