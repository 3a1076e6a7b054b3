//! Helpers of tests.

use std::fs;
use std::path::PathBuf;

/// A temporary folder of a test, removed when dropped.
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("koel-train-{}-{name}", std::process::id()));
        drop(fs::remove_dir_all(&path));
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}
