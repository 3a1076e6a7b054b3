//! The program as a script meets it: exit statuses, JSON and the files that are added to.
#![allow(missing_docs, clippy::unwrap_used, reason = "a test")]

mod support;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use support::scripted;

/// A folder for one test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("outcomes").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    /// Returns the program with arguments; `ENGINE` stands for the scripted engine.
    fn command(&self, arguments: &str) -> Command {
        let engine = scripted("engine", &[]).command;
        let arguments = arguments.replace("ENGINE", engine.to_str().unwrap());
        let mut command = Command::new(env!("CARGO_BIN_EXE_koel-arena"));
        command.current_dir(&self.0).args(arguments.split_whitespace());
        command
    }

    /// Runs the program.
    fn run(&self, arguments: &str) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs the program and returns its exit status and its standard output.
    fn status(&self, arguments: &str) -> (i32, String) {
        let output = self.run(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code().unwrap(), text + &errors)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }
}

#[test]
fn a_match_whose_reader_is_gone_ends_without_a_panic_and_resumes() {
    let folder = Folder::new("reader");
    let arguments = format!("match ENGINE ENGINE --games 40 --state state {SHORT}");
    let mut command = folder.command(&arguments);
    let mut arena = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(arena.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let output = arena.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(1));
    let (status, text) = folder.status(&arguments);
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("40"), "{text}");
}

const SHORT: &str = "--depth 1 --max-moves 3 --concurrency 1";

#[test]
fn each_outcome_has_its_exit_status() {
    let folder = Folder::new("statuses");
    for (arguments, status) in [
        (format!("match ENGINE ENGINE --games 2 {SHORT}"), 0),
        (format!("match ENGINE nowhere --games 2 {SHORT}"), 1),
        (format!("match ENGINE --engine cmd=ENGINE,rating=nan --games 2 {SHORT}"), 2),
        (format!("match ENGINE ENGINE --games 2 {SHORT} --json nowhere/x.json"), 1),
        ("sprt --counts 4,1,2,0,0 --elo1 300".to_owned(), 2),
        ("match ENGINE ENGINE --games 0".to_owned(), 2),
        ("sprt ENGINE ENGINE --games 4 --tc 9+9 --max-moves 3 --concurrency 1".to_owned(), 4),
        (format!("sprt ENGINE ENGINE --games 4 {SHORT}"), 6),
        (format!("sprt ENGINE ENGINE --games 4 {SHORT} --option-first Hash=9"), 6),
        (format!("match ENGINE --engine cmd=ENGINE,arg=illegal --games 2 {SHORT}"), 5),
        (format!("sprt ENGINE --engine cmd=ENGINE,arg=illegal --games 2 {SHORT}"), 5),
        ("sprt --counts 0,0,4,1,5 --elo1 100 --alpha 0.1 --beta 0.1".to_owned(), 0),
        ("sprt --counts 223,9863,21279,10037,246 --elo0 .5 --elo1 2.5 --model logistic".into(), 3),
        ("sprt --counts 36433,68692,36027 --elo0 0 --elo1 2".into(), 4),
        ("sprt --counts 1,2".into(), 2),
        ("sprt ENGINE ENGINE ENGINE --games 2".into(), 2),
        ("sprt --counts 1,2,3 --elo1 inf".into(), 2),
        ("sprt --counts 1,2,3 --elo0=-inf".into(), 2),
        ("sprt --counts 1,2,3 --elo1 nan".into(), 2),
        ("sprt --counts 1,2,3 --elo0 10".into(), 2),
        ("sprt --counts 1,2,3 --alpha nan".into(), 2),
        ("match ENGINE ENGINE --nodes 5 --depth 3".into(), 2),
        ("match ENGINE ENGINE --tc 1+".into(), 2),
        ("match ENGINE ENGINE --tc 0+0".into(), 2),
        ("match ENGINE ENGINE --tc 9999999999999999999".into(), 2),
        ("match ENGINE ENGINE --tc 1+31536001".into(), 2),
        ("match ENGINE ENGINE --movetime 31536000001".into(), 2),
        ("match ENGINE ENGINE --max-moves 2147483648".into(), 2),
        ("match ENGINE ENGINE --startup-timeout 18446744073709551615".into(), 2),
        ("match ENGINE ENGINE --ready-timeout 86401".into(), 2),
        ("match ENGINE ENGINE --search-timeout 86401".into(), 2),
        ("match ENGINE ENGINE --nodes 0".into(), 2),
        ("match ENGINE ENGINE --depth 0".into(), 2),
        ("match ENGINE ENGINE --movetime 0".into(), 2),
        ("match ENGINE ENGINE --rounds 0".into(), 2),
        ("match ENGINE ENGINE --plies 0".into(), 2),
        ("match ENGINE ENGINE --concurrency 0".into(), 2),
        ("match ENGINE ENGINE --option Hash".into(), 2),
        ("match ENGINE ENGINE --option Hash=9999 --games 2".into(), 1),
        ("match ENGINE --engine cmd=ENGINE,arg=slow-start --startup-timeout 0".into(), 1),
        (format!("match ENGINE ENGINE --option-first Hash=9 --games 2 {SHORT}"), 0),
    ] {
        let (found, text) = folder.status(&arguments);
        assert_eq!(found, status, "{arguments}: {text}");
    }
    let help = folder.status("--help").1;
    for line in [
        "0  all games",
        "3  sprt: elo0",
        "4  sprt: undecided",
        "5  a game",
        "6  sprt",
        "130  inter",
    ] {
        assert!(help.contains(line), "{help}");
    }
}

#[test]
fn counts_give_the_published_ratio() {
    let folder = Folder::new("counts");
    let text = folder.status("sprt --counts 365,16618,36229,16974,390 --elo1 2").1;
    assert!(text.contains("LLR: 2.2504 (-2.94, 2.94)") && text.contains("undecided"), "{text}");
    let text = folder.status("sprt --counts 36433,68692,36027 --elo0 0 --elo1 2").1;
    assert!(text.contains("LLR: 0.9233"), "{text}");
}

#[test]
fn the_result_is_added_as_json() {
    let folder = Folder::new("json");
    let line = format!("sprt ENGINE ENGINE --games 4 {SHORT} --json result.json");
    folder.run(&line);
    folder.run(&line);
    let text = folder.read("result.json");
    let results: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(results.len(), 2, "each run adds a line: {text}");
    assert_eq!(results[0], results[1]);
    let result = &results[0];
    assert_eq!(result["version"], 1);
    assert_eq!((&result["outcome"], &result["exit_status"]), (&"unchanged".into(), &6.into()));
    assert_eq!((&result["games"], &result["faults"]), (&4.into(), &0.into()));
    assert_eq!(result["pairings"][0]["score"]["pairs"], serde_json::json!([0, 0, 2, 0, 0]));
    assert_eq!(result["pairings"][0]["strength"]["elo"]["value"], 0.0);
    assert_eq!(result["pairings"][0]["sprt"]["settings"]["elo1"], 10.0);
    assert_eq!(result["engines"][0]["points"], 2.0);

    let (status, text) = folder.status(&format!("match ENGINE ENGINE --games 2 {SHORT} --json -"));
    let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!((status, &last["outcome"]), (0, &"complete".into()));
    let faulty = format!("match ENGINE --engine cmd=ENGINE,arg=crash --games 2 {SHORT} --json -");
    let (status, text) = folder.status(&faulty);
    let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!((status, &last["faults"]), (5, &2.into()));
    let crashes = serde_json::json!({"games": 2, "lost_by_first": 0, "lost_by_second": 2});
    assert_eq!(last["pairings"][0]["score"]["endings"]["crash"], crashes);
}

#[test]
fn outputs_are_added_to_files_and_never_replace_them() {
    let folder = Folder::new("outputs");
    let letter = "Dear Sir,";
    for name in ["a.json", "a.epd", "a.log", "book.epd"] {
        fs::write(folder.0.join(name), letter).unwrap();
    }
    fs::write(folder.0.join("book.epd"), "4k3/8/8/8/8/8/4P3/4K3 w - -\n").unwrap();
    let files = "--json a.json --epdout a.epd --log a.log --openings book.epd";
    let line = format!("match ENGINE ENGINE --games 2 {SHORT} {files}");
    let (status, text) = folder.status(&line);
    assert_eq!(status, 0, "{text}");
    for name in ["a.json", "a.epd", "a.log"] {
        assert!(folder.read(name).starts_with("Dear Sir,\n"), "{name}");
    }
    assert_eq!(folder.read("a.epd").lines().count(), 3, "{}", folder.read("a.epd"));
    let log = folder.read("a.log");
    assert!(log.contains(" <- go depth 1") && log.contains(" -> bestmove "), "{log}");
    let games = text.lines().filter(|line| line.starts_with("game 1.")).count();
    assert_eq!(games, 2, "{text}");

    for files in [
        "--json book.epd",
        "--epdout book.epd",
        "--log book.epd",
        "--json m.json --state m.json",
        "--epdout m.pgn --pgn m.pgn",
        "--json b.log --log b.log",
        "--log .",
        "e.toml --json e.toml",
    ] {
        let engine = scripted("engine", &[]).command;
        let table = format!("[[engine]]\ncmd = '{}'\n", engine.display());
        fs::write(folder.0.join("e.toml"), table).unwrap();
        let line = format!("match ENGINE ENGINE --games 2 {SHORT} --openings book.epd {files}");
        let (status, text) = folder.status(&line);
        assert_eq!(status, 1, "{files}: {text}");
        assert_eq!(folder.read("book.epd").lines().count(), 1);
        assert!(!folder.0.join("m.json").exists() && !folder.0.join("b.log").exists(), "{files}");
    }
}

#[test]
fn engines_may_have_settings_of_their_own() {
    let folder = Folder::new("engines");
    fs::create_dir(folder.0.join("work")).unwrap();
    let toml = "[[engine]]\nname = 'third'\ncommand = 'ENGINE'\ndir = 'work'\ndepth = 2\n\
                options = { Hash = 32 }\nlog = 'third.log'\n";
    let engine = scripted("engine", &[]).command;
    fs::write(folder.0.join("e.toml"), toml.replace("ENGINE", engine.to_str().unwrap())).unwrap();
    let engines =
        "--engine name=a,cmd=ENGINE,nodes=5,env.X=1 --engine cmd=ENGINE,depth=3,option.Hash=8";
    let (status, text) = folder.status(&format!(
        "tournament {engines} e.toml --rounds 2 {SHORT} --json - --report-every 6"
    ));
    assert_eq!(status, 0, "{text}");
    let result: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    let names: Vec<_> = (0..3).map(|index| &result["engines"][index]["name"]).collect();
    assert_eq!(names, ["third", "a", "scripted_engine"]);
    assert_eq!(result["engines"][1]["limits"], "5 nodes");
    assert_eq!((&result["games"], result["pairings"].as_array().unwrap().len()), (&12.into(), 3));
    assert_eq!(text.matches("+/-").count(), 3, "two reports and the last: {text}");
    let log = folder.read("third.log");
    assert!(
        log.contains("setoption name Hash value 32") && log.contains(" <- go depth 2"),
        "{log}"
    );
    // The same program three times: told apart by what is given.
    let twins =
        "--engine cmd=ENGINE,depth=1 --engine cmd=ENGINE,depth=2 --engine cmd=ENGINE,depth=3";
    let (_, text) = folder.status(&format!("match {twins} --rounds 1 {SHORT} --json -"));
    let result: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!(result["engines"][2]["name"], "scripted_engine (depth 3)");
}

#[test]
fn an_engine_may_think_on_its_opponents_time() {
    let folder = Folder::new("ponder");
    for (fault, word) in [("ponder", "<- ponderhit"), ("ponder-miss", "<- stop")] {
        let engine = format!("name=p,cmd=ENGINE,arg={fault},ponder=true,log={fault}.log");
        let line = "--tc 20+1 --games 2 --max-moves 5 --concurrency 1";
        let (status, text) = folder.status(&format!("match ENGINE --engine {engine} {line}"));
        assert_eq!(status, 0, "{text}");
        let log = folder.read(&format!("{fault}.log"));
        assert!(log.contains("setoption name Ponder value true"), "{log}");
        assert!(log.contains(" binc 1000 ponder\n") && log.matches(word).count() >= 4, "{log}");
        assert!(!text.contains("StrayBestMove"), "{text}");
    }
}

#[test]
fn equal_names_are_told_apart_by_what_is_given() {
    let folder = Folder::new("names");
    for name in ["new", "old"] {
        fs::create_dir_all(folder.0.join(name).join("bin")).unwrap();
        let engine = scripted("engine", &[]).command;
        fs::copy(&engine, folder.0.join(name).join("bin/koel")).unwrap();
    }
    for (engines, first, second) in [
        ("./new/bin/koel ./old/bin/koel", "koel (new)", "koel (old)"),
        ("./new/bin/koel --engine cmd=./new/bin/koel,arg=noise", "koel", "koel (noise)"),
        ("./new/bin/koel --engine cmd=./new/bin/koel,option.Hash=8", "koel", "koel (Hash=8)"),
        ("./new/bin/koel --engine cmd=./new/bin/koel,nodes=5", "koel (depth 1)", "koel (5 nodes)"),
        ("./new/bin/koel ./new/bin/koel", "koel (1)", "koel (2)"),
        ("./new/bin/koel --engine name=x,y,cmd=./old/bin/koel", "koel", "x,y"),
    ] {
        let (_, text) = folder.status(&format!("match {engines} --games 2 {SHORT} --json -"));
        let result: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        let names = [0, 1].map(|index| &result["engines"][index]["name"]);
        assert_eq!(names, [first, second], "{engines}");
    }
    for engine in ["name=a", "cmd=a,nodes=0", "cmd=a,elo=3", "a", "cmd=a,nodes=1,depth=2"] {
        assert_eq!(folder.status(&format!("match --engine {engine}")).0, 2, "{engine}");
    }
}

#[test]
fn openings_come_in_the_order_that_is_asked_for_and_name_themselves() {
    let folder = Folder::new("order");
    let book = |move_text: &str, eco: &str| {
        format!("[ECO \"{eco}\"]\n[Opening \"Opening {eco}\"]\n\n1. {move_text} *\n\n")
    };
    let games = [("e4 e5", "C20"), ("d4 d5", "D00"), ("c4 c5", "A30")];
    let text: String = games.iter().map(|(moves, eco)| book(moves, eco)).collect();
    fs::write(folder.0.join("book.pgn"), text).unwrap();
    let order = "--openings book.pgn --order sequential --start 2 --games 6 --pgn a.pgn --state a";
    let (status, text) =
        folder.status(&format!("match ENGINE ENGINE {order} {SHORT} --pgn-details"));
    assert_eq!(status, 0, "{text}");
    let pgn = folder.read("a.pgn");
    let codes: Vec<_> = pgn.lines().filter_map(|line| line.strip_prefix("[ECO ")).collect();
    assert_eq!(codes, ["D00", "D00", "A30", "A30", "C20", "C20"].map(|eco| format!("\"{eco}\"]")));
    for tag in ["Opening \"Opening D00\"", "GameStartTime \"", "GameEndTime \"", "GameDuration \"0"]
    {
        assert_eq!(pgn.matches(&format!("[{tag}")).count() % 2, 0, "{pgn}");
        assert!(pgn.contains(&format!("[{tag}")), "{pgn}");
    }
    let words = pgn.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("s, n=20, nps=") && words.contains("pv=\"a3\""), "{pgn}");
}
