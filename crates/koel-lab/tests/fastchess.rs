//! Matches that fastchess plays: its command line, and its results, with a stand-in that records
//! its arguments and writes what fastchess writes; and the program itself where it is installed.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may fail by a panic")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use koel_arena::cli::find_program;

/// An engine that only declares options.
const ENGINE: &str = "#!/bin/sh\nwhile read -r line; do case \"$line\" in\n\
    uci) echo 'option name Hash type spin default 16 min 1 max 64'\n\
    echo 'option name Threads type spin default 1 min 1 max 8'\n\
    echo 'option name Move Overhead type spin default 10 min 0 max 99'\n\
    echo 'option name UCI_Chess960 type check default false'\n\
    echo 'option name Ponder type check default false'; echo uciok;;\n\
    isready) echo readyok;;\nquit) exit;;\nesac; done\n";

/// A stand-in for fastchess: it records its arguments, one a line, and copies a result.
const STAND_IN: &str = "#!/bin/sh\nprintf '%s\\n' \"$@\" >arguments\n\
    for word; do case $word in outname=*) cp result.json \"${word#outname=}\";; esac; done\n\
    exit \"${STATUS:-0}\"\n";

/// A folder with two engines, openings and the stand-in.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fastchess").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let folder = Folder(folder);
        folder.write("book.pgn", "[Event \"?\"]\n\n1. e4 e5 *\n\n[Event \"?\"]\n\n1. d4 d5 *\n");
        for (name, script) in [("dev", ENGINE), ("base", ENGINE), ("stand-in", STAND_IN)] {
            folder.write(name, script);
            let rights = PermissionsExt::from_mode(0o755);
            fs::set_permissions(folder.0.join(name), rights).unwrap();
        }
        folder
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }

    /// The result of a match: losses, draws, wins, and the pairs by points, WL apart from DD.
    fn result(&self, names: &str, [losses, draws, wins]: [u32; 3], pairs: [u32; 6]) {
        let [ll, ld, wl, dd, wd, ww] = pairs;
        let text = format!(
            r#"{{"stats": {{"{names}": {{"wins": {wins}, "losses": {losses}, "draws": {draws},
            "penta_WW": {ww}, "penta_WD": {wd}, "penta_WL": {wl}, "penta_DD": {dd},
            "penta_LD": {ld}, "penta_LL": {ll}}}}}}}"#
        );
        self.write("result.json", &text);
    }

    /// Runs koel-lab in this folder. Returns its exit status and its output.
    fn run(&self, words: &str, environment: &[(&str, &str)]) -> (i32, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_koel-lab"))
            .args(words.split_whitespace())
            .args(["--runner", "fastchess", "--state", "m.json"])
            .current_dir(&self.0)
            .env("FASTCHESS", "./stand-in")
            .envs(environment.iter().copied())
            .output()
            .unwrap();
        let text = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        (output.status.code().unwrap(), text.concat())
    }

    /// The command line that is printed. The names of its files have no hash.
    fn line(&self, words: &str) -> String {
        let (status, text) = self.run(&format!("{words} --dry-run"), &[]);
        assert_eq!(status, 0, "{text}");
        let hash = text.split("m.fastchess-").nth(1).unwrap().split('.').next().unwrap();
        text.trim_end().replace(hash, "HASH")
    }

    fn book(&self) -> String {
        let files = fs::read_dir(&self.0).unwrap().map(|file| file.unwrap().path());
        let mut books = files.filter(|path| path.extension().is_some_and(|end| end == "epd"));
        fs::read_to_string(books.next().unwrap()).unwrap()
    }
}

const FILES: &str = "-openings file=m.fastchess-HASH.epd format=epd order=sequential \
     -config outname=m.fastchess-HASH.json";

fn assert_line(found: &str, expected: &[&str]) {
    let expected = expected.join(" ");
    assert_eq!(found.split(' ').collect::<Vec<_>>(), expected.split(' ').collect::<Vec<_>>());
}

#[test]
fn a_test_has_its_command_line() {
    let folder = Folder::new("sprt");
    let line = folder.line(
        "sprt ./base --engine ./dev --tc 8+0.08 --games 6 --concurrency 1 --resign 400 --elo1 5 \
         --model logistic --openings book.pgn --order sequential --start 2 --plies 2",
    );
    assert_line(
        &line,
        &[
            "./stand-in -engine cmd=./dev name=dev tc=8+0.08",
            "option.Hash=16 option.Threads=1 option.Ponder=false 'option.Move Overhead=5'",
            "-engine cmd=./base name=base tc=8+0.08",
            "option.Hash=16 option.Threads=1 option.Ponder=false 'option.Move Overhead=5'",
            "-each timemargin=10 -rounds 3 -games 2 -repeat -recover -concurrency 1",
            "-sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 model=logistic",
            "-resign movecount=3 score=400 twosided=true",
            "-draw movenumber=40 movecount=8 score=10 -maxmoves 300",
            "-event 'dev vs base' -pgnout file=m.pgn",
            FILES,
        ],
    );
    let [e4, d4] = ["pppp1ppp/8/4p3/4P3/8/PPPP1PPP", "ppp1pppp/8/3p4/3P4/8/PPP1PPPP"]
        .map(|rows| format!("rnbqkbnr/{rows}/RNBQKBNR w KQkq - 0 2\n"));
    assert_eq!(folder.book(), [&*d4, &*e4, &*d4].concat(), "from the second opening on");
}

#[test]
fn each_engine_has_its_own_settings() {
    let folder = Folder::new("settings");
    folder.write("e.toml", "[[engine]]\ncmd = './dev'\nname = 'a b'\narg = ['-x', 'y']\n");
    let line = folder.line(
        "match e.toml --engine cmd=./base,dir=.,movetime=50,option.Hash=8 --nodes 1000 --games 2 \
         --concurrency 999 --no-adjudication --chess960 --openings book.pgn --pgn g.pgn \
         --pgn-details --epdout e.epd --log l.log --margin 50 --startup-timeout 20 \
         --report-every 7 --event it's",
    );
    let base = std::path::absolute(folder.0.join("base")).unwrap();
    assert_line(
        &line,
        &[
            "./stand-in -engine cmd=./dev 'name=a b' 'args=-x y' nodes=1000",
            "option.Hash=16 option.Threads=1 option.Ponder=false 'option.Move Overhead=5'",
            &format!("-engine cmd={} name=base dir=. st=0.05", base.display()),
            "option.Hash=8 option.Threads=1 option.Ponder=false 'option.Move Overhead=5'",
            "-each timemargin=50",
            "-rounds 1 -games 2 -repeat -recover -concurrency 999 -force-concurrency",
            r"-variant fischerandom -startup-ms 20000 -ratinginterval 7 -event 'it'\''s'",
            "-pgnout file=g.pgn nodes=true nps=true timeleft=true pv=true -epdout file=e.epd",
            "-log file=l.log level=trace engine=true",
            FILES,
        ],
    );
}

#[test]
fn what_fastchess_lacks_is_refused() {
    let folder = Folder::new("refused");
    let engines = "match ./dev ./base --games 2 --openings book.pgn";
    for (words, error) in [
        ("--tc 8+0.08@500", "a clock of nodes"),
        ("--tc 40/60:30+1", "several periods"),
        ("--strict", "--strict"),
        ("--stop-after-current", "--stop-after-current"),
        ("--nodes 5 --search-timeout 9", "--search-timeout"),
        ("--fresh", "--fresh"),
        ("--engine cmd=./dev,name=third", "more than two engines"),
        ("--option Contempt=3", "Contempt"),
    ] {
        let (status, text) = folder.run(&format!("{engines} {words} --dry-run"), &[]);
        assert!(status == 1 && text.contains(error), "{words}: {text}");
    }
    for (engine, error) in
        [("ponder=true", "pondering"), ("env.A=1", "variables"), ("log=x", "log")]
    {
        let words = format!("match ./dev --engine cmd=./base,{engine} --dry-run");
        let (status, text) = folder.run(&words, &[]);
        assert!(status == 1 && text.contains(error), "{words}: {text}");
    }
    let words = format!("{engines} --nodes 5");
    let (status, text) = folder.run(&words, &[("FASTCHESS", "./nowhere")]);
    assert!(status == 1 && text.contains("./nowhere"), "{text}");
    let output = Command::new(env!("CARGO_BIN_EXE_koel-lab"))
        .args("match WRONG WRONG --runner fastchess".split(' '))
        .env_remove("FASTCHESS")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    let is_there = find_program("fastchess").is_some();
    assert!(text.contains(if is_there { "neither" } else { "Disservin/fastchess" }), "{text}");
}

#[test]
fn the_result_gives_verdict_and_exit_status() {
    let folder = Folder::new("results");
    let test = |elo1: u32, games: u32| {
        format!(
            "sprt ./base --engine ./dev --nodes 1000 --elo1 {elo1} --games {games} \
             --concurrency 1 --openings book.pgn --option Threads=2"
        )
    };
    folder.result("dev vs base", [4, 1, 15], [0, 0, 4, 0, 1, 5]);
    let (status, text) = folder.run(&test(100, 20), &[]);
    assert_eq!(status, 4, "{text}");
    for line in [
        "Elo: 214.85 +/- 167.75, nElo: 286.46 +/- 152.27",
        "Games: 20, Wins: 15, Losses: 4, Draws: 1, Points: 15.5 (77.50 %)",
        "Ptnml(0-2): [0, 0, 4, 1, 5]",
        "undecided",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let arguments = || fs::read_to_string(folder.0.join("arguments")).unwrap();
    assert!(arguments().contains("\nname=dev\nnodes=1000\n"), "{}", arguments());

    // It is over: nothing is played again.
    fs::remove_file(folder.0.join("arguments")).unwrap();
    assert_eq!(folder.run(&test(100, 20), &[]).0, 4);
    assert!(!folder.0.join("arguments").exists());

    // Twenty of forty games are an interrupted match, which goes on with its own file.
    let (status, text) = folder.run(&test(100, 40), &[]);
    assert!(status == 130 && text.contains("the same command resumes"), "{text}");
    folder.result("base vs dev", [30, 2, 8], [7, 2, 11, 0, 0, 0]);
    let (status, text) = folder.run(&test(100, 40), &[]);
    assert!(status == 0 && text.contains("Wins: 30, Losses: 8"), "{status}: {text}");
    let words = arguments();
    let words: Vec<_> = words.lines().collect();
    assert!(matches!(words[..], ["-config", a, b] if a.split('=').nth(1) == b.split('=').nth(1)));

    folder.result("dev vs base", [400, 0, 0], [200, 0, 0, 0, 0, 0]);
    let (status, text) = folder.run(&test(9, 400), &[]);
    assert!(status == 3 && text.contains("elo0 is accepted"), "{status}: {text}");
    let (status, text) = folder.run(&test(8, 400), &[("STATUS", "7")]);
    assert!(status == 1 && text.contains("ended with exit status: 7"), "{text}");
    folder.write("result.json", "{}");
    let (status, text) = folder.run(&test(7, 400), &[]);
    assert!(status == 1 && text.contains("no result of fastchess"), "{text}");
}

#[test]
fn the_program_itself_plays_the_match() {
    let (Some(fastchess), Some(engine)) = (find_program("fastchess"), find_program("stockfish"))
    else {
        eprintln!("skipped: fastchess or stockfish is not on the search path");
        return;
    };
    let folder = Folder::new("itself");
    let engine = engine.command.display().to_string();
    let words = format!(
        "match --engine cmd={engine},name=a,nodes=2000 --engine cmd={engine},name=b,nodes=20 \
         --games 4 --concurrency 1 --openings book.pgn"
    );
    let program = fastchess.command.to_str().unwrap().to_owned();
    let (status, text) = folder.run(&words, &[("FASTCHESS", &program)]);
    assert!(status == 0 && text.contains("Games: 4"), "{text}");
    let games = fs::read_to_string(folder.0.join("m.pgn")).unwrap();
    assert_eq!(games.matches("[Result ").count(), 4, "{games}");
}
