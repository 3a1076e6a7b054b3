//! SHA-256 as hexadecimal text.

use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, Result};
use koel_files::ANY_SIZE;
use sha2::{Digest, Sha256};

/// Returns the SHA-256 of bytes in hexadecimal.
pub(crate) fn sha256_of(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Returns the SHA-256 of the first bytes of a file, as many as it has at most, in hexadecimal.
pub(crate) fn sha256_of_file(path: &Path, bytes: u64) -> Result<String> {
    let hash = || -> io::Result<String> {
        let mut file = koel_files::open(path, ANY_SIZE)?.take(bytes);
        let mut hasher = Sha256::new();
        let mut buffer = vec![0; 1 << 16];
        loop {
            match file.read(&mut buffer)? {
                0 => return Ok(hex(&hasher.finalize())),
                count => hasher.update(&buffer[..count]),
            }
        }
    };
    hash().with_context(|| path.display().to_string())
}

fn hex(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::write_file;

    #[test]
    fn the_hash_is_written_as_lower_case_digits() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256_of(b"abc"), expected);
        let folder = tempfile::tempdir().unwrap();
        let path = write_file(folder.path(), "file", "abcd");
        assert_eq!(sha256_of_file(&path, 3).unwrap(), expected);
    }
}
