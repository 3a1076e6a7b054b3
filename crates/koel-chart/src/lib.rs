#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod classes;
mod drawing;
mod intervals;
mod lines;
mod scale;
mod style;

pub use classes::ClassChart;
pub use drawing::{Drawing, escaped};
pub use intervals::{Bar, BarGroup, IntervalChart};
pub use lines::{Line, LineChart, Marker};
pub use scale::shortened;
pub use style::STYLE;

/// The default width of a chart in pixels.
pub const USUAL_WIDTH: f64 = 720.0;
