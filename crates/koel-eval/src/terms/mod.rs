//! The terms, one file for each idea. A term looks at one side and only counts.

pub(crate) mod king;
pub(crate) mod passed;
pub(crate) mod pawns;
pub(crate) mod pieces;
pub(crate) mod shelter;
pub(crate) mod space;
pub(crate) mod threats;
