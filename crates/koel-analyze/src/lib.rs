#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod accuracy;
mod assessment;
mod chart;
mod earlier_analysis;
mod engine;
mod error;
mod input;
mod jobs;
mod output;
mod output_file;
mod page;
mod progress;
mod run;
mod source;
mod suggestion;
mod suite;
mod summary;

pub use engine::{AnalysedLine, AnalysisEngine, Moment, PositionAnalysis};
pub use error::{AnalyzeError, EngineFailure};
pub use output::Format;
pub use run::FileAnalysis;
