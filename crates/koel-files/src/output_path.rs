//! The file, stream or nothing behind a path.

use std::env;
use std::fs::{self, File, FileType};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::{UnsuitableFile, name_of, unsuitable};

/// The most symbolic links that are followed from a path, as in Linux.
const MAX_LINKS: usize = 40;

/// The identity of an existing file, the same by whatever name, link or descriptor it is reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileIdentity(Identity);

/// The device and the number of the file.
#[cfg(unix)]
type Identity = (u64, u64);

/// The canonical path.
#[cfg(not(unix))]
type Identity = PathBuf;

impl FileIdentity {
    /// Returns the identity of the file at a path.
    ///
    /// # Errors
    /// There is no file, or the operating system cannot tell.
    pub fn of_path(path: &Path) -> io::Result<FileIdentity> {
        identity(path).map(FileIdentity)
    }

    /// Returns the identity of the file to which the standard output is redirected; `None` if that
    /// is no regular file.
    #[must_use]
    pub fn of_standard_output() -> Option<FileIdentity> {
        standard_output().map(FileIdentity)
    }
}

#[cfg(unix)]
fn identity(path: &Path) -> io::Result<Identity> {
    fs::metadata(path).map(|metadata| of_metadata(&metadata))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> io::Result<Identity> {
    fs::canonicalize(path)
}

#[cfg(unix)]
fn of_metadata(metadata: &fs::Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

#[cfg(unix)]
fn standard_output() -> Option<Identity> {
    use std::os::fd::AsFd;
    let file = File::from(io::stdout().as_fd().try_clone_to_owned().ok()?);
    let metadata = file.metadata().ok().filter(fs::Metadata::is_file)?;
    Some(of_metadata(&metadata))
}

#[cfg(not(unix))]
fn standard_output() -> Option<Identity> {
    None
}

/// Returns true if two paths lead to one file, by whatever names and links; the file need not
/// exist.
#[must_use]
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    match (FileIdentity::of_path(one), FileIdentity::of_path(other)) {
        (Ok(one), Ok(other)) => one == other,
        (Err(_), Err(_)) => place(one).is_some_and(|one| place(other) == Some(one)),
        _ => false,
    }
}

/// Returns the canonical path of a file that need not exist.
fn place(path: &Path) -> Option<PathBuf> {
    let path = resolve(path).ok()?;
    Some(fs::canonicalize(folder(&path)).ok()?.join(path.file_name()?))
}

/// Returns the folder of a path, which may be relative.
fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Follows symbolic links to a path that is none. What that leads to need not exist.
///
/// # Errors
/// The links go round in a circle, or a link cannot be read.
pub fn resolve(path: &Path) -> io::Result<PathBuf> {
    follow(path, |_| false)
}

/// Returns true if a path, or a link that it leads to, names a descriptor of a process, such as
/// `/dev/stdout` or `/proc/self/fd/3`. What is written there goes where the descriptor leads.
#[must_use]
pub fn is_descriptor(path: &Path) -> bool {
    let names_descriptor = |path: &Path| {
        let folder = fs::canonicalize(folder(path)).unwrap_or_default();
        folder.starts_with("/proc") || folder == Path::new("/dev/fd")
    };
    follow(path, names_descriptor).is_ok_and(|end| names_descriptor(&end))
}

/// Opens what can be written to and not replaced, at its end: a descriptor, a named pipe or a
/// character device. `None` if the path leads to a regular file or to nothing yet.
///
/// # Errors
/// It leads to a folder, a disk or a socket, or the operating system cannot open it.
pub fn open_stream(path: &Path) -> io::Result<Option<File>> {
    let kind = match fs::metadata(path) {
        Ok(metadata) => metadata.file_type(),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if kind.is_file() && !is_descriptor(path) {
        return Ok(None);
    }
    if !kind.is_file() && !is_stream(kind) {
        return Err(unsuitable(UnsuitableFile::Kind(name_of(kind))));
    }
    File::options().append(true).open(path).map(Some)
}

/// Opens what can be read only once: a named pipe, a character device or a descriptor of one.
/// `None` if the path leads to something else.
///
/// # Errors
/// There is nothing, or the operating system cannot open it.
pub fn open_input_stream(path: &Path) -> io::Result<Option<File>> {
    let is_stream = is_stream(fs::metadata(path)?.file_type());
    is_stream.then(|| File::open(path)).transpose()
}

/// Copies a stream to a file without a name, which is gone when its last handle is closed.
///
/// # Errors
/// The stream cannot be read, or the file cannot be written.
pub fn unnamed_copy(stream: &mut dyn Read) -> io::Result<File> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Relaxed);
    let path = env::temp_dir().join(format!("koel-{}-{number}.stream", process::id()));
    let mut file = File::options().read(true).write(true).create_new(true).open(&path)?;
    fs::remove_file(&path)?;
    io::copy(stream, &mut file)?;
    Ok(file)
}

#[cfg(unix)]
fn is_stream(kind: FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_fifo() || kind.is_char_device()
}

#[cfg(not(unix))]
fn is_stream(_: FileType) -> bool {
    false
}

/// Follows symbolic links to a path that is none or meets a condition.
fn follow(path: &Path, is_end: impl Fn(&Path) -> bool) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        if is_end(&path) || !path.is_symlink() {
            return Ok(path);
        }
        path = folder(&path).join(fs::read_link(&path)?);
    }
    Err(io::Error::other("too many symbolic links"))
}
