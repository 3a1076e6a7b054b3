//! Fuzz test: reproducible random lines from a grammar of valid, mangled and hostile input. None
//! may make the real program panic, hang or print an unexpected `bestmove`.
//!
//! `KOEL_FUZZ_LINES=200000 cargo test -p koel --test uci fuzz` sends more lines.

use std::process::Command as Process;

use koel_random::Rng;
use koel_uci::{Command, SetOption};

use crate::go_answers::answers_to_go;
use crate::support::{Engine, SOON};

const VALID: &[&str] = &[
    "uci",
    "isready",
    "ucinewgame",
    "debug on",
    "register later",
    "stop",
    "ponderhit",
    "wait",
    "d",
    "eval",
    "flip",
    "help",
    "compiler",
    "license",
    "bench 1",
    "genfens 3 seed 5 book None",
    "hash save no/where",
    "hash load no/where",
    "position startpos",
    "position startpos moves e2e4 e7e5 g1f3",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 moves b4b1",
    "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "go depth 4",
    "go nodes 2000",
    "go movetime 5",
    "go infinite",
    "go ponder wtime 1000 btime 1000",
    "go wtime 50 btime 50 winc 1 binc 1 movestogo 3",
    "go mate 2",
    "go perft 3",
    "go depth 3 searchmoves e2e4 d2d4",
    "go",
    "setoption name Hash value 2",
    "setoption name Clear Hash",
    "setoption name Threads value 3",
    "setoption name Threads value 1",
    "setoption name Move Overhead value 5",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_ShowWDL value true",
    "setoption name MultiPV value 3",
    "setoption name MultiPV value 1",
    "setoption name nodestime value 50",
    "setoption name nodestime value 0",
    "setoption name Minimal value true",
    "setoption name Minimal value false",
    "setoption name EvalFile value no/where",
    "setoption name EvalFile value plain",
    "setoption name EvalFile value",
    "setoption name Hash File value no/where",
    "setoption name Save Hash",
    "setoption name Load Hash value",
    "setoption name Debug Log File value no/where",
    "setoption name UCI_LimitStrength value true",
    "setoption name UCI_LimitStrength value false",
    "setoption name UCI_Elo value 1400",
    "setoption name Skill Level value 3",
    "setoption name Skill Level value 20",
    "setoption name UCI_Variant value chess",
    "setoption name Contempt value -20",
    "setoption name SyzygyPath value no/where",
    "setoption name SyzygyPath value <empty>",
    "setoption name SyzygyProbeDepth value 3",
    "setoption name SyzygyProbeLimit value 5",
    "setoption name Syzygy50MoveRule value false",
];

const HOSTILE: &[&[u8]] = &[
    b"\xff\xfe\x00\x80",
    b"\xef\xbb\xbfisready",
    b"go depth 99999999999999999999999999",
    b"go wtime -9223372036854775808 btime 9223372036854775807",
    b"go movetime -1 depth -1 nodes -1",
    b"go nodes 0",
    b"go depth 0",
    b"go mate 4294967295 nodes 100",
    b"go perft 4294967295",
    b"go searchmoves searchmoves e2e4 0000 a1a1",
    b"position fen 8/8/8/8/8/8/8/8 w - - 0 1",
    b"position fen kkkkkkkk/8/8/8/8/8/8/KKKKKKKK w KQkq e3 -1 -1",
    b"position fen QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/k1K5/8 w - - 0 1",
    b"position startpos moves e2e4 e2e4 0000 (none)",
    b"position startpos moves",
    b"position fen",
    b"setoption name Hash value 33554432",
    b"setoption name Hash value -1",
    b"setoption name Threads value 0",
    b"setoption name name value value",
    b"setoption value name",
    b"genfens 99999999999 seed 0 book None",
    b"genfens 1 seed 1 book no/where",
    b"\x1b[31m%s%n%x",
];

/// A reproducible generator of lines.
struct LineGenerator(Rng);

impl LineGenerator {
    fn below(&mut self, limit: usize) -> usize {
        self.0.below(limit)
    }

    fn line(&mut self) -> Vec<u8> {
        let valid = VALID[self.below(VALID.len())].as_bytes().to_vec();
        match self.below(8) {
            0..=3 => valid,
            4 => HOSTILE[self.below(HOSTILE.len())].to_vec(),
            5 => [&valid, b" ".as_slice(), VALID[self.below(VALID.len())].as_bytes()].concat(),
            6 => (0..self.below(60)).map(|_| self.below(256) as u8).collect(),
            _ => self.mangled(valid),
        }
    }

    /// Removes, inserts and replaces some bytes.
    fn mangled(&mut self, mut line: Vec<u8>) -> Vec<u8> {
        for _ in 0..=self.below(4) {
            let place = self.below(line.len().max(1));
            match self.below(5) {
                _ if line.is_empty() => line.push(b' '),
                0 => drop(line.remove(place)),
                1 => line.insert(place, line[place]),
                2 => line[place] = self.below(256) as u8,
                3 => line.truncate(place),
                _ => line.insert(place, b' '),
            }
        }
        line
    }
}

/// Returns true if a line must be left out: it would end the session, or exhaust the machine.
fn is_excluded(line: &str) -> bool {
    let is_large =
        |text: &str| text.parse().is_ok_and(|number| (65..=33_000_000).contains(&number));
    match Command::parse(line) {
        Ok(Some(Command::Quit)) => true,
        Ok(Some(Command::SetOption(SetOption { value: Some(value), .. }))) => {
            is_large(value.trim())
        }
        _ => false,
    }
}

/// A batch of lines, printed if the test fails.
struct Batch(Vec<Vec<u8>>);

impl Drop for Batch {
    #[allow(clippy::print_stderr, reason = "shown when the test fails")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.iter().for_each(|line| eprintln!("{}", line.escape_ascii()));
        }
    }
}

#[test]
fn no_line_breaks_the_session() {
    let lines = std::env::var("KOEL_FUZZ_LINES").map_or(10_000, |text| text.parse().unwrap());
    // Some lines write files.
    let folder = tempfile::tempdir().unwrap();
    let mut program = Process::new(env!("CARGO_BIN_EXE_koel"));
    let mut engine = Engine::spawn(program.current_dir(folder.path()));
    let mut random = LineGenerator(Rng::new(1));
    let mut sent = 0;
    while sent < lines {
        let mut batch = Batch(Vec::new());
        for _ in 0..=random.below(16) {
            let mut line = random.line();
            line.retain(|&byte| byte != b'\n');
            if !is_excluded(&String::from_utf8_lossy(&line)) {
                batch.0.push(line);
            }
        }
        let is_go = |line: &&Vec<u8>| {
            matches!(Command::parse(&String::from_utf8_lossy(line)), Ok(Some(Command::Go(_))))
        };
        let searches = batch.0.iter().filter(is_go).count();
        for line in &batch.0 {
            engine.send(line);
        }
        engine.send(format!("stop\nwait\nend{sent}"));
        let end = format!("info string error: unknown command `end{sent}`");
        let replies = engine.receive_until(&end, SOON);
        assert_eq!(answers_to_go(&replies), searches, "{replies:#?}");
        sent += batch.0.len();
    }
    let (rest, status) = engine.end_input();
    assert!(status.success() && rest.is_empty(), "{rest:#?}");
}
