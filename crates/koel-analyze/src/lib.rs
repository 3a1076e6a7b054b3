#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod assessment;
mod chart;
mod earlier_analysis;
mod engine;
mod error;
mod input;
mod jobs;
mod output;
mod output_file;
mod progress;
mod run;
mod summary;

pub use engine::{AnalysisEngine, PositionAnalysis};
pub use error::{AnalyzeError, EngineFailure};
pub use output::Format;
pub use run::FileAnalysis;
