//! End-to-end tests of `koel analyze`.

#![allow(clippy::unwrap_used, reason = "a test may fail by a panic")]

mod support;

use std::path::PathBuf;
use std::process::Command;

use support::koel;
use tempfile::TempDir;

/// A temporary input file, removed at the end of the test.
struct Input(PathBuf, #[expect(dead_code, reason = "it removes the file")] TempDir);

impl Input {
    fn new(name: &str, text: &str) -> Input {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        Input(path, folder)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

const GAMES: &str = "\
[Event \"fool's mate\"]
[Result \"0-1\"]

1. f3 e5 2. g4 Qh4# 0-1

[Event \"castles\"]
[SetUp \"1\"]
[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]
[Result \"*\"]

1. O-O Kd7 *
";

/// Runs `koel analyze` and returns the standard output and the standard error stream. The exit
/// status tells whether all was read.
fn analyze_with_messages(arguments: &[&str]) -> (String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_koel"));
    let ended = command.arg("analyze").args(arguments).output().unwrap();
    let [output, error] = [ended.stdout, ended.stderr].map(|text| String::from_utf8(text).unwrap());
    let status = if error.contains("warning: ") { 3 } else { 0 };
    assert_eq!(ended.status.code(), Some(status), "{error}");
    (output, error)
}

fn analyze(arguments: &[&str]) -> String {
    analyze_with_messages(arguments).0
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn games_are_annotated() {
    let games = Input::new("games.pgn", GAMES);
    let (text, messages) =
        analyze_with_messages(&[games.path(), "--depth", "6", "--variation", "0"]);
    assert!(text.starts_with("[Event \"fool's mate\"]\n[Result \"0-1\"]\n\n{ [%eval "), "{text}");
    let flat = words(&text);
    // The mate that Black played, and no comment on the position after it.
    assert!(
        flat.contains("2. g4 $4 { [%eval #-1,6] [%mark ??] ")
            && flat.contains(" was best } 2... Qh4# 0-1"),
        "{text}"
    );
    assert!(!flat.contains("Qh4# was best") && !flat.contains(" best Qh4#"), "{text}");
    assert!(flat.contains("} 1. O-O { [%eval ") || flat.contains("} 1. O-O $"), "{text}");
    assert_eq!(text.matches("[%eval ").count(), 4 + 3, "{text}");
    assert!(text.lines().all(|line| line.len() < 80), "{text}");
    let rows = messages.lines().map(words).collect::<Vec<_>>();
    assert_eq!(rows[0], "Player Moves Accuracy Average loss ?! ? ??", "{messages}");
    for (row, start) in
        ["White 3 ", "opening 2 ", "endgame 1 ", "Black 3 ", "opening 2 ", "endgame 1 "]
            .into_iter()
            .enumerate()
    {
        assert!(rows[1 + row].starts_with(start), "{messages}");
    }
    assert_eq!(rows.len(), 7, "{messages}");
}

#[test]
fn the_content_of_the_input_is_kept() {
    let text = "[Event \"M\u{fc}ller\"]\n[Annotator \"somebody\"]\n\n\
                {before} 1. f3 $1 $14 {[%clk 0:01:00] good} ( {or} 1. e4 e5 ( 1... c5 ) 2. Nf3 )\n\
                1... e5 2. g4 $4 2... Qh4# ; the end\n0-1\n";
    // Latin-1 is read, UTF-8 is written.
    let input = Input::new("kept.txt", "");
    std::fs::write(&input.0, text.chars().map(|c| c as u8).collect::<Vec<_>>()).unwrap();
    analyze(&[input.path(), "--depth", "4", "--in-place", "--variation", "0"]);
    let written = std::fs::read_to_string(&input.0).unwrap();
    let mut flat = words(&written);
    while let Some((before, rest)) = flat.split_once("{ [%eval ") {
        flat = format!("{before}{}", rest.split_once("} ").unwrap().1);
    }
    assert!(flat.starts_with("[Event \"Müller\"] [Annotator \"somebody\"] {before} 1. f3 $1 $14 "));
    let rest = "{[%clk 0:01:00] good} ( {or} 1. e4 e5 ( 1... c5 ) 2. Nf3 ) 1... e5 2. g4 $4 \
                2... Qh4# ; the end 0-1";
    assert!(flat.ends_with(rest), "{written}");
    assert_eq!(written.matches("[%eval ").count(), 4, "{written}");
}

#[test]
fn a_file_is_replaced_only_in_place() {
    let input = Input::new("same.pgn", GAMES);
    let read = || std::fs::read_to_string(&input.0).unwrap();
    let indirect = input.0.parent().unwrap().join(".").join(input.0.file_name().unwrap());
    for output in [input.path(), indirect.to_str().unwrap()] {
        let (_, error, is_success) = koel(&["analyze", input.path(), "--output", output]);
        assert!(!is_success && error.contains("--in-place"), "{error}");
        assert_eq!(read(), GAMES);
    }
    let arguments = ["--output", input.path(), "--in-place", "--depth", "2", "--variation", "0"];
    analyze(&[&[input.path()], &arguments[..]].concat());
    assert_eq!(read().matches("[%eval ").count(), 7);
    assert!(!input.0.with_extension("pgn.part").exists());
}

/// A folder of files that were there before.
#[cfg(target_os = "linux")]
struct Folder(TempDir);

#[cfg(target_os = "linux")]
impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn join(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs a line of the shell in the folder, in which `koel` is the program.
    fn run(&self, line: &str) -> (Option<i32>, String) {
        let line = format!("koel() {{ {:?} \"$@\"; }}; {line}", env!("CARGO_BIN_EXE_koel"));
        let ended =
            Command::new("sh").args(["-c", &line]).current_dir(self.0.path()).output().unwrap();
        (ended.status.code(), String::from_utf8(ended.stderr).unwrap())
    }

    /// Returns the names and contents of the files.
    fn files(&self) -> Vec<(String, String)> {
        let entries = std::fs::read_dir(self.0.path()).unwrap().map(|entry| entry.unwrap());
        let files = entries.filter(|entry| entry.metadata().unwrap().is_file());
        let mut files: Vec<_> = files
            .map(|file| {
                let name = file.file_name().into_string().unwrap();
                (name, std::fs::read_to_string(file.path()).unwrap())
            })
            .collect();
        files.sort();
        files
    }
}

#[cfg(target_os = "linux")]
#[test]
fn missing_and_damaged_tables_are_warnings() {
    let folder = Folder::new();
    std::fs::create_dir(folder.join("tables")).unwrap();
    std::fs::write(folder.join("tables/KQvK.rtbw"), [0; 80]).unwrap();
    std::fs::write(folder.join("kqk.epd"), "4k3/8/8/8/8/8/8/Q3K3 w - -\n").unwrap();
    let (status, messages) = folder.run("koel analyze kqk.epd --nodes 500 --syzygy tables:missing");
    assert_eq!(status, Some(3), "{messages}");
    assert!(messages.contains("missing: No such file"), "{messages}");
    assert!(messages.contains("KQvK.rtbw is left out"), "{messages}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_reader_that_ends_early_is_no_error() {
    let folder = Folder::new();
    std::fs::write(folder.join("games.pgn"), "1. e4 e5 *\n\n".repeat(100)).unwrap();
    let line = "{ koel analyze games.pgn --depth 1; echo $? > status; } | head -1 > first";
    let (_, messages) = folder.run(line);
    assert_eq!(std::fs::read_to_string(folder.join("status")).unwrap(), "0\n", "{messages}");
    assert!(!messages.contains("koel: "), "{messages}");
}

#[cfg(target_os = "linux")]
#[test]
fn streams_are_written_to_and_never_replaced() {
    let folder = Folder::new();
    std::fs::write(folder.join("games.pgn"), "1. e4 *\n").unwrap();
    std::os::unix::fs::symlink("/dev/stdout", folder.join("link")).unwrap();
    assert_eq!(folder.run("koel analyze games.pgn --depth 1 > expected").0, Some(0));
    let expected = std::fs::read_to_string(folder.join("expected")).unwrap();
    assert!(expected.contains("[%eval "));
    for output in ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "./link"] {
        let line = format!(
            "echo old > all; koel analyze games.pgn --depth 1 -o {output} --format pgn >> all"
        );
        assert_eq!(folder.run(&line).0, Some(0), "{output}");
        let all = std::fs::read_to_string(folder.join("all")).unwrap();
        assert_eq!(all, format!("old\n{expected}"), "{output}");
    }
    for line in [
        "koel analyze games.pgn --depth 1 -o /dev/fd/7 7> all",
        "mkfifo pipe; cat pipe > all & koel analyze games.pgn --depth 1 -o pipe; wait",
        "koel analyze games.pgn --depth 1 -o /dev/stdout | cat > all",
    ] {
        assert_eq!(folder.run(line).0, Some(0), "{line}");
        let all = std::fs::read_to_string(folder.join("all")).unwrap();
        assert_eq!(all, expected, "{line}");
    }
    assert_eq!(folder.run("koel analyze games.pgn --depth 1 -o /dev/null").0, Some(0));
    let names = folder.files().into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    assert_eq!(names, ["all", "expected", "games.pgn"]);
}

#[cfg(target_os = "linux")]
#[test]
fn no_file_is_replaced_that_is_not_the_output() {
    let folder = Folder::new();
    for (name, text) in [
        ("games.pgn", "1. e4 e5 *\n\n1. d4 *\n"),
        ("one.pgn", "1. e4 *\n"),
        ("old.csv", "mine\n"),
        ("text.png", "mine\n"),
        ("left.pgn.part", "hours of work\n"),
        ("left-2.svg.part", "mine\n"),
        ("left.html.part", "mine\n"),
        ("old.html", "mine\n"),
    ] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    std::fs::hard_link(folder.join("games.pgn"), folder.join("hard.pgn")).unwrap();
    for name in ["hard.html", "hard-1.svg"] {
        std::fs::hard_link(folder.join("games.pgn"), folder.join(name)).unwrap();
    }
    std::os::unix::fs::symlink("games.pgn", folder.join("link.pgn")).unwrap();
    for name in ["one.html", "one.svg"] {
        std::os::unix::fs::symlink("one.pgn", folder.join(name)).unwrap();
    }
    std::os::unix::fs::symlink("round.pgn", folder.join("round.pgn")).unwrap();
    for name in ["folder.html", "folder.svg"] {
        std::fs::create_dir(folder.join(name)).unwrap();
    }
    let before = folder.files();
    for (arguments, message) in [
        ("games.pgn -o hard.pgn", "add --in-place"),
        ("games.pgn -o ./link.pgn", "add --in-place"),
        ("games.pgn -o - --in-place", "--in-place"),
        ("games.pgn >> games.pgn", "leads to the input"),
        ("games.pgn >> hard.pgn", "leads to the input"),
        ("games.pgn -o /dev/stdout >> games.pgn", "leads to the input"),
        ("/dev/stdin --in-place < games.pgn", "leads to the input"),
        ("games.pgn --format pgn -o folder.html", "found a folder"),
        ("games.pgn -o round.pgn", "round.pgn: Too many levels"),
        ("games.pgn -o left.pgn", "left.pgn.part: holds what an interrupted analysis has done"),
        ("games.pgn --html text.png", "not named .html"),
        ("games.pgn --html old.html", "no page of koel analyze"),
        ("one.pgn --html one.html", "is the input or the output"),
        ("games.pgn --html hard.html", "is the input or the output"),
        ("games.pgn --format pgn -o c.html --html ./c.html", "is the input or the output"),
        ("games.pgn --html left.html", "left.html.part: holds"),
        ("one.pgn --html folder.html", "found a folder"),
        ("games.pgn --chart text.png", "must end in .svg"),
        ("games.pgn --chart games.pgn", "must end in .svg"),
        ("games.pgn --chart svg", "must end in .svg"),
        ("one.pgn --chart one.svg", "is the input or the output"),
        ("games.pgn --chart hard.svg", "is the input or the output"),
        ("games.pgn --format pgn -o c-2.svg --chart ./c.svg", "is the input or the output"),
        ("games.pgn --chart left.svg", "left-2.svg.part: holds"),
        ("one.pgn --chart folder.svg", "found a folder"),
        ("games.pgn --nodes 0", "expected a whole number, at least 1"),
        ("games.pgn --depth 0", "expected a whole number, at least 1"),
        ("games.pgn --movetime 0", "expected a whole number, at least 1"),
        ("games.pgn --nodes x", "expected a whole number, at least 1"),
    ] {
        let (status, error) = folder.run(&format!("koel analyze {arguments}"));
        assert!(matches!(status, Some(1 | 2)) && error.contains(message), "{arguments}: {error}");
        assert_eq!(folder.files(), before, "{arguments}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_link_leads_to_the_file_that_is_replaced() {
    let folder = Folder::new();
    std::fs::write(folder.join("games.pgn"), "1. e4 *\n").unwrap();
    for (target, link) in [("games.pgn", "link"), ("new.pgn", "dangling")] {
        std::os::unix::fs::symlink(target, folder.join(link)).unwrap();
    }
    for line in [
        "koel analyze games.pgn --depth 1 -o dangling --format pgn",
        "koel analyze link --depth 1 --in-place",
    ] {
        assert_eq!(folder.run(line).0, Some(0), "{line}");
    }
    let [games, new] =
        ["games.pgn", "new.pgn"].map(|name| std::fs::read_to_string(folder.join(name)).unwrap());
    assert!(games == new && new.contains("[%eval "), "{new}");
    assert!(folder.join("link").is_symlink() && folder.join("dangling").is_symlink());
}

#[test]
fn what_cannot_be_read_is_skipped_with_a_warning() {
    let bad = "[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e5 e4 {bad} *";
    let games = Input::new("bad.games", &format!("1. e4 *\n\n{bad}\n\n1. d4 *\n"));
    let (text, messages) =
        analyze_with_messages(&[games.path(), "--depth", "2", "--variation", "0"]);
    assert!(messages.contains("game 2 (Ann - Bob): `e5` is not a legal move"), "{messages}");
    assert!(messages.contains("1 of 3 skipped"), "{messages}");
    // The game is there as it was.
    assert!(text.contains(bad) && text.matches("[%eval ").count() == 4, "{text}");
    let lines = "4k3/8/8/8/8/8/4P3/4K3 b - -\nnonsense\n4k3/8/8/8/8/8/4P3/4K3 w - -\n";
    let positions = Input::new("bad.positions", lines);
    let (text, messages) = analyze_with_messages(&[positions.path(), "--depth", "2"]);
    assert!(messages.contains("line 2: "), "{messages}");
    assert!(messages.contains("1 of 3 skipped"), "{messages}");
    assert_eq!(text.lines().count(), 1 + 2, "{text}");
}

#[test]
fn what_is_not_understood_is_named() {
    let text = "1. e4 e5 2. Sf3 *\n\n[White \"Ann\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n\n\
                1. d4 -- *\n\n1. c4 ( 1. Sc3 ) *\n";
    let games = Input::new("unknown.pgn", text);
    let (output, messages) = analyze_with_messages(&[games.path(), "--depth", "1"]);
    for message in [
        "line 1: game 1 (? - ?): `Sf3` is not a move, number, glyph, comment or result: \
         analysed up to it",
        "line 6: game 2 (Ann - ?): the variant `Atomic` is not chess: skipped",
        "line 8: game 3 (? - ?): analysed up to the null move",
        "1 of 4 skipped",
        "3 of 4 read in part",
        "line 10: game 4 (? - ?): `Sc3` is not a move, number, glyph, comment or result: \
         kept as it is",
    ] {
        assert!(messages.contains(message), "{messages}");
    }
    assert!(output.contains("}\n2. Sf3 *\n\n[White \"Ann\"]\n"), "{output}");
    assert_eq!(output.matches("[%eval ").count(), 3 + 2 + 2, "{output}");
}

#[test]
fn marked_moves_have_variations() {
    let games = Input::new("lines.pgn", GAMES);
    let text = analyze(&[games.path(), "--depth", "5", "--multipv", "2", "--best"]);
    let flat = words(&text);
    let (_, after) = flat.split_once("was best } ( 2. ").unwrap();
    let (first, second) = after.split_once(" ) ( 2. ").expect(&flat);
    assert!(first.contains("[%eval ") && first.contains("[%koel "), "{text}");
    assert!(second.split(" ) 2... Qh4#").next().unwrap().contains("[%koel "), "{text}");
    // Of two limits the first one ends the search.
    let limits = ["--movetime", "100000", "--depth", "4", "--multipv", "3", "--format", "json"];
    let text = analyze(&[&[games.path()], &limits[..]].concat());
    let rows = text.lines().map(|row| serde_json::from_str::<serde_json::Value>(row).unwrap());
    let rows = rows.collect::<Vec<_>>();
    let lines = |row: &serde_json::Value| {
        let lines = row["lines"].as_array().cloned().unwrap_or_default();
        let first = lines.iter().map(|line| line["line"].as_str().unwrap()[..4].to_owned());
        first.collect::<Vec<_>>()
    };
    assert_eq!(
        rows.iter().map(|row| lines(row).len()).collect::<Vec<_>>(),
        [3, 3, 3, 3, 0, 3, 3, 3]
    );
    for row in &rows[..4] {
        let first = lines(row);
        assert!(first[0] == row["best"] && first[0] != first[1] && first[1] != first[2], "{row}");
        assert!(row["since"]["depth"].as_u64().unwrap() <= 4, "{row}");
    }
}

#[test]
fn comments_that_another_program_has_joined_are_replaced_too() {
    let once = |input: &str, more: &[&str]| {
        let input = Input::new("games.pgn", input);
        words(&analyze(&[&[input.path(), "--depth", "6", "--variation", "0"], more].concat()))
    };
    let plain = once("1. f3 {[%clk 0:05:00]} e5 2. g4 {a note} Qh4# *", &[]);
    let joined = plain.replace(" } {", " ");
    assert!(joined.contains(" was best a note}") && joined != plain, "{joined}");
    let again = once(&joined, &[]);
    assert_eq!(again.replace("{ a note }", "{a note}").replace("{ [%clk", "{[%clk"), {
        plain.replace("[%clk 0:05:00]}", "[%clk 0:05:00] }")
    });
    // A part that is analysed again leaves the others as they are.
    let part = once(&plain, &["--from-ply", "4"]);
    assert!(part.contains("2. g4 $4 { [%eval #-1,6] [%koel] } { [%mark ??] "), "{part}");
    assert_eq!(once(&part, &["--from-ply", "4"]), part);
    assert_eq!(once(&part, &[]), plain);
}

#[test]
fn castling_of_chess960_is_no_other_move() {
    let fen = "[FEN \"4k3/8/8/8/8/8/8/5K1R w H - 0 1\"]\n\n";
    let text = format!("{fen}1. O-O *\n\n{fen}1. Kg1 *\n");
    let input = Input::new("games.pgn", &text);
    let table = analyze(&[input.path(), "--depth", "1", "--format", "csv"]);
    let played: Vec<_> = table.lines().filter_map(|row| row.split(',').nth(3)).collect();
    assert_eq!(played, ["played", "f1h1", "", "f1g1", ""]);
}

#[test]
fn the_output_of_two_jobs_is_that_of_one() {
    let games = Input::new("jobs.pgn", &GAMES.repeat(5));
    let output = |jobs| analyze(&[games.path(), "--depth", "4", "--hash", "1", "--jobs", jobs]);
    assert_eq!(output("2"), output("1"));
}

#[test]
fn a_chart_for_each_game() {
    let games = Input::new("charted.pgn", GAMES);
    let chart = Input::new("chart.svg", "");
    let numbered = [1, 2].map(|number| chart.0.with_file_name(format!("chart-{number}.svg")));
    analyze(&[games.path(), "--depth", "2", "--chart", chart.path()]);
    assert_eq!(std::fs::read_to_string(&chart.0).unwrap(), "", "there are two games");
    for chart in &numbered {
        let svg = std::fs::read_to_string(chart).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("expected score"), "{svg}");
    }
    let (_, error, is_success) = koel(&["analyze", games.path(), "--chart", games.path()]);
    assert!(!is_success && error.contains("--chart"), "{error}");
}

#[test]
fn positions_are_written_as_csv() {
    let games = Input::new("rows.pgn", GAMES);
    let text = analyze(&[games.path(), "--format", "csv", "--nodes", "2000", "--threads", "2"]);
    let rows = text.lines().map(|row| row.split(',').collect::<Vec<_>>()).collect::<Vec<_>>();
    assert!(rows.iter().all(|row| row.len() == 18), "{text}");
    assert_eq!(rows[0][..4], ["game", "ply", "fen", "played"]);
    assert_eq!(rows.len(), 1 + 5 + 3, "{text}");
    let [blunder, fool, over, castles] = [&rows[3], &rows[4], &rows[5], &rows[6]];
    assert_eq!((blunder[3], blunder[12]), ("g2g4", "??"), "{text}");
    assert_eq!((fool[3], fool[4], fool[5], fool[6]), ("d8h4", "d8h4", "", "-1"), "{text}");
    assert_eq!(fool[10..13], ["0.000", "0.000", ""], "{text}");
    assert_eq!(fool[13..], ["Qh4#", "fool's mate", "", "", "0-1"], "{text}");
    assert_eq!(over[3..14], ["", "", "", "", "", "", "", "0.000", "", "", ""], "the game is over");
    assert_eq!((castles[0], castles[1], castles[3]), ("2", "0", "e1g1"), "{text}");
    assert!(castles[9].starts_with(castles[4]), "{text}");
}

#[test]
fn positions_of_an_epd() {
    let epd = "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; id \"back rank\";\n\n\
               # a comment\n4k3/8/8/8/8/8/4P3/4K3 b - -\n";
    let odd = Input::new("odd.epd", "# one\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e4, e5;\n");
    let (_, messages) = analyze_with_messages(&[odd.path(), "--depth", "1"]);
    assert!(
        messages.contains("line 2: `e5` is no legal move or number: not counted"),
        "{messages}"
    );
    let positions = Input::new("positions.epd", epd);
    let output = Input::new("output.pgn", "");
    let (text, messages) = analyze_with_messages(&[positions.path(), "--depth", "5"]);
    assert_eq!(messages, "solved 1/1\n", "positions have no players");
    let rows = text.lines().map(|row| row.split(',').collect::<Vec<_>>()).collect::<Vec<_>>();
    assert_eq!((rows.len(), rows[1][4], rows[1][6]), (3, "d1d8", "1"), "{text}");
    // The extension of the output file selects the format.
    assert_eq!(analyze(&[positions.path(), "--depth", "5", "--output", output.path()]), "");
    let written = std::fs::read_to_string(&output.0).unwrap();
    assert!(written.contains("[Event \"back rank\"]"), "{written}");
    assert!(written.contains("{ [%eval #1,5] [%koel] } {bm Rd8#;} *"), "{written}");
    // The output can be read again.
    assert_eq!(analyze(&[output.path(), "--depth", "1", "--format", "csv"]).lines().count(), 3);
}

#[test]
fn errors_are_reported_before_the_analysis_begins() {
    let illegal = Input::new("illegal.pgn", "1. e5 e4 *\n");
    let other = Input::new("other.txt", "; only a comment\n");
    let good = Input::new("good.pgn", "1. e4 *\n");
    for (arguments, word) in [
        (&[illegal.path()][..], "game 1"),
        (&[other.path()], "neither a game nor a position"),
        (&["/nowhere/games.pgn"], "/nowhere/games.pgn"),
        (&[good.path(), "--output", "/nowhere/out.pgn"], "/nowhere/out.pgn"),
        (&[good.path(), "--in-place", "--format", "csv"], "--in-place"),
        (&[good.path(), "--in-place", "--output", "else.pgn"], "--in-place"),
        (&[good.path(), "--chart", "/nowhere/chart.svg"], "/nowhere/chart.svg"),
        (&[good.path(), "--html", "/nowhere/page.html"], "/nowhere/page.html"),
        (&[good.path(), "--output", "page.html"], "--html writes a page"),
        (&[good.path(), "--output", "out.pgn.gz"], "nothing is compressed"),
        (&[good.path(), "--from-ply", "2", "--to-ply", "1"], "--from-ply"),
        (&[good.path(), "--jobs", "0"], "--jobs"),
        (&[good.path(), "--threads", "5000"], "--threads"),
        (&[good.path(), "--syzygy", "/nowhere"], "/nowhere: "),
        (&[good.path(), "--depth", "3", "--nodes", "5"], "--nodes"),
    ] {
        let (output, error, is_success) = koel(&[&["analyze"], arguments].concat());
        assert!(!is_success && output.is_empty(), "{arguments:?}: {output}");
        assert!(error.contains(word), "{arguments:?}: {error}");
    }
}
