#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod command;
mod error;
mod go;
mod info;
mod move_text;
mod number;
mod options;
mod position;
mod print;
mod reply;
mod score;
mod tokens;

pub use command::{Command, SetOption};
pub use error::ParseError;
pub use go::{Go, SearchEnd};
pub use info::Info;
pub use move_text::MoveText;
pub use number::Milliseconds;
pub use options::{OptionDeclaration, OptionKind, OptionValue, Options};
pub use position::{PositionSetup, StartPosition};
pub use reply::Reply;
pub use score::{Bound, Score, ScoreReport, Wdl};
