//! Calls of external runners, with a stand-in that records its arguments and writes a result as
//! fastchess does. None of the real runners can be installed from a registry.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may fail by a panic")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const STAND_IN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/runners/stand_in.sh");

/// Returns an empty folder with two engines and an opening.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let opening = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n";
    fs::write(folder.join("book.epd"), opening).unwrap();
    for engine in ["dev", "base"] {
        fs::write(folder.join(engine), engine).unwrap();
    }
    folder
}

/// Runs a command with the stand-in as its runner. Returns its output and the arguments of the
/// stand-in. `@` stands for the folder.
fn run(folder: &Path, variable: &str, command: &str) -> (String, Vec<String>) {
    let place = folder.display().to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_koel-arena"))
        .args(command.split_whitespace().map(|word| word.replace('@', &place)))
        .env(variable, STAND_IN)
        .env("KOEL_STAND_IN_ARGUMENTS", folder.join("arguments"))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let arguments = fs::read_to_string(folder.join("arguments")).unwrap();
    (text, arguments.lines().map(|word| word.replace(&place, "@")).collect())
}

const MATCH_ARGS: &str = "--tc 8+0.08 --games 40 --seed 7 --concurrency 2 --resign 400 \
     --openings @/book.epd --state @/state.json --pgn @/games.pgn";

#[test]
fn fastchess_gets_its_arguments_and_its_score_is_read() {
    let folder = folder("fastchess");
    let command = format!("sprt @/dev @/base --elo1 5 --runner fastchess {MATCH_ARGS}");
    let (text, words) = run(&folder, "FASTCHESS", &command);
    let expected = "-engine cmd=@/dev name=dev -engine cmd=@/base name=base \
        -each tc=8+0.08 option.Hash=16 option.Threads=1 \
        -openings file=@/book.epd format=epd order=random -srand 7 -rounds 20 -games 2 -repeat \
        -concurrency 2 -recover -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized \
        -resign movecount=3 score=400 -draw movenumber=40 movecount=8 score=10 -maxmoves 300 \
        -pgnout file=@/games.pgn -config outname=@/state.json";
    assert_eq!(words, expected.split_whitespace().collect::<Vec<_>>());
    // The score written by the stand-in, with the statistics of this crate.
    for line in [
        "Elo: 214.85 +/- 167.75, nElo: 286.46 +/- 152.27",
        "Games: 20, Wins: 15, Losses: 4, Draws: 1, Points: 15.5 (77.50 %)",
        "Ptnml(0-2): [0, 0, 4, 1, 5]",
    ] {
        assert!(text.contains(line), "{text}");
    }
}

#[test]
fn limits_and_options_of_one_engine_are_passed_for_it_alone() {
    let folder = folder("fastchess-nodes");
    let command = "match @/dev @/base --runner fastchess --nodes 1000 --nodes-second 3000 \
        --option-first Contempt=3 --no-adjudication --games 2 --concurrency 1 \
        --openings @/book.epd --state @/state.json --pgn @/games.pgn";
    let (_, words) = run(&folder, "FASTCHESS", command);
    let expected = "-engine cmd=@/dev name=dev nodes=1000 tc=inf option.Contempt=3 \
        -engine cmd=@/base name=base nodes=3000 tc=inf -each option.Hash=16 option.Threads=1 \
        -openings file=@/book.epd format=epd order=random -srand 1 -rounds 1 -games 2 -repeat \
        -concurrency 1 -recover -pgnout file=@/games.pgn -config outname=@/state.json";
    assert_eq!(words, expected.split_whitespace().collect::<Vec<_>>());
}

#[test]
fn cutechess_gets_its_arguments() {
    let folder = folder("cutechess");
    let command = format!("sprt @/dev @/base --elo1 5 --runner cutechess {MATCH_ARGS}");
    let (text, words) = run(&folder, "CUTECHESS", &command);
    let expected = "-engine cmd=@/dev name=dev -engine cmd=@/base name=base \
        -each proto=uci tc=8+0.08 option.Hash=16 option.Threads=1 \
        -openings file=@/book.epd format=epd order=random -srand 7 -rounds 20 -games 2 -repeat \
        -concurrency 2 -recover -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 \
        -resign movecount=3 score=400 -draw movenumber=40 movecount=8 score=10 -maxmoves 300 \
        -pgnout @/games.pgn";
    assert_eq!(words, expected.split_whitespace().collect::<Vec<_>>());
    assert!(text.contains("not comparable"), "{text}");
}
