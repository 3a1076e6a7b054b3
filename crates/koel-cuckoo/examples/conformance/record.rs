//! The data file: one JSON object a line, the first of which describes the file.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::truth::Truth;

/// The first line of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header {
    /// The name of the suite.
    pub(crate) suite: String,
    /// The version of the format.
    pub(crate) version: u32,
    /// The SPDX identifier of the licence of the data.
    pub(crate) licence: String,
    /// The number of records that follow.
    pub(crate) records: usize,
}

impl Header {
    pub(crate) fn new(records: usize) -> Self {
        let suite = "Koel repetition conformance suite".to_owned();
        Self { suite, version: 1, licence: "CC0-1.0".to_owned(), records }
    }
}

/// A line of moves from a position, and the truth about repetitions at its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    /// The kind, a slash and a number: unique in the file.
    pub(crate) id: String,
    /// The first position.
    pub(crate) fen: String,
    /// True if the moves castle in the notation of Chess960, king takes rook.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub(crate) chess960: bool,
    /// The number of moves before the root of the search.
    pub(crate) root: usize,
    /// The moves in UCI notation, with a space between them; `0000` is a null move.
    pub(crate) moves: String,
    /// The truth about the position after the moves.
    #[serde(flatten)]
    pub(crate) truth: Truth,
}

impl Record {
    /// Returns the kind: the part of the id before the slash.
    pub(crate) fn kind(&self) -> &str {
        self.id.split('/').next().unwrap_or_default()
    }
}

/// A line of the file that is not what it should be.
#[derive(Debug)]
pub(crate) struct ReadError {
    /// From 1.
    line: usize,
    message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}: {}", self.line, self.message)
    }
}

impl core::error::Error for ReadError {}

/// Parses a data file.
///
/// # Errors
///
/// If a line is not of the format, or the header states another version or number of records.
pub(crate) fn read(text: &str) -> Result<Vec<Record>, ReadError> {
    let at = |line, message| ReadError { line, message };
    let mut lines = text.lines();
    let header = serde_json::from_str::<Header>(lines.next().unwrap_or_default());
    let header = header.map_err(|error| at(1, format!("no header: {error}")))?;
    let parse = |(index, line)| {
        serde_json::from_str::<Record>(line).map_err(|error| at(index + 2, error.to_string()))
    };
    let records = lines.enumerate().map(parse).collect::<Result<Vec<_>, _>>()?;
    let expected = Header::new(records.len());
    if header != expected {
        return Err(at(1, format!("the header is {header:?}, expected {expected:?}")));
    }
    Ok(records)
}

/// Formats a data file.
pub(crate) fn write(records: &[Record]) -> serde_json::Result<String> {
    let mut text = serde_json::to_string(&Header::new(records.len()))? + "\n";
    for record in records {
        text += &serde_json::to_string(record)?;
        text += "\n";
    }
    Ok(text)
}
