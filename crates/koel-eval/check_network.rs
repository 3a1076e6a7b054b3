//! The check of a network file at build time, part of the build script and of a test.

/// The length of the header, which begins with the first eight bytes; see `network/file.rs`.
const HEADER_BYTES: usize = 48;
const MAGIC: &[u8] = b"KOELNET\0";
/// The place of the checksum in the header.
const HASH: std::ops::Range<usize> = 40..HEADER_BYTES;

/// Compares a network file with the default network, which has the version and shape that this
/// version of the engine reads, and checks its checksum.
///
/// # Errors
/// A message that says what is wrong and what was expected.
pub(crate) fn check_network(file: &[u8], default: &[u8]) -> Result<(), String> {
    if file.len() < HEADER_BYTES || !file.starts_with(MAGIC) {
        return Err("it is no network file: it does not begin with `KOELNET`".to_owned());
    }
    let [found, expected] = [file, default].map(describe);
    if found != expected {
        return Err(format!("it is a network of {found}; this version of Koel reads {expected}"));
    }
    if file.len() != default.len() {
        return Err(format!("it has {} bytes, not {}", file.len(), default.len()));
    }
    if file[HASH] != hash(file).to_le_bytes() {
        return Err("it is damaged: its checksum is wrong".to_owned());
    }
    Ok(())
}

/// The numbers of a header.
fn describe(file: &[u8]) -> String {
    let numbers = file[8..32].as_chunks().0.iter().map(|&four| u32::from_le_bytes(four));
    let names =
        ["version", "king buckets", "neurons", "output buckets", "output scale", "input scale"];
    let parts = names.iter().zip(numbers).map(|(name, number)| match *name {
        "king buckets" | "neurons" | "output buckets" => format!("{number} {name}"),
        _ => format!("{name} {number}"),
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// The 64-bit FNV-1a hash of all bytes but those of the hash itself.
fn hash(file: &[u8]) -> u64 {
    file[..HASH.start].iter().chain(&file[HASH.end..]).fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
