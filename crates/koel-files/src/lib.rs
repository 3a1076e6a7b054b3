#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "opens files for the others"
)]
#![forbid(unsafe_code)]

mod atomic_file;
mod output_path;
mod standard_output;

use std::fs::{self, File, FileType};
use std::io::{self, ErrorKind, Read};
use std::ops::RangeInclusive;
use std::path::Path;

use thiserror::Error;

pub use atomic_file::{AtomicFile, replace};
pub use output_path::{
    FileIdentity, is_descriptor, is_same_file, open_input_stream, open_stream, resolve,
    unnamed_copy,
};
#[doc(hidden)]
pub use standard_output::print_arguments;

/// Every size, for files that are read piece by piece.
pub const ANY_SIZE: RangeInclusive<u64> = 0..=u64::MAX;

/// The sizes of data that are read into memory as a whole: up to 1 GiB.
pub const IN_MEMORY: RangeInclusive<u64> = 0..=1 << 30;

/// The sizes of files of settings: up to 1 MiB.
pub const SETTINGS: RangeInclusive<u64> = 0..=1 << 20;

/// The reason why a file is not read although it exists. It is inside the [`io::Error`], whose kind
/// is [`ErrorKind::InvalidInput`].
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum UnsuitableFile {
    /// It is something else, which is named.
    #[error("expected a regular file, found {0}")]
    Kind(&'static str),
    /// Its size is not one of those expected.
    #[error("expected a file of {}, found {found} bytes", describe(.expected))]
    Size {
        /// The size of the file in bytes.
        found: u64,
        /// The expected sizes in bytes.
        expected: RangeInclusive<u64>,
    },
}

/// Opens a file for reading if it is a regular file with one of these sizes in bytes.
///
/// # Errors
/// The file is [unsuitable](UnsuitableFile), or the operating system cannot open it.
pub fn open(path: &Path, sizes: RangeInclusive<u64>) -> io::Result<File> {
    // Before it is opened, as opening a pipe may block.
    check_metadata(&fs::metadata(path)?, &sizes)?;
    let file = File::open(path)?;
    check_metadata(&file.metadata()?, &sizes)?;
    Ok(file)
}

/// Checks that a path leads to a regular file, or to nothing yet.
///
/// # Errors
/// It leads to something else, or the operating system cannot tell.
pub fn check_kind(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(metadata) => check_metadata(&metadata, &ANY_SIZE).map(drop),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// Reads a regular file with one of these sizes in bytes.
///
/// # Errors
/// As [`open`], or the file cannot be read.
pub fn read(path: &Path, sizes: RangeInclusive<u64>) -> io::Result<Vec<u8>> {
    let file = open(path, sizes.clone())?;
    let size = check_metadata(&file.metadata()?, &sizes)?;
    let mut bytes = Vec::new();
    // A file may be shorter than it was a moment ago, or longer.
    file.take(size).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a regular file with one of these sizes in bytes, as text in UTF-8.
///
/// # Errors
/// As [`read`]; text in another encoding is an error of kind [`ErrorKind::InvalidData`].
pub fn read_to_string(path: &Path, sizes: RangeInclusive<u64>) -> io::Result<String> {
    let text = String::from_utf8(read(path, sizes)?);
    text.map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
}

fn check_metadata(metadata: &fs::Metadata, sizes: &RangeInclusive<u64>) -> io::Result<u64> {
    let found = metadata.len();
    if !metadata.is_file() {
        Err(unsuitable(UnsuitableFile::Kind(name_of(metadata.file_type()))))
    } else if !sizes.contains(&found) {
        Err(unsuitable(UnsuitableFile::Size { found, expected: sizes.clone() }))
    } else {
        Ok(found)
    }
}

fn unsuitable(reason: UnsuitableFile) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, reason)
}

#[cfg(unix)]
fn name_of(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if kind.is_dir() {
        "a folder"
    } else if kind.is_fifo() {
        "a pipe"
    } else if kind.is_char_device() || kind.is_block_device() {
        "a device"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "another kind of file"
    }
}

#[cfg(not(unix))]
fn name_of(kind: FileType) -> &'static str {
    if kind.is_dir() { "a folder" } else { "another kind of file" }
}

fn describe(sizes: &RangeInclusive<u64>) -> String {
    match (*sizes.start(), *sizes.end()) {
        (least, most) if least == most => format!("{least} bytes"),
        (0, most) => format!("at most {most} bytes"),
        (least, u64::MAX) => format!("at least {least} bytes"),
        (least, most) => format!("{least} to {most} bytes"),
    }
}

#[cfg(test)]
mod tests;
