//! What a session says when it cannot obey.

use std::io;

use koel_board::{FenError, ParseMoveError};
use koel_uci::{OptionError, Reply};
use thiserror::Error;

use crate::available_memory::HashMemoryError;
use crate::errand::MAX_PERFT_DEPTH;
use crate::eval_file::EvalFileError;
use crate::genfens::GenfensError;
use crate::hash_file::HashFileError;
use crate::syzygy::SyzygyError;

/// Why a command is not obeyed.
#[derive(Debug, Error)]
pub(crate) enum Complaint {
    #[error("position: {0}")]
    Fen(#[from] FenError),
    #[error("position: move {number}: {error}")]
    Move { number: usize, error: ParseMoveError },
    #[error("{0}: not while a search is under way; say `stop` first")]
    Busy(String),
    #[error("wait: only `stop` ends this search")]
    Endless,
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error("option Hash: {0}; the old table is kept")]
    Hash(#[from] HashMemoryError),
    #[error(transparent)]
    HashFile(#[from] HashFileError),
    #[error(transparent)]
    EvalFile(#[from] EvalFileError),
    #[error("option Debug Log File: {0}; the old one is kept")]
    DebugLog(io::Error),
    #[error("option SyzygyPath: {0}; the old tables are kept")]
    Syzygy(#[from] SyzygyError),
    #[error(transparent)]
    Genfens(#[from] GenfensError),
    #[error("option Threads: there are {running}, the system gives no more: {error}")]
    Threads { running: usize, error: io::Error },
    #[error("there is no thread for it: {0}")]
    Errand(io::Error),
    #[error("go: perft needs at most {MAX_PERFT_DEPTH} plies")]
    PerftDepth,
    #[error("bench: needs a whole number of plies, found `{0}`")]
    BenchDepth(String),
    #[error("unknown command `{0}`; `help` lists those there are")]
    Unknown(String),
    /// Nobody is left to complain to: the session ends.
    #[error(transparent)]
    Output(#[from] io::Error),
}

impl Complaint {
    /// What to tell the user.
    pub(crate) fn reply(self) -> io::Result<Reply> {
        match self {
            Complaint::Output(error) => Err(error),
            complaint => Ok(Reply::error(complaint)),
        }
    }
}

/// The beginning of a text from outside, so that no complaint floods a log.
pub(crate) fn shortened(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        None => text.to_owned(),
        Some((cut, _)) => format!("{}…", &text[..cut]),
    }
}
