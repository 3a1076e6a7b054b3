#![doc = include_str!("../README.md")]

pub mod adjudication;
pub mod call_off;
pub mod contest;
pub mod engine;
pub mod game;
mod hall;
pub mod layout;
pub mod ledger;
pub mod limits;
pub mod opening;
pub mod opening_set;
pub mod pgn;
pub mod pinning;
pub mod record;
pub mod referee;
mod registry;
pub mod soak;
pub mod standing;
pub mod statistics;
pub mod tablebases;
