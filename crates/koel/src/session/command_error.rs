//! The errors of commands.

use std::io;
use std::path::PathBuf;

use koel_board::{FenError, ParseMoveError};
use koel_engine::{HashMemoryError, SyzygyError};
use koel_tt::{LoadError, OutOfMemory};
use koel_uci::{ParseError, Reply};
use thiserror::Error;

use crate::commands::genfens::GenfensError;
use crate::commands::perft::MAX_PERFT_DEPTH;

#[derive(Debug, Error)]
pub(crate) enum CommandError {
    #[error("position: {0}")]
    Fen(#[from] FenError),
    #[error("position: {0}; this is passed over")]
    PassedOver(FenError),
    #[error("position: move {number}: {error}")]
    Move { number: usize, error: ParseMoveError },
    #[error("{0}: not possible during a search; send `stop` first")]
    Busy(String),
    #[error(transparent)]
    Option(#[from] ParseError),
    #[error("option Hash: {0}; the old table is kept")]
    Hash(#[from] HashMemoryError),
    #[error("bench: {0}")]
    BenchMemory(HashMemoryError),
    #[error("hash: expected `save FILE` or `load FILE`")]
    HashSyntax,
    #[error("hash: set the option `Hash File` first")]
    NoHashFile,
    #[error("hash: {}: not saved: {}", .0.display(), .1)]
    HashNotSaved(PathBuf, io::Error),
    #[error("hash: {}: not loaded, the old table is kept: {}", .0.display(), .1)]
    HashNotLoaded(PathBuf, LoadError),
    #[error("hash: {}: not loaded, the old table is kept: {}", .0.display(), .1)]
    NoHashMemory(PathBuf, HashMemoryError),
    #[error("option EvalFile: {0}: {1}; the old evaluation is kept")]
    EvalFile(String, io::Error),
    #[error("option Debug Log File: {0}; the old one is kept")]
    DebugLog(io::Error),
    #[error("option SyzygyPath: {0}; the old tables are kept")]
    Syzygy(#[from] SyzygyError),
    #[error("genfens: {0}")]
    Genfens(#[from] GenfensError),
    #[error("option Threads: {running} threads are running, the system refuses more: {error}")]
    Threads { running: usize, error: io::Error },
    #[error("the system refuses a thread: {0}")]
    BackgroundJob(io::Error),
    #[error("{0}: the last position could not be set up")]
    NoPosition(&'static str),
    #[error("go: perft takes at most {MAX_PERFT_DEPTH} plies")]
    PerftDepth,
    #[error("go: searchmoves: {0}")]
    SearchMove(ParseMoveError),
    #[error("go: no usable limit; {0} nodes are searched")]
    NoLimit(u64),
    #[error("bench: {0}")]
    Bench(OutOfMemory),
    #[error("bench: expected DEPTH, or HASH from 1, THREADS from 1 to 1024 and DEPTH, found `{0}`")]
    BenchSyntax(String),
    #[error(
        "speedtest: expected [THREADS [HASH [SECONDS]]], from 1, at most 1024 threads, found `{0}`"
    )]
    SpeedtestSyntax(String),
    #[error("unknown command `{0}`; `help` lists the commands")]
    Unknown(String),
    /// The output cannot be written: the session ends.
    #[error(transparent)]
    Output(#[from] io::Error),
}

impl CommandError {
    /// Returns the error as a reply to the user; an error of the output itself is passed on.
    pub(crate) fn reply(self) -> io::Result<Reply> {
        match self {
            CommandError::Output(error) => Err(error),
            error => Ok(Reply::error(error)),
        }
    }
}

/// Returns the beginning of a text from outside, so that no error message floods a log.
pub(crate) fn shortened(text: &str) -> String {
    const MAX_CHARS: usize = 60;
    match text.char_indices().nth(MAX_CHARS) {
        None => text.to_owned(),
        Some((cut, _)) => format!("{}…", &text[..cut]),
    }
}
