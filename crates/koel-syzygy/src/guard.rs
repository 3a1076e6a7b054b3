//! Access to the files of tables, with a limit for the reads of a probe. A damaged file is left
//! out.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use shakmaty_syzygy::filesystem::{Filesystem, OsFilesystem, RandomAccessFile, ReadHint};

use crate::header;

/// The largest number of reads of a probe, without those of headers. Intact tables need some
/// hundreds at most.
const MAX_READS: u32 = 10_000;

thread_local! {
    /// The reads that are left to the probe of this thread.
    static READS_LEFT: Cell<u32> = const { Cell::new(MAX_READS) };
}

/// Begins a probe of this thread.
pub(crate) fn start_probe() {
    READS_LEFT.set(MAX_READS);
}

/// The files of a collection of tables.
#[derive(Debug, Default)]
pub(crate) struct GuardedFiles {
    system: OsFilesystem,
    /// The files that have been opened, by their names.
    opened: Mutex<BTreeMap<String, Arc<AtomicBool>>>,
}

struct GuardedFile {
    file: Box<dyn RandomAccessFile>,
    is_left_out: Arc<AtomicBool>,
}

impl GuardedFiles {
    /// Lets every further read of a table fail. Returns true the first time.
    pub(crate) fn leave_out(&self, name: &str) -> bool {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        !opened.entry(name.to_owned()).or_default().swap(true, Relaxed)
    }
}

impl Filesystem for GuardedFiles {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        self.system.regular_file_size(path)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.system.read_dir(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_default();
        let is_left_out = {
            let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(opened.entry(name.clone()).or_default())
        };
        if is_left_out.load(Relaxed) {
            return Err(left_out());
        }
        let file = self.system.open(path)?;
        header::check_sides(&name, &*file)?;
        Ok(Box::new(GuardedFile { file, is_left_out }))
    }
}

impl RandomAccessFile for GuardedFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64, hint: ReadHint) -> io::Result<usize> {
        if self.is_left_out.load(Relaxed) {
            return Err(left_out());
        }
        if hint != ReadHint::Header {
            let left = READS_LEFT.get().checked_sub(1);
            READS_LEFT.set(left.ok_or_else(|| io::Error::other("a probe does not end"))?);
        }
        self.file.read_at(buffer, offset, hint)
    }
}

fn left_out() -> io::Error {
    io::Error::other("the table is left out")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Opens a file whose bytes are all 7.
    fn open(files: &GuardedFiles) -> (tempfile::TempDir, PathBuf, Box<dyn RandomAccessFile>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("KQvK.rtbw");
        fs::write(&path, [7; 80]).unwrap();
        let file = files.open(&path).unwrap();
        (folder, path, file)
    }

    #[test]
    fn a_probe_has_a_limited_number_of_reads() {
        let (_folder, _, file) = open(&GuardedFiles::default());
        start_probe();
        for _ in 0..MAX_READS {
            assert_eq!(file.read_u8_at(3, ReadHint::Data).unwrap(), 7);
        }
        let error = file.read_u8_at(3, ReadHint::Data).unwrap_err();
        assert_eq!(error.to_string(), "a probe does not end");
        assert_eq!(file.read_u8_at(3, ReadHint::Header).unwrap(), 7);
        start_probe();
        assert!(file.read_u8_at(3, ReadHint::Data).is_ok());
    }

    #[test]
    fn a_file_that_is_left_out_is_not_read() {
        let files = GuardedFiles::default();
        let (_folder, path, file) = open(&files);
        assert!(files.leave_out("KQvK.rtbw"));
        assert!(!files.leave_out("KQvK.rtbw"));
        assert!(file.read_u8_at(3, ReadHint::Data).is_err());
        assert!(files.open(&path).is_err());
    }
}
