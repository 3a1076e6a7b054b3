#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod adjudication;
mod appended_file;
mod cancel_token;
#[cfg(feature = "cli")]
pub mod cli;
mod engine;
mod error;
mod game;
mod match_config;
mod match_journal;
mod match_runner;
mod match_score;
mod move_limits;
mod one_core;
mod opening;
mod pgn;
mod pgn_file;
mod pv_checks;
mod record;
mod referee;
pub mod statistics;
mod tablebase;

pub use koel_uci;
pub use shakmaty;

pub use adjudication::{Adjudication, DrawRule, ResignRule};
pub use cancel_token::CancelToken;
pub use engine::{
    CheckResult, EngineFault, EngineProcess, EngineSpec, SearchReply, StartError, Timeouts,
    check_engine,
};
pub use error::{JournalError, MatchError};
pub use match_config::{Conclusion, Match, MatchEngine};
pub use match_journal::{MatchJournal, MatchState, discard, read_state};
pub use match_runner::{FinishedGame, MatchEvent, MatchObserver};
pub use match_score::{EndingCount, MatchScore};
pub use move_limits::{MoveLimits, Period, TimeControl, TimeControlError};
pub use one_core::stay_on_one_core;
pub use opening::{
    DEFAULT_OPENINGS, Opening, OpeningError, opening_order, parse_epd, parse_pgn, read_openings,
};
pub use pgn_file::PgnFile;
pub use record::{Ending, GameId, GameOutcome, GameRecord, PgnPlace, Warning, Warnings};
pub use tablebase::{TablebaseAdjudicator, TablebaseError, TablebaseResults};
