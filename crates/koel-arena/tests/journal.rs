//! The files of a match, interrupted at every byte of a write.
#![allow(missing_docs, clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use koel_arena::{
    Ending, GameId, GameOutcome, GameRecord, JournalError, MatchJournal, discard, read_state,
};

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
        let settings = BTreeMap::from([("pairings".to_owned(), "},\n\"7".to_owned())]);
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

/// Plays one game more and returns both files as a runner that is killed leaves them: within the
/// lines for the state, and then within the text for the PGN.
fn torn(files: &Files, number: u32) -> Vec<[Vec<u8>; 2]> {
    let before =
        [fs::read(&files.state).ok(), fs::read(&files.pgn).ok()].map(Option::unwrap_or_default);
    files.play([number]);
    let [state, text] = [&files.state, &files.pgn].map(|path| fs::read(path).unwrap());
    let text = &text[before[1].len()..];
    let unwritten = serde_json::to_string(std::str::from_utf8(text).unwrap()).unwrap() + "\n";
    let lines = [&state[..], unwritten.as_bytes()].concat();
    // Before the first game, the file has its first line.
    let first_line = state.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    // Every byte would be as many flushes of a disk.
    let bytes = |from: usize, to: usize| (from..to).step_by(7).chain([to]);
    let states = bytes(before[0].len().max(first_line), lines.len());
    let states = states.map(|end| [lines[..end].to_vec(), before[1].clone()]);
    let texts = bytes(0, text.len()).map(|end| [&before[1][..], &text[..end]].concat());
    let texts = texts.map(|text| [lines.clone(), text]);
    states.chain(texts).collect()
}

#[test]
fn an_interrupted_write_loses_no_game_and_changes_no_other_text() {
    let other = "[Event \"of somebody else\"]\n\n1. e4 *";
    for text_before in ["", other] {
        let files = Files::new("torn");
        fs::write(&files.pgn, text_before).unwrap();
        let gap = if text_before.is_empty() { "" } else { "\n\n" };
        for games in 0..=1 {
            let moments = torn(&files, games + 1);
            let after = fs::read(&files.state).unwrap();
            for [state, text] in moments {
                fs::write(&files.state, &state).unwrap();
                fs::write(&files.pgn, &text).unwrap();
                drop(files.open());
                // A resumed match plays a lost game again, and no game is there twice.
                let known = files.known();
                assert!((games..=games + 1).contains(&known));
                files.play((games + 1..=games + 1).filter(|&number| number > known));
                assert_eq!(files.known(), games + 1);
                let all = (1..=games + 1).map(pgn).collect::<String>();
                let all = format!("{text_before}{gap}{all}");
                assert_eq!(fs::read_to_string(&files.pgn).unwrap(), all);
                // A resumed match gives the same file as one without interruption.
                files.play([]);
                assert_eq!(
                    String::from_utf8(fs::read(&files.state).unwrap()),
                    String::from_utf8(after.clone())
                );
            }
        }
    }
}

#[test]
fn what_others_write_between_two_runs_stays() {
    let files = Files::new("others");
    let other = "[Event \"of somebody else\"]\n\n1. e4 *\n";
    files.play([1]);
    let text = pgn(1) + other;
    fs::write(&files.pgn, &text).unwrap();
    files.play([2]);
    assert_eq!(fs::read_to_string(&files.pgn).unwrap(), format!("{text}\n{}", pgn(2)));
    // The last game is the match's own, the first is not at the end.
    assert_eq!(discard(&files.state, &files.pgn).unwrap(), 1);
    assert_eq!(fs::read_to_string(&files.pgn).unwrap(), text);
    assert!(!files.state.exists());
}

#[test]
fn a_match_discards_only_what_it_wrote() {
    let files = Files::new("discard");
    files.play(1..=3);
    assert_eq!(discard(&files.state, &files.pgn).unwrap(), 0);
    assert!(!files.state.exists() && !files.pgn.exists());

    let other = "[Event \"of somebody else\"]\n\n1. e4 *\n";
    fs::write(&files.pgn, other).unwrap();
    files.play(1..=3);
    assert_eq!(discard(&files.state, &files.pgn).unwrap(), 0);
    assert_eq!(fs::read_to_string(&files.pgn).unwrap(), other);

    // Nothing is proved by a text that was changed, or by a file that is no state.
    files.play(1..=2);
    let changed = fs::read_to_string(&files.pgn).unwrap().replace("\"2\"", "\"9\"");
    fs::write(&files.pgn, &changed).unwrap();
    assert_eq!(discard(&files.state, &files.pgn).unwrap(), 2);
    assert_eq!(fs::read_to_string(&files.pgn).unwrap(), changed);
    fs::write(&files.state, "a letter").unwrap();
    assert!(matches!(discard(&files.state, &files.pgn), Err(JournalError::Format(..))));
    assert_eq!(fs::read_to_string(&files.state).unwrap(), "a letter");
}

#[test]
fn a_file_of_something_else_is_refused_as_it_is() {
    let files = Files::new("letter");
    let open = |path: &Path| MatchJournal::open(None, Some(path), BTreeMap::new());
    fs::write(&files.pgn, "Dear Sir,\n").unwrap();
    assert!(matches!(open(&files.pgn), Err(JournalError::NoPgn(_))));
    assert_eq!(fs::read_to_string(&files.pgn).unwrap(), "Dear Sir,\n");
    let folder = files.pgn.parent().unwrap();
    assert!(matches!(open(folder), Err(JournalError::File(..))));
    #[cfg(unix)]
    assert!(matches!(open(Path::new("/dev/null")), Err(JournalError::File(..))));
}

#[test]
fn a_json_object_of_something_else_is_no_state() {
    let files = Files::new("object");
    let other = "{\"a\":\"1\"}\n";
    fs::write(&files.state, other).unwrap();
    let settings = BTreeMap::from([("pairings".to_owned(), String::new())]);
    let opened = MatchJournal::open(Some(&files.state), None, settings);
    assert!(matches!(opened, Err(JournalError::Format(..))), "{:?}", opened.err());
    let discarded = discard(&files.state, &files.pgn);
    assert!(matches!(discarded, Err(JournalError::Format(..))), "{discarded:?}");
    assert_eq!(fs::read_to_string(&files.state).unwrap(), other);
}

#[test]
fn a_match_without_games_leaves_no_file() {
    let files = Files::new("empty");
    files.play([]);
    assert!(!files.pgn.exists() && !files.state.exists());
    fs::write(&files.pgn, "").unwrap();
    files.play([]);
    assert!(files.pgn.exists(), "it was there before");
}

#[test]
fn damage_that_no_crash_causes_is_an_error() {
    let files = Files::new("mangled");
    files.play(1..=3);
    let text = fs::read_to_string(&files.state).unwrap();
    let (first, last) = text.rsplit_once("draw").unwrap();
    let last_game = format!("{first}drawn{last}");
    let old_format = text.replace("\"plies\"", "\"moves\"");
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
    let settings = |pairings: &str| BTreeMap::from([("pairings".to_owned(), pairings.to_owned())]);
    let open = |pairings| MatchJournal::open(Some(&files.state), None, settings(pairings));
    fs::write(&files.state, "{\"pairings\":\"1\"}\n").unwrap();
    open("2").unwrap().add(GameId { pair: 1, is_swapped: false }, record(1), "").unwrap();
    assert!(open("2").is_ok());
    assert!(matches!(open("1"), Err(JournalError::OtherSettings { .. })));
}

#[test]
fn a_state_of_another_version_is_an_error_in_words() {
    let files = Files::new("version");
    // The first is of a build that wrote one document, the second of one whose records had fewer
    // fields.
    let record =
        "[{\"pair\":1,\"is_swapped\":false},{\"outcome\":\"win\",\"ending\":\"checkmate\"}]";
    let document = "{\"settings\":{\"pairings\":\"1\"},\"games\":{\n}}\n".to_owned();
    for text in [document, format!("{{\"pairings\":\"1\"}}\n{record}\n")] {
        fs::write(&files.state, text).unwrap();
        let error = read_state(&files.state).unwrap_err();
        assert!(matches!(error, JournalError::Format(..)), "{error}");
        assert!(error.to_string().contains("another version"), "{error}");
    }
}
