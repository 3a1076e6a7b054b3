//! A file that replaces another one only when it is complete.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::check_kind;

/// A file `NAME.part`, written beside a file `NAME` and renamed to it at the end, so that an old
/// file stays whole whatever happens before.
///
/// When it is dropped before, the part is removed. When the process is killed, the part remains.
/// A symbolic link is replaced itself; [`resolve`](crate::resolve) tells the file that it leads to.
pub struct AtomicFile {
    path: PathBuf,
    part: PathBuf,
    /// `None` when the file is finished.
    writer: Option<BufWriter<File>>,
}

impl AtomicFile {
    /// Creates the part. An old part is overwritten.
    ///
    /// # Errors
    /// The part cannot be created, or the path leads to what is no regular file or one that is
    /// write-protected.
    pub fn create(path: &Path) -> io::Result<AtomicFile> {
        AtomicFile::open(path, File::options().write(true).create(true).truncate(true))
    }

    /// Creates the part, which must not exist: an old one may hold what somebody still needs.
    ///
    /// # Errors
    /// The part cannot be created; the kind is [`io::ErrorKind::AlreadyExists`] if there is one.
    pub fn create_new(path: &Path) -> io::Result<AtomicFile> {
        AtomicFile::open(path, File::options().write(true).create_new(true))
    }

    /// Returns the path of the part of a file.
    #[must_use]
    pub fn part_of(path: &Path) -> PathBuf {
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        PathBuf::from(part)
    }

    fn open(path: &Path, options: &OpenOptions) -> io::Result<AtomicFile> {
        // A device would become a file.
        check_kind(path)?;
        let old = fs::metadata(path).ok().map(|old| old.permissions());
        // A rename would pass over the protection.
        if old.as_ref().is_some_and(Permissions::readonly) {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "write-protected"));
        }
        let part = AtomicFile::part_of(path);
        let writer = BufWriter::with_capacity(1 << 20, options.open(&part)?);
        // A replaced file keeps its permissions.
        if let Some(permissions) = old {
            let _ = fs::set_permissions(&part, permissions);
        }
        Ok(AtomicFile { path: path.to_owned(), part, writer: Some(writer) })
    }

    /// Writes everything to the disk and renames the part to the final name.
    ///
    /// # Errors
    /// The part cannot be written or renamed; it is removed if it cannot be written.
    pub fn commit(mut self) -> io::Result<()> {
        self.flush()?;
        if let Some(writer) = self.writer.take() {
            writer.get_ref().sync_all()?;
        }
        fs::rename(&self.part, &self.path)
    }

    /// Leaves the part and the old file as they are, and returns the path of the part.
    ///
    /// # Errors
    /// The part cannot be written to its end; it remains as far as it is written.
    pub fn keep_part(mut self) -> io::Result<PathBuf> {
        if let Some(mut writer) = self.writer.take() {
            writer.flush()?;
            writer.get_ref().sync_all()?;
        }
        Ok(self.part.clone())
    }
}

/// Replaces a file by one with this content, or creates it. The old one stays whole whatever
/// happens.
///
/// # Errors
/// The file cannot be written.
pub fn replace(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(content.as_ref())?;
    file.commit()
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.as_mut().map_or(Ok(0), |writer| writer.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.as_mut().map_or(Ok(()), |writer| writer.flush())
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if self.writer.take().is_some() {
            let _ = fs::remove_file(&self.part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_old_file_is_whole_until_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("atomic");
        let write = |text: &str| {
            let mut file = AtomicFile::create(&path).unwrap();
            file.write_all(text.as_bytes()).unwrap();
            file.flush().unwrap();
            file
        };
        let read = || fs::read_to_string(&path).ok();
        write("dropped");
        assert_eq!(read(), None);
        write("old").commit().unwrap();
        let new = write("new");
        assert_eq!(read().as_deref(), Some("old"));
        let part = new.keep_part().unwrap();
        assert_eq!(read().as_deref(), Some("old"));
        assert_eq!(fs::read_to_string(&part).unwrap(), "new");
        let refused = AtomicFile::create_new(&path).err().map(|error| error.kind());
        assert_eq!(refused, Some(io::ErrorKind::AlreadyExists));
        assert_eq!(fs::read_to_string(&part).unwrap(), "new");
        replace(&path, "newest").unwrap();
        assert_eq!(read().as_deref(), Some("newest"));
        assert!(!part.exists());
        let folder = replace(folder.path(), "").unwrap_err();
        assert!(folder.to_string().contains("found a folder"), "{folder}");
        AtomicFile::create_new(&path).unwrap().commit().unwrap();
        assert_eq!(read().as_deref(), Some(""));
    }

    #[test]
    fn a_write_protected_file_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("protected");
        replace(&path, "kept").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        let refused = replace(&path, "lost").unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied);
        assert_eq!(fs::read_to_string(&path).unwrap(), "kept");
        assert!(!AtomicFile::part_of(&path).exists());
    }
}
