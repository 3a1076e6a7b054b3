//! Files as people have them, analysed by engines whose verdicts are known.

#![allow(clippy::unwrap_used, reason = "a test may fail by a panic")]

use std::fs;

use clap::Parser;
use koel_analyze::{AnalysedLine, AnalysisEngine, EngineFailure, FileAnalysis, PositionAnalysis};
use koel_board::{Game, Move, Position};
use koel_random::Rng;
use koel_uci::Score;
use serde_json::Value;

#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    files: FileAnalysis,
}

/// An engine that chooses scores and moves at random, by its seed and the position alone.
#[derive(Clone, Copy)]
struct RandomEngine(u64);

/// An engine that finds every position equal and every move of the game the best.
#[derive(Clone, Copy)]
struct Follower;

fn verdict(first: Move, expected: f64, depth: u32) -> PositionAnalysis {
    let score = Score::Centipawns((1000.0 * expected) as i32 - 500);
    let mut verdict = PositionAnalysis::new(first, score, expected);
    verdict.best.depth = depth;
    verdict
}

fn position(game: &Game, plies: usize) -> Result<Position, EngineFailure> {
    game.positions().nth(plies).ok_or_else(|| "no such position".into())
}

impl AnalysisEngine for RandomEngine {
    fn new_game(&mut self) -> Result<(), EngineFailure> {
        Ok(())
    }

    fn analyse(
        &mut self,
        game: &Game,
        plies: usize,
    ) -> Result<Option<PositionAnalysis>, EngineFailure> {
        let position = position(game, plies)?;
        let moves = position.legal_moves();
        if moves.is_empty() {
            return Ok(None);
        }
        let mut random = Rng::new(self.0 ^ position.key().0);
        let expected = random.below(1001) as f64 / 1000.0;
        Ok(Some(verdict(moves[random.below(moves.len())], expected, 1 + self.0 as u32)))
    }
}

/// A random engine that knows lines and a second best move.
#[derive(Clone, Copy)]
struct RandomLines(u64);

impl AnalysisEngine for RandomLines {
    fn new_game(&mut self) -> Result<(), EngineFailure> {
        Ok(())
    }

    fn analyse(
        &mut self,
        game: &Game,
        plies: usize,
    ) -> Result<Option<PositionAnalysis>, EngineFailure> {
        let start = position(game, plies)?;
        let Some(found) = RandomEngine(self.0).analyse(game, plies)? else { return Ok(None) };
        let mut random = Rng::new(self.0 ^ !start.key().0);
        let mut line = |first: Move| {
            let (mut position, mut rest) = (start.after(first), Vec::new());
            while rest.len() < 8
                && let legal = position.legal_moves()
                && !legal.is_empty()
            {
                let m = legal[random.below(legal.len())];
                rest.push(m);
                position.play(m);
            }
            AnalysedLine { first, rest, depth: found.best.depth, ..found.best }
        };
        let other = start.legal_moves().iter().copied().find(|&m| m != found.best.first);
        let (best, others) = (line(found.best.first), other.map(line).into_iter().collect());
        Ok(Some(PositionAnalysis { best, others, ..found }))
    }
}

impl AnalysisEngine for Follower {
    fn new_game(&mut self) -> Result<(), EngineFailure> {
        Ok(())
    }

    fn analyse(
        &mut self,
        game: &Game,
        plies: usize,
    ) -> Result<Option<PositionAnalysis>, EngineFailure> {
        let moves = position(game, plies)?.legal_moves();
        let best = game.moves().nth(plies).or(moves.first().copied());
        Ok(best.map(|best| verdict(best, 0.5, 1)))
    }
}

/// Analyses a file and returns the output.
fn analysed<E: AnalysisEngine + Send + Copy>(
    engine: E,
    text: &[u8],
    arguments: &[&str],
) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let [input, output] = ["input", "output"].map(|name| folder.path().join(name));
    fs::write(&input, text).unwrap();
    let files = ["analyze", input.to_str().unwrap(), "--output", output.to_str().unwrap()];
    let command = CommandLine::parse_from(files.iter().chain(arguments));
    let ended = command.files.run(|| Ok(engine), &|| false, &mut std::io::sink());
    let ended = ended.map_err(|error| error.to_string());
    ended.map(|_| fs::read_to_string(&output).unwrap())
}

/// Removes the comments of the analysis and the move numbers that they require. Returns the rest
/// with single blanks, and the number of comments.
fn without_comments(text: &str) -> (String, usize) {
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut count = 0;
    while let Some(start) = text.find("{ [%eval ") {
        let end = start + text[start..].find('}').unwrap() + 1;
        text.replace_range(start..(end + 1).min(text.len()), "");
        count += 1;
    }
    let is_kept = |word: &&str| !word.ends_with("...");
    (text.split(' ').filter(is_kept).collect::<Vec<_>>().join(" ").trim().to_owned(), count)
}

/// Inputs; what is written beside the comments of the analysis, without line breaks; and the number
/// of positions analysed.
const FILES: &[(&[u8], &str, usize)] = &[
    // Moves.
    ("1. d4 d5 2. ♘f3 ♞f6 3. c4 e6 *\n".as_bytes(), "1. d4 d5 2. Nf3 Nf6 3. c4 e6 *", 7),
    (
        b"1. e2-e4 e7e5 2. Ng1-f3 d6 3. Bf1-c4 h6 4. 0-0 *",
        "1. e4 e5 2. Nf3 d6 3. Bc4 h6 4. O-O *",
        8,
    ),
    (b"1. e4 a6 2. e5 d5 3. exd6e.p. Qxd6++ *", "1. e4 a6 2. e5 d5 3. exd6 Qxd6 *", 7),
    (
        b"[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. a8Q+ Kd7 *",
        "[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"] 1. a8=Q+ Kd7 *",
        3,
    ),
    // Faults: the game up to them, and the rest as it is.
    (b"1. e4 *\n\n1. d4 Sf6 2. c4 *\n", "1. e4 * 1. d4 Sf6 2. c4 *", 4),
    (b"1. e4 *\n\n1. e4 e5 2. Nf3 N@d4 *", "1. e4 * 1. e4 e5 2. Nf3 N@d4 *", 6),
    (b"1. e4 *\n\n1. Sf3 *", "1. e4 * 1. Sf3 *", 2),
    (b"1. e4 Nf6 2. dxe5 Nd5 3. bc4 *", "1. e4 Nf6 2. dxe5 Nd5 3. bc4 *", 3),
    (b"1. e4 e5 1-0 2. Nf3 Nc6 *", "1. e4 e5 1-0 2. Nf3 Nc6 *", 3),
    (b"1. e4 ( 1. Sf3 ) e5 ( 1... } ) *", "1. e4 ( Sf3 ) e5 ( } ) *", 3),
    // Scores of other programs.
    (
        b"{[%eval 0.2]} 1. e4 {[%eval 0.17] [%clk 0:01]} e5 ( 1... c5 {[%eval 1]} ) \
          ;[%eval 0.3,9]\n*",
        "{eval 0.2} 1. e4 {eval 0.17 [%clk 0:01]} e5 ( c5 {[%eval 1]} ) ;eval 0.3,9 *",
        3,
    ),
    // Comments.
    (
        b"{a file}\n[Event \"x\"]\n[White \"A\"]\n[Black \"B\"]\n\n1. d4 *\n",
        "{a file} [Event \"x\"] [White \"A\"] [Black \"B\"] 1. d4 *",
        2,
    ),
    (
        b"% a\n[Event \"1\"]\n; b\n[White \"A\"]\n\n1. d4 1-0 {c}\n\n{d}\n\n",
        "% a [Event \"1\"] ; b [White \"A\"] 1. d4 1-0 {c} {d}",
        2,
    ),
    (b"[Event \"1\"]\n\n[Event \"2\"]\n\n1. d4 *", "[Event \"1\"] * [Event \"2\"] 1. d4 *", 3),
    ("1. e4 e5 ½-½\n\n1. d4 1 - 0".as_bytes(), "1. e4 e5 1/2-1/2 1. d4 1-0", 5),
    // Variants and null moves.
    (b"1. e4 *\n\n[Variant \"Atomic\"]\n\n1. e4 *", "1. e4 * [Variant \"Atomic\"] 1. e4 *", 2),
    (b"[Variant \"chess 960\"]\n\n1. e4 *", "[Variant \"chess 960\"] 1. e4 *", 2),
    (b"1. e4 -- 2. d4 *", "1. e4 -- 2. d4 *", 2),
    // Encodings.
    (
        b"\xef\xbb\xbf[White \"M\xfcller\"]\n\n1. e4 *\n\n[White \"\x8aM\xc3\xbcller\"]\n\n1. d4 *",
        "[White \"Müller\"] 1. e4 * [White \"ŠMÃ¼ller\"] 1. d4 *",
        4,
    ),
    (
        b"[White \"M\xfcller\"]\r\n\r\n1. e4 *\r\n\r\n\
          \xef\xbb\xbf[White \"M\xc3\xbcller\"]\r\n\r\n1. d4 *",
        "[White \"Müller\"] 1. e4 * [White \"Müller\"] 1. d4 *",
        4,
    ),
];

#[test]
fn files_as_people_have_them() {
    for &(input, expected, positions) in FILES {
        let output = analysed(Follower, input, &["--format", "pgn"]).unwrap();
        assert_eq!(without_comments(&output), (expected.to_owned(), positions), "{output}");
        let has_returns = output.contains("\r\n");
        assert_eq!(has_returns, input.contains(&b'\r'));
        let lines_with = output.matches("\r\n").count();
        assert!([0, output.matches('\n').count()].contains(&lines_with), "mixed line ends");
    }
    let error = analysed(Follower, b"\xff\xfe1\0.\0", &[]).unwrap_err();
    assert!(error.contains("UTF-16"), "{error}");
}

/// Games with all kinds of annotations.
fn many_games(count: usize) -> String {
    let mut random = Rng::new(7);
    let game = |number: usize| {
        let mut game = Game::default();
        let mut text = format!("[Event \"{number}\"]\n[White \"A{}\"]\n\n{{start}} ", number % 3);
        for ply in 0..random.below(40) {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            let m = moves[random.below(moves.len())];
            text += &game.position().san(m);
            let others = [
                "",
                "?",
                " $4",
                " ?! {so}",
                " +/=",
                " (1. e4 ; e\n) $6",
                " {[%eval 0.3,5]}",
                " $4 +/= {x}",
            ];
            text += others[random.below(others.len())];
            text += if ply % 5 == 4 { "\n" } else { " " };
            game.play(m).unwrap();
        }
        text + ["1-0 {good}", "*", "½", "0 - 1 ; bad"][number % 4] + "\n\n"
    };
    (1..=count).map(game).collect()
}

#[test]
fn a_long_first_line_tells_how_lines_end() {
    let text = format!("{{{}}}\r\n1. e4 *\r\n", "word ".repeat(4000));
    let text = analysed(Follower, text.as_bytes(), &["--format", "pgn"]).unwrap();
    assert!(text.matches('\n').count() > 1 && !text.replace("\r\n", "").contains('\n'), "{text}");
}

#[test]
fn annotating_twice_is_annotating_once() {
    let games = many_games(20);
    let files = FILES.iter().map(|&(input, ..)| input).chain([games.as_bytes()]);
    for input in files {
        let once = analysed(RandomEngine(1), input, &["--format", "pgn"]).unwrap();
        assert_eq!(analysed(RandomEngine(1), once.as_bytes(), &[]).unwrap(), once);
        // An analysis by another engine, or with other limits, is replaced.
        let other = analysed(RandomEngine(2), input, &["--format", "pgn"]).unwrap();
        assert_ne!(other, once);
        assert_eq!(analysed(RandomEngine(1), other.as_bytes(), &[]).unwrap(), once);
        // A reader finds one score for each move of the main line.
        let followed_by_two =
            |text: &str| text.contains("} {[%eval ") || text.contains("}\n{[%eval ");
        assert!(!followed_by_two(&once), "{once}");
    }
    let once = analysed(RandomEngine(1), games.as_bytes(), &[]).unwrap();
    for mark in ["[%mark ?!]", "[%mark ?]", "[%mark ??]"] {
        assert!(once.contains(mark), "{mark}");
    }
}

#[test]
fn variations_are_replaced_with_the_comments() {
    let games = many_games(20);
    let files = FILES.iter().map(|&(input, ..)| input).chain([games.as_bytes()]);
    for input in files {
        let pgn = ["--format", "pgn"];
        let once = analysed(RandomLines(1), input, &pgn).unwrap();
        assert_eq!(analysed(RandomLines(1), once.as_bytes(), &pgn).unwrap(), once);
        let longer = ["--format", "pgn", "--variation", "9", "--best"];
        let other = analysed(RandomLines(2), once.as_bytes(), &longer).unwrap();
        assert_eq!(analysed(RandomLines(1), other.as_bytes(), &pgn).unwrap(), once);
        // Without variations and remarks they are gone, and nothing else is.
        let [plain, cleared] = [input, other.as_bytes()].map(|input| {
            analysed(RandomLines(3), input, &["--format", "pgn", "--variation", "0"]).unwrap()
        });
        assert_eq!(cleared, plain);
    }
    let text = analysed(RandomLines(1), games.as_bytes(), &[]).unwrap();
    let own: Vec<&str> = text.split("[%koel ").skip(1).filter_map(|s| s.get(..1)).collect();
    assert!(own.len() > 50 && own.contains(&"6") && !own.contains(&"7"), "{own:?}");
}

#[test]
fn a_variation_that_somebody_has_changed_is_kept() {
    let own = "1. f3 {mine} ( 1. e4 { [%eval 0.30,9] [%koel 2] } 1... e5 ) 1... e5 *";
    let changed = [
        own.replace("1... e5 )", "1... e5 2. Nf3 )"),
        own.replace("1... e5 )", "1... e5 {good} )"),
        own.replace("1... e5 )", "1... e5 (1... c5) )"),
    ];
    let analysed = |text: &str| {
        let arguments = ["--format", "pgn", "--variation", "0"];
        let text = analysed(Follower, text.as_bytes(), &arguments).unwrap();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(!analysed(own).contains('('));
    for text in changed {
        assert!(
            analysed(&text).contains("( 1. e4 { [%eval 0.30,9] [%koel 2] } 1... e5 "),
            "{text}"
        );
    }
}

#[test]
fn games_and_plies_are_selected() {
    let text = "[White \"Ann\"]\n\n1. e4 e5 2. Nf3 *\n\n[Black \"Joanna\"]\n\n1. d4 d5 *\n\n\
                [White \"Bob\"]\n\n1. c4 c5 *\n\n";
    let rows = |arguments: &[&str]| -> Vec<String> {
        let all = [&["--format", "csv"], arguments].concat();
        let rows = analysed(Follower, text.as_bytes(), &all).unwrap();
        let fields = rows.lines().skip(1).map(|row| row.split(',').collect::<Vec<_>>());
        fields.map(|fields| format!("{}.{} {}", fields[0], fields[1], fields[13])).collect()
    };
    assert_eq!(
        rows(&["--player", "ANN", "--from-ply", "2", "--to-ply", "2"]),
        ["1.1 e5", "1.2 Nf3", "2.1 d5", "2.2 "]
    );
    assert_eq!(rows(&["--from-ply", "3"]), ["1.2 Nf3", "1.3 "]);
    assert_eq!(rows(&["--player", "bob"]), ["3.0 c4", "3.1 c5", "3.2 "]);
    let error = analysed(Follower, text.as_bytes(), &["--player", "Zoe"]).unwrap_err();
    assert!(error.contains("--player"), "{error}");
    // In a file of games the others stay.
    let pgn = analysed(Follower, text.as_bytes(), &["--format", "pgn", "--player", "bob"]).unwrap();
    let (before, after) = pgn.split_once("[White \"Bob\"]").unwrap();
    assert_eq!(before, text.split_once("[White \"Bob\"]").unwrap().0);
    assert_eq!(after.matches("[%eval ").count(), 3, "{pgn}");
}

#[test]
fn files_folders_and_their_lines_of_json_are_read_together() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("inner")).unwrap();
    for (name, text) in [
        ("b.pgn", "[White \"A \\\"quoted\\\"\"]\n\n1. e4 *"),
        ("inner/a.epd", "4k3/8/8/8/8/8/4P3/4K3 w - -\n"),
        ("notes.txt", "1. d4 *"),
        ("c.pgn", "; nothing\n"),
        (".hidden.pgn", "1. d4 *"),
        ("\u{fe}.pgn", "e\0x\0"),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
    let run = |arguments: &[&str]| {
        let output = folder.join("out.jsonl");
        let start = ["analyze", folder.to_str().unwrap(), "--output", output.to_str().unwrap()];
        let command = CommandLine::parse_from(start.iter().chain(arguments));
        let mut messages = Vec::new();
        let ended = command.files.run(|| Ok(Follower), &|| false, &mut messages);
        (ended.map(|skipped| (skipped, fs::read_to_string(output).unwrap())), messages)
    };
    let (ended, messages) = run(&[]);
    let (skipped, text) = ended.unwrap();
    let messages = String::from_utf8(messages).unwrap();
    assert!(skipped == 2 && messages.contains("c.pgn: neither a game"), "{messages}");
    assert!(messages.contains("\u{fe}.pgn: UTF-16 or not text"), "{messages}");
    let rows: Vec<Value> = text.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    let of = |name: &str| rows.iter().map(|row| row[name].clone()).collect::<Vec<_>>();
    assert_eq!(of("game"), [1, 1, 2]);
    assert_eq!(of("version"), [1, 1, 1]);
    assert_eq!((&rows[0]["white"], &rows[0]["san"]), (&"A \"quoted\"".into(), &"e4".into()));
    assert_eq!(rows[0]["lines"][0]["centipawns"], 0);
    assert!(rows[2]["san"].is_null() && rows[2]["best"].is_string(), "{text}");
    let (ended, _) = run(&["--in-place"]);
    assert!(ended.unwrap_err().to_string().contains("--in-place replaces one file"));
}

#[test]
fn a_page_is_written_though_the_text_cannot_be() {
    let folder = tempfile::tempdir().unwrap();
    let name = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (input, output, page) = (name("in.pgn"), name("out.pgn"), name("page.html"));
    fs::write(&input, "1. e4 e5 *").unwrap();
    let arguments = ["analyze", &input, "--output", &output, "--html", &page];
    let command = CommandLine::parse_from(arguments);
    let somebody_writes = || {
        fs::write(&output, "mine").unwrap();
        false
    };
    let ended = command.files.run(|| Ok(Follower), &somebody_writes, &mut Vec::new());
    assert!(ended.unwrap_err().to_string().contains("was changed during the analysis"));
    assert_eq!(fs::read_to_string(&output).unwrap(), "mine");
    assert!(fs::read_to_string(&page).unwrap().ends_with("</html>\n"));
}

#[test]
fn a_page_is_written_when_it_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let arguments = ["--format", "pgn", "--html", page.to_str().unwrap()];
    for _ in 0..2 {
        let text = many_games(7);
        let annotated = analysed(RandomLines(1), text.as_bytes(), &arguments).unwrap();
        let written = fs::read_to_string(&page).unwrap();
        assert_eq!(written.matches(" class=\"game\">{").count(), 7);
        assert!(written.ends_with("</html>\n") && written.contains(" was best"));
        // The page has what the file has.
        let again = analysed(RandomLines(1), annotated.as_bytes(), &arguments).unwrap();
        assert_eq!((again, fs::read_to_string(&page).unwrap()), (annotated, written));
    }
    fs::write(&page, "mine").unwrap();
    let error = analysed(Follower, b"1. e4 *", &arguments).unwrap_err();
    assert!(error.contains("no page of koel analyze"), "{error}");
    assert_eq!(fs::read_to_string(&page).unwrap(), "mine");
}

#[test]
fn a_mark_names_the_move_that_was_best() {
    let text = "1. f3 e5 2. g4 Qh4# 0-1";
    // A random engine finds another move than the one played best almost everywhere.
    let output = analysed(RandomEngine(3), text.as_bytes(), &["--format", "pgn"]).unwrap();
    let words = output.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut game = Game::default();
    for (ply, played) in ["f3", "e5", "g4", "Qh4#"].into_iter().enumerate() {
        let best = RandomEngine(3).analyse(&game, ply).unwrap().unwrap().best.first;
        let best = game.position().san(best);
        game.play(game.position().parse_san(played).unwrap()).unwrap();
        let (_, after) = words.split_once(&format!(" {played} ")).unwrap();
        let comment = after.split('}').next().unwrap();
        let is_marked = ["$6 ", "$2 ", "$4 "].iter().any(|glyph| comment.starts_with(glyph));
        assert_eq!(comment.contains(&format!(" {best} was best")), is_marked, "{words}");
        assert_eq!(comment.contains("best"), is_marked, "{words}");
    }
    assert!(words.contains("was best"), "{words}");
}

#[test]
fn the_output_does_not_depend_on_the_number_of_jobs() {
    let games = many_games(40);
    for format in ["pgn", "csv"] {
        let output = |jobs| {
            let arguments = ["--format", format, "--jobs", jobs];
            analysed(RandomEngine(1), games.as_bytes(), &arguments).unwrap()
        };
        let one = output("1");
        assert!(["2", "7", "256"].iter().all(|jobs| output(jobs) == one));
    }
}
