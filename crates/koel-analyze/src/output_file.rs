//! The place to which the analysis is written. An existing file stays whole until the new one is
//! complete.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::error::AnalyzeError;
use crate::input::Input;
use koel_files::{AtomicFile, FileIdentity, is_descriptor, is_same_file};

/// The name of the standard output as a path.
const STANDARD_OUTPUT: &str = "-";

/// An open output.
pub(crate) enum OutputFile {
    /// The standard output.
    Standard,
    /// A file that appears, or replaces an old one, at the end.
    Replacing { file: AtomicFile, path: PathBuf, old: Option<FileState> },
    /// A descriptor, device or named pipe, which cannot be replaced.
    Stream { file: File, path: PathBuf },
}

/// The size of a file and the time of its last change, which tell one content from another.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileState(u64, Option<SystemTime>);

impl FileState {
    /// Returns the state of a file; `None` if there is none.
    fn of(path: &Path) -> Option<FileState> {
        let metadata = fs::metadata(path).ok()?;
        Some(FileState(metadata.len(), metadata.modified().ok()))
    }
}

/// Returns the path to write to, or `None` for the standard output.
///
/// # Errors
/// If the output is an input without `--in-place`, or is not with it, or would be appended to an
/// input while that is read.
pub(crate) fn output_path(
    inputs: &[Input],
    output: Option<&Path>,
    is_in_place: bool,
) -> Result<Option<PathBuf>, AnalyzeError> {
    let in_place = match inputs {
        [input] if is_in_place && input.is_plain_file() => Some(input.path()),
        _ if is_in_place => return Err(AnalyzeError::NotOneFile),
        _ => None,
    };
    let to_standard = output.is_none_or(|path| path == Path::new(STANDARD_OUTPUT));
    let path = match (output, in_place) {
        (None, Some(input)) => input,
        (Some(path), Some(_)) if to_standard => {
            return Err(AnalyzeError::OtherFile(path.to_owned()));
        }
        (Some(path), _) if !to_standard => path,
        _ => return check_standard_output(inputs).map(|()| None),
    };
    for input in inputs.iter().filter(|input| !input.is_stream()) {
        match (is_same_file(path, input.path()), is_in_place) {
            (true, _) if is_descriptor(path) => {
                return Err(AnalyzeError::AppendedToInput(path.to_owned()));
            }
            (true, false) => return Err(AnalyzeError::SameFile(path.to_owned())),
            (false, true) => return Err(AnalyzeError::OtherFile(path.to_owned())),
            _ => {}
        }
    }
    Ok(Some(path.to_owned()))
}

/// Checks that the standard output does not lead to an input.
fn check_standard_output(inputs: &[Input]) -> Result<(), AnalyzeError> {
    let Some(output) = FileIdentity::of_standard_output() else { return Ok(()) };
    let is_input = |input: &Input| {
        !input.is_stream() && FileIdentity::of_path(input.path()).is_ok_and(|own| own == output)
    };
    match inputs.iter().any(is_input) {
        true => Err(AnalyzeError::AppendedToInput("standard output".into())),
        false => Ok(()),
    }
}

impl OutputFile {
    /// Opens the output.
    pub(crate) fn create(path: Option<&Path>) -> Result<OutputFile, AnalyzeError> {
        let Some(path) = path else { return Ok(OutputFile::Standard) };
        let error = AnalyzeError::of_file(path);
        if let Some(file) = koel_files::open_stream(path).map_err(&error)? {
            return Ok(OutputFile::Stream { file, path: path.to_owned() });
        }
        // Where the path is a symbolic link, the file that it leads to is replaced.
        let real = koel_files::resolve(path).map_err(&error)?;
        let old = FileState::of(&real);
        match AtomicFile::create_new(&real) {
            Ok(file) => Ok(OutputFile::Replacing { file, path: real, old }),
            Err(found) if found.kind() == ErrorKind::AlreadyExists => {
                Err(AnalyzeError::PartExists(AtomicFile::part_of(&real)))
            }
            Err(found) => Err(error(found)),
        }
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
        .map_err(AnalyzeError::of_file(&self.name()))
    }

    /// Ends a complete output: it replaces the old file, unless somebody has changed that
    /// meanwhile.
    pub(crate) fn commit(self) -> Result<(), AnalyzeError> {
        let OutputFile::Replacing { file, path, old } = self else { return Ok(()) };
        if FileState::of(&path) == old {
            return file.commit().map_err(AnalyzeError::of_file(&path));
        }
        let part = file.keep_part().map_err(AnalyzeError::of_file(&path))?;
        Err(AnalyzeError::ChangedMeanwhile { path, part })
    }

    /// Ends an incomplete output, which replaces nothing. Returns a message for the user on where
    /// it is.
    pub(crate) fn save(self) -> String {
        let name = self.name();
        let OutputFile::Replacing { file, path, old } = self else {
            return format!("what could be written is in {}", name.display());
        };
        let kept = match old {
            Some(_) => format!("{} is unchanged, ", name.display()),
            None => String::new(),
        };
        let part = AtomicFile::part_of(&path);
        match file.keep_part() {
            Ok(_) => format!("{kept}what is done is in {}", part.display()),
            Err(error) => {
                format!("{kept}what could be written is in {}: {error}", part.display())
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
