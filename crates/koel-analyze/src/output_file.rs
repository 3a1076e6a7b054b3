//! The place to which the analysis is written. An existing file stays whole until the new one is
//! complete.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::error::AnalyzeError;
use koel_files::AtomicFile;

/// An open output.
pub(crate) enum OutputFile {
    /// The standard output.
    Standard,
    /// A file that appears, or replaces an old one, at the end.
    Replacing { file: AtomicFile, path: PathBuf, is_new: bool },
    /// A device or named pipe, which cannot be replaced.
    Stream { file: File, path: PathBuf },
}

/// Returns the path to write to, or `None` for the standard output.
///
/// # Errors
/// If the output is the input without `--in-place`, or is not with it.
pub(crate) fn output_path(
    input: &Path,
    output: Option<&Path>,
    is_in_place: bool,
) -> Result<Option<PathBuf>, AnalyzeError> {
    match (output, is_in_place) {
        (None, false) => Ok(None),
        (None, true) => Ok(Some(input.to_owned())),
        (Some(path), _) => match (is_same_file(path, input), is_in_place) {
            (true, false) => Err(AnalyzeError::SameFile(path.to_owned())),
            (false, true) => Err(AnalyzeError::OtherFile(path.to_owned())),
            _ => Ok(Some(path.to_owned())),
        },
    }
}

/// Returns true if two paths lead to the same existing file.
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    let real = |path| fs::canonicalize(path).ok();
    real(one).is_some_and(|path| real(other) == Some(path))
}

impl OutputFile {
    /// Opens the output.
    pub(crate) fn create(path: Option<&Path>) -> Result<OutputFile, AnalyzeError> {
        let Some(path) = path else { return Ok(OutputFile::Standard) };
        let error = |error| AnalyzeError::File { path: path.to_owned(), error };
        let old = fs::metadata(path).ok();
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            let file = File::options().write(true).open(path).map_err(error)?;
            return Ok(OutputFile::Stream { file, path: path.to_owned() });
        }
        // Where the path is a symbolic link, the file that it leads to is replaced.
        let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let file = AtomicFile::create(&real).map_err(error)?;
        Ok(OutputFile::Replacing { file, path: path.to_owned(), is_new: old.is_none() })
    }

    /// Writes text so that it survives the end of the process.
    pub(crate) fn write(&mut self, text: &str) -> Result<(), AnalyzeError> {
        let write =
            |file: &mut dyn Write| file.write_all(text.as_bytes()).and_then(|()| file.flush());
        match self {
            OutputFile::Standard => write(&mut io::stdout()),
            OutputFile::Replacing { file, .. } => write(file),
            OutputFile::Stream { file, .. } => write(file),
        }
        .map_err(|error| AnalyzeError::File { path: self.name(), error })
    }

    /// Ends a complete output: it replaces the old file.
    pub(crate) fn commit(self) -> Result<(), AnalyzeError> {
        let path = self.name();
        match self {
            OutputFile::Replacing { file, .. } => {
                file.commit().map_err(|error| AnalyzeError::File { path, error })
            }
            _ => Ok(()),
        }
    }

    /// Ends an incomplete output. It does not replace an old file. Returns a message for the user on
    /// where it is.
    pub(crate) fn save(self) -> Result<String, AnalyzeError> {
        let path = self.name();
        let error = |error| AnalyzeError::File { path: path.clone(), error };
        match self {
            OutputFile::Replacing { file, is_new: true, .. } => {
                file.commit().map_err(error)?;
                Ok(format!("what is done is in {}", path.display()))
            }
            OutputFile::Replacing { file, .. } => {
                let part = file.keep_part().map_err(error)?;
                Ok(format!(
                    "{} is unchanged, what is done is in {}",
                    path.display(),
                    part.display()
                ))
            }
            OutputFile::Standard | OutputFile::Stream { .. } => {
                Ok("what is done is written".to_owned())
            }
        }
    }

    fn name(&self) -> PathBuf {
        match self {
            OutputFile::Standard => "standard output".into(),
            OutputFile::Replacing { path, .. } | OutputFile::Stream { path, .. } => path.clone(),
        }
    }
}
