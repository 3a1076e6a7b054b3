//! The program with files that were there before: what it did not write itself stays byte for byte.
#![allow(missing_docs, clippy::unwrap_used, reason = "a test")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use support::{read_back, scripted};

const BOOK: &str = "[Event \"book\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n\
                    [Event \"book\"]\n\n1. d4 d5 2. c4 e6 3. Nc3 Nf6 *\n\n";

/// Ends the games soon.
const SHORT: [&str; 2] = ["--max-moves", "5"];

/// A folder for one test, with an opening book in it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("others").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("book.pgn"), BOOK).unwrap();
        Folder(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Runs a match of two scripted engines in the folder, with arguments separated by spaces.
    fn run(&self, arguments: &str) -> Output {
        let engine = scripted("engine", &[]).command;
        Command::new(env!("CARGO_BIN_EXE_koel-arena"))
            .current_dir(&self.0)
            .arg("match")
            .args([&engine, &engine])
            .args(["--depth", "1", "--concurrency", "1"])
            .args(arguments.split_whitespace())
            .args(if arguments.contains("--max-moves") { [].iter() } else { SHORT.iter() })
            .output()
            .unwrap()
    }

    fn plays(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        let [text, errors] = [&output.stdout, &output.stderr].map(|t| String::from_utf8_lossy(t));
        assert!(output.status.success(), "{arguments}: {errors}");
        text.into_owned()
    }

    /// Runs a match that must be refused, and returns why.
    fn refuses(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        assert!(!output.status.success(), "{arguments}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }
}

#[test]
fn what_is_read_is_never_written() {
    let folder = Folder::new("inputs");
    #[cfg(unix)]
    std::os::unix::fs::symlink("book.pgn", folder.path("link.pgn")).unwrap();
    fs::hard_link(folder.path("book.pgn"), folder.path("hard.pgn")).unwrap();
    for files in [
        "--state book.json",
        "--pgn book.pgn",
        "--state book.pgn --pgn a.pgn",
        "--pgn ./link.pgn",
        "--pgn hard.pgn",
    ] {
        for fresh in ["", "--fresh"] {
            let error = folder.refuses(&format!("--openings book.pgn {files} {fresh}"));
            assert!(error.contains("is read: name another file"), "{files}: {error}");
            assert_eq!(folder.read("book.pgn"), BOOK, "{files}");
        }
    }
    assert!(!folder.path("book.json").exists());
}

#[test]
fn games_are_added_to_those_of_another_match() {
    let folder = Folder::new("second");
    folder.plays("--openings book.pgn --pgn all.pgn --state one.json --games 2");
    let first = folder.read("all.pgn");
    assert_eq!(read_back(&first).len(), 2);
    folder.plays("--openings book.pgn --pgn all.pgn --state two.json --games 4 --max-moves 6");
    let both = folder.read("all.pgn");
    assert!(both.starts_with(&first) && read_back(&both).len() == 6);
    // The first match goes on behind the games of the second.
    folder.plays("--openings book.pgn --pgn all.pgn --state one.json --games 4");
    let all = folder.read("all.pgn");
    assert!(all.starts_with(&both) && read_back(&all).len() == 8);
    // Afresh: its last two games are at the end and are cut, those before stay.
    let said = folder.plays("--openings book.pgn --pgn all.pgn --state one.json --games 2 --fresh");
    assert!(said.contains("all.pgn keeps 2 games of the earlier match"), "{said}");
    let anew = folder.read("all.pgn");
    assert!(anew.starts_with(&both) && read_back(&anew).len() == 8);
}

#[test]
fn afresh_removes_nothing_that_the_match_did_not_write() {
    let folder = Folder::new("fresh");
    fs::write(folder.path("letter.txt"), "Dear Sir,\n").unwrap();
    fs::create_dir(folder.path("folder")).unwrap();
    for (files, why) in [
        ("--pgn letter.txt --state a.json", "holds something else than games"),
        ("--pgn a.pgn --state letter.txt", "is no state of a match"),
        ("--pgn folder --state a.json", "found a folder"),
        ("--pgn a.pgn --state folder", "found a folder"),
        #[cfg(unix)]
        ("--pgn /dev/null --state a.json", "found a device"),
        ("--pgn same.json --state same.json", "need two files"),
        ("--pgn a.pgn --state nowhere/a.json", "there is no such folder"),
        ("--pgn nowhere/a.pgn --state a.json", "there is no such folder"),
    ] {
        for fresh in ["", "--fresh"] {
            let error = folder.refuses(&format!("--openings book.pgn --games 2 {files} {fresh}"));
            assert!(error.contains(why), "{files} {fresh}: {error}");
            assert_eq!(folder.read("letter.txt"), "Dear Sir,\n");
            assert!(folder.path("folder").is_dir() && !folder.path("a.json").exists());
            assert!(!folder.path("a.pgn").exists(), "{files}: an empty file is left");
        }
    }
    #[cfg(unix)]
    assert!(Path::new("/dev/null").exists());
}

#[test]
fn another_match_is_not_taken_for_the_same() {
    let folder = Folder::new("same");
    let files = "--pgn a.pgn --state a.json --games 4";
    folder.plays(&format!("{files} --openings book.pgn --plies 2"));
    let before = [folder.read("a.pgn"), folder.read("a.json")];
    let other = BOOK.replace("2. Nf3 Nc6", "2. Nc3 Nc6").replace("3. Bb5", "3. Bc4");
    fs::write(folder.path("other.pgn"), other).unwrap();
    for (arguments, setting) in [
        ("--openings book.pgn --plies 6", "openings was"),
        ("--openings other.pgn --plies 4", "openings was"),
        ("--openings book.pgn --plies 2 --margin 50", "margin was"),
        ("--openings book.pgn --plies 2 --strict", "every PV checked was"),
        ("--openings book.pgn --plies 2 --seed 2", "seed was"),
        ("--openings book.pgn --plies 2 --max-moves 7", "adjudication was"),
    ] {
        let error = folder.refuses(&format!("{files} {arguments}"));
        assert!(error.contains("belongs to another match") && error.contains(setting), "{error}");
        assert_eq!([folder.read("a.pgn"), folder.read("a.json")], before);
    }
    // What the cut leaves alike is the same match.
    folder.plays(&format!("{files} --openings other.pgn --plies 2"));
    assert_eq!([folder.read("a.pgn"), folder.read("a.json")], before);
}

#[test]
fn a_start_that_fails_leaves_no_file() {
    let folder = Folder::new("failed");
    folder.refuses("--pgn a.pgn --state a.json --option NoSuchOption=1");
    folder.refuses("--pgn a.pgn --state a.json --openings nowhere.pgn");
    folder.refuses("--pgn a.pgn --state a.json --games 0");
    let names: Vec<_> =
        folder.0.read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["book.pgn"]);
}
