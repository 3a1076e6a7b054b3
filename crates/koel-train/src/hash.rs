//! SHA-256 as hexadecimal text.

use std::io::{self, Read};

use sha2::{Digest, Sha256};

/// Returns the SHA-256 of bytes in hexadecimal.
#[must_use]
pub(crate) fn sha256_of(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Returns the SHA-256 of everything that a reader gives, in hexadecimal.
///
/// # Errors
/// The reader fails.
pub(crate) fn sha256_of_reader(mut input: impl Read) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match input.read(&mut buffer) {
            Ok(0) => return Ok(hex(&hasher.finalize())),
            Ok(count) => hasher.update(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn hex(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_written_as_lower_case_digits() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256_of(b"abc"), expected);
        assert_eq!(sha256_of_reader(&b"abc"[..]).unwrap(), expected);
    }
}
