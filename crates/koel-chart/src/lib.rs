#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod intervals;
mod lines;
mod scale;
mod svg;

pub use intervals::{Bar, BarGroup, IntervalChart};
pub use lines::{Line, LineChart};

/// The width of a chart in pixels.
const WIDTH: f64 = 720.0;
