//! Fuzzing of everything that reads text or files of others: lines of UCI, FEN, EPD, PGN, networks,
//! tables, states of matches and games in viriformat.
//!
//! The inputs are mutations of valid ones, and of mutations that were accepted. Each must be
//! accepted or refused with a typed error, without a panic, without a hang and with little memory,
//! and what is accepted must be read back unchanged. The usual run has a fixed number of inputs per
//! format; `KOEL_FUZZ_SECONDS` is the duration per format of a longer one. Inputs that once failed
//! are in `cases`, a folder for each format, and are tried first.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test")]

mod formats;
mod mutator;

use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use mutator::Mutator;

/// The inputs of a usual run.
const INPUTS: u64 = 1_500;

/// The limit for one input, which only ends a hang: a busy machine needs far less.
const HANG: Duration = Duration::from_secs(60);

/// The most memory that an input may need, in bytes, besides some hundred times its length.
const MEMORY: u64 = 16 << 20;

/// The verdict on an input.
pub(crate) enum Verdict {
    /// It was accepted, and what was read from it is read back unchanged.
    Accepted,
    /// It was refused with an error.
    Refused,
}

/// A format with its reader.
pub(crate) struct Format {
    /// Its name, also that of its folder of cases.
    pub(crate) name: &'static str,
    /// Valid inputs.
    pub(crate) seeds: fn() -> Vec<Vec<u8>>,
    /// Words that mutations insert.
    pub(crate) words: &'static [&'static str],
    /// Corrects the checksum of an input, so that the reader goes beyond it.
    pub(crate) repair: fn(&mut Vec<u8>),
    /// Reads an input, and if it is accepted checks that it is read back unchanged.
    pub(crate) read: fn(&[u8]) -> Verdict,
}

/// Runs until the time or the number of inputs is reached; an error names the file of the input.
fn fuzz(format: &'static Format) {
    let current = Arc::new(Mutex::new(Vec::new()));
    let (heartbeat, beats) = mpsc::channel();
    let shared = Arc::clone(&current);
    let worker = thread::spawn(move || run(format, &shared, &heartbeat));
    let failure = loop {
        match beats.recv_timeout(HANG) {
            Ok(()) => {}
            Err(RecvTimeoutError::Timeout) => break Some("hangs"),
            Err(RecvTimeoutError::Disconnected) => {
                break worker.join().err().map(|_| "fails");
            }
        }
    };
    if let Some(failure) = failure {
        let input = current.lock().unwrap_or_else(PoisonError::into_inner);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.case", format.name));
        fs::write(&path, &*input).unwrap();
        panic!("{}: the input {} {failure}", format.name, path.display());
    }
}

fn run(format: &Format, current: &Mutex<Vec<u8>>, heartbeat: &mpsc::Sender<()>) {
    let seconds = env::var("KOEL_FUZZ_SECONDS").ok().map(|seconds| seconds.parse().unwrap());
    let limit = seconds.map(Duration::from_secs);
    let attempt = |input: &[u8]| {
        input.clone_into(&mut current.lock().unwrap());
        let mut verdict = Verdict::Refused;
        let memory = allocation_counter::measure(|| verdict = (format.read)(input));
        let allowed = MEMORY + 200 * input.len() as u64;
        assert!(memory.bytes_max <= allowed, "{} bytes of memory", memory.bytes_max);
        let _ = heartbeat.send(());
        matches!(verdict, Verdict::Accepted)
    };
    let seeds = (format.seeds)();
    assert!(!seeds.is_empty());
    for seed in &seeds {
        assert!(attempt(seed), "{}: a valid input is refused", format.name);
    }
    for case in cases(format.name) {
        attempt(&case);
    }
    // Another seed for every long run, printed so that it can be repeated.
    let seed = limit.map_or(1, |_| u64::from(std::process::id()));
    let mut mutator = Mutator::new(seed, seeds, format.words);
    let started = Instant::now();
    let (mut tried, mut accepted) = (0, 0);
    while limit.map_or(tried < INPUTS, |limit| started.elapsed() < limit) {
        let mut input = mutator.next_input();
        if mutator.flips(2) {
            (format.repair)(&mut input);
        }
        tried += 1;
        if attempt(&input) {
            accepted += 1;
            mutator.keep(input);
        }
    }
    println!("{}: {tried} inputs, {accepted} accepted, seed {seed}", format.name);
    assert!(accepted > 0, "{}: no mutation is accepted", format.name);
}

/// Returns the inputs that once failed.
fn cases(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/cases").join(name);
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

#[test]
fn uci() {
    fuzz(&formats::UCI);
}

#[test]
fn fen() {
    fuzz(&formats::FEN);
}

#[test]
fn epd() {
    fuzz(&formats::EPD);
}

#[test]
fn pgn() {
    fuzz(&formats::PGN);
}

#[test]
fn network() {
    fuzz(&formats::NETWORK);
}

#[test]
fn table() {
    fuzz(&formats::TABLE);
}

#[test]
fn state() {
    fuzz(&formats::STATE);
}

#[test]
fn viriformat() {
    fuzz(&formats::VIRIFORMAT);
}
