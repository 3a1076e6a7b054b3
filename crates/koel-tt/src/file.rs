//! Saving a table to a file and loading it, so that an analysis can be continued later.

use std::cmp::Ordering;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use thiserror::Error;

use crate::bucket::{Bucket, WORDS};
use crate::huge_pages::Pages;
use crate::memory::{OutOfMemory, Reserved};
use crate::packed::GENERATIONS;
use crate::payload::Payload;
use crate::table::TranspositionTable;

/// The error of a file that cannot be loaded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(io::Error),
    /// The file is not a transposition table.
    #[error("the file is not a transposition table")]
    NotATable,
    /// The file has another version of the format: this one.
    #[error("the file has format {0}, not {VERSION}")]
    Version(u64),
    /// The file was written with another stamp: its keys or scores have another meaning.
    #[error("the file was written by another version, or with another evaluation")]
    Foreign,
    /// The entries of the file have a payload of another size.
    #[error("the entries of the file have {found} bits of payload, not {expected}")]
    Payload {
        /// The number of bits in the file.
        found: u64,
        /// The number of bits in the table.
        expected: u32,
    },
    /// The file ends too early.
    #[error("the file ends too early")]
    Truncated,
    /// The file has bytes after its end.
    #[error("the file has bytes after its end")]
    TooLong,
    /// The file was changed since it was written: its checksum is wrong.
    #[error("the file is damaged: its checksum is wrong")]
    Damaged,
    /// There is not enough memory for the new table beside the present one.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
}

impl From<io::Error> for LoadError {
    fn from(error: io::Error) -> LoadError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => LoadError::Truncated,
            _ => LoadError::Io(error),
        }
    }
}

const MAGIC: u64 = u64::from_le_bytes(*b"koel-tt\n");
/// The version of the layout of file, bucket and entry.
const VERSION: u64 = 3;

/// The number of bytes before the buckets.
const HEADER_BYTES: usize = 56;

/// The words before the buckets, in this order after the magic number, all little-endian.
#[derive(Clone, Copy)]
struct Header {
    version: u64,
    stamp: u64,
    /// The number of bits of the payload.
    payload: u64,
    buckets: u64,
    generation: u64,
    checksum: u64,
}

/// Returns true if a file begins as one that [`save`](TranspositionTable::save) has written, of
/// whatever version. Reads eight bytes at most.
///
/// # Errors
/// The file cannot be read.
pub fn is_saved_table(from: &mut impl Read) -> io::Result<bool> {
    match read_words(from) {
        Ok([magic]) => Ok(magic == MAGIC),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

impl Header {
    fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let Header { version, stamp, payload, buckets, generation, checksum } = *self;
        write_words(to, &[MAGIC, version, stamp, payload, buckets, generation, checksum])
    }

    /// Reads a header and checks the magic number and the version, nothing else.
    fn read(from: &mut impl Read) -> Result<Header, LoadError> {
        let [magic, version] = read_words(from)?;
        if magic != MAGIC {
            return Err(LoadError::NotATable);
        }
        if version != VERSION {
            return Err(LoadError::Version(version));
        }
        let [stamp, payload, buckets, generation, checksum] = read_words(from)?;
        Ok(Header { version, stamp, payload, buckets, generation, checksum })
    }

    /// Returns the checksum of the header, with which that of the buckets begins.
    fn checksum(&self) -> Checksum {
        let mut checksum = Checksum(MAGIC);
        checksum.add(&[self.version, self.stamp, self.payload, self.buckets, self.generation]);
        checksum
    }
}

/// A checksum that changes with any single word and with the order of the words. It protects
/// against accidents, not against forgery.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Checksum(u64);

impl Checksum {
    fn add(&mut self, words: &[u64]) {
        for &word in words {
            self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }
}

impl<M, P: Payload> TranspositionTable<M, P> {
    /// Writes the table. [`load`](Self::load) refuses a file with another stamp: a caller changes
    /// the stamp whenever keys or scores change their meaning.
    ///
    /// The writer should be buffered, as the table is written in small pieces. No search may be in
    /// progress, hence the exclusive borrow: there is no [`BusyMark`](crate::BusyMark) either.
    ///
    /// # Errors
    /// The errors of the writer.
    pub fn save(&mut self, stamp: u64, to: &mut impl Write) -> io::Result<()> {
        let mut header = Header {
            version: VERSION,
            stamp,
            payload: u64::from(P::BITS),
            buckets: self.buckets.len() as u64,
            generation: u64::from(self.generation.load(Relaxed)),
            checksum: 0,
        };
        let mut checksum = header.checksum();
        self.buckets.iter().for_each(|bucket| checksum.add(&bucket.words()));
        header.checksum = checksum.0;
        header.write(to)?;
        self.buckets.iter().try_for_each(|bucket| write_words(to, &bucket.words()))?;
        to.flush()
    }

    /// Replaces the table by the one in a file of `file_bytes` bytes, with the size of that one.
    ///
    /// The header is read first; if the size that it states is not that of the file, nothing more
    /// is. The reader should be buffered, as the table is read in small pieces. There must be
    /// memory for both tables, because the present one is kept until the file has been read and
    /// verified.
    ///
    /// # Errors
    /// [`LoadError`]; the table is then unchanged.
    pub fn load(
        &mut self,
        stamp: u64,
        file_bytes: u64,
        from: &mut impl Read,
    ) -> Result<(), LoadError> {
        let header = Header::read(from)?;
        if header.stamp != stamp {
            return Err(LoadError::Foreign);
        }
        if header.payload != u64::from(P::BITS) {
            return Err(LoadError::Payload { found: header.payload, expected: P::BITS });
        }
        let count = usize::try_from(header.buckets).unwrap_or(usize::MAX);
        let generation = u8::try_from(header.generation)
            .ok()
            .filter(|&generation| generation < GENERATIONS && count > 0)
            .ok_or(LoadError::Damaged)?;
        match file_bytes.cmp(&size_of_file(header.buckets)) {
            Ordering::Less => return Err(LoadError::Truncated),
            Ordering::Greater => return Err(LoadError::TooLong),
            Ordering::Equal => {}
        }
        let reserved = Reserved::new(count, Pages::Huge)?;
        let pages = reserved.pages();
        let mut buckets = reserved.unfilled();
        let mut checksum = header.checksum();
        for _ in 0..count {
            let words = read_words::<WORDS>(from)?;
            checksum.add(&words);
            let bucket = Bucket::default();
            bucket.set_words(words);
            buckets.push(bucket);
        }
        if checksum.0 != header.checksum {
            return Err(LoadError::Damaged);
        }
        (self.buckets, self.pages) = (buckets, pages);
        self.generation = AtomicU8::new(generation);
        Ok(())
    }
}

/// Returns the size in bytes of a file with this number of buckets.
fn size_of_file(buckets: u64) -> u64 {
    let bytes = buckets.saturating_mul(8 * WORDS as u64);
    bytes.saturating_add(HEADER_BYTES as u64)
}

fn write_words(to: &mut impl Write, words: &[u64]) -> io::Result<()> {
    words.iter().try_for_each(|word| to.write_all(&word.to_le_bytes()))
}

fn read_words<const COUNT: usize>(from: &mut impl Read) -> io::Result<[u64; COUNT]> {
    let mut words = [0; COUNT];
    for word in &mut words {
        let mut bytes = [0; 8];
        from.read_exact(&mut bytes)?;
        *word = u64::from_le_bytes(bytes);
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::{Bound, Entry};
    use crate::payload::Full;

    const STAMP: u64 = 77;

    fn entry(seed: u64) -> Entry<u16, Full<24>> {
        Entry {
            score: seed as i16,
            payload: Full(seed as u32),
            ..Entry::of_move(seed as u16 | 1, seed as u8, Bound::Exact)
        }
    }

    fn key(seed: u64) -> u64 {
        seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Returns a table of one MiB with entries in it, and its file.
    fn filled() -> (TranspositionTable<u16, Full<24>>, Vec<u8>) {
        let mut table = TranspositionTable::new(1).unwrap();
        table.new_search();
        (0..1000).for_each(|seed| table.store(key(seed), entry(seed)));
        let mut file = Vec::new();
        table.save(STAMP, &mut file).unwrap();
        (table, file)
    }

    #[test]
    fn a_saved_table_is_loaded() {
        let (table, file) = filled();
        assert_eq!(file.len(), HEADER_BYTES + (1 << 20));
        let mut other = TranspositionTable::<u16, Full<24>>::new(2).unwrap();
        other.load(STAMP, file.len() as u64, &mut file.as_slice()).unwrap();
        assert_eq!((other.bytes(), other.hashfull()), (table.bytes(), table.hashfull()));
        assert!((0..1000).all(|seed| other.probe(key(seed)) == table.probe(key(seed))));
        assert_eq!(other.probe(key(3)), Some(entry(3)));
        let mut again = Vec::new();
        other.save(STAMP, &mut again).unwrap();
        assert!(again == file);
    }

    /// Returns the error of a wrong file, after a check that the table is unchanged.
    fn error(file: &[u8]) -> LoadError {
        let mut table = TranspositionTable::<u16, Full<24>>::new(0).unwrap();
        table.store(key(5), entry(5));
        let error = table.load(STAMP, file.len() as u64, &mut { file }).unwrap_err();
        assert_eq!((table.bytes(), table.probe(key(5))), (64, Some(entry(5))), "{error}");
        error
    }

    #[test]
    fn a_wrong_file_leaves_the_table_unchanged() {
        let (mut table, file) = filled();
        let changed = |at: usize, by: u8| {
            let mut file = file.clone();
            file[at] ^= by;
            error(&file)
        };
        assert!(matches!(changed(0, 1), LoadError::NotATable));
        assert!(matches!(changed(8, 1), LoadError::Version(2)));
        assert!(matches!(changed(16, 1), LoadError::Foreign));
        assert!(matches!(changed(24, 1), LoadError::Payload { found: 25, expected: 24 }));
        assert!(matches!(changed(32, 1), LoadError::Truncated), "a bucket more");
        assert!(matches!(changed(33, 0x60), LoadError::TooLong), "fewer buckets");
        assert!(matches!(changed(39, 0x40), LoadError::Truncated), "2^62 buckets");
        assert!(matches!(changed(40, 1), LoadError::Damaged), "another generation");
        assert!(matches!(changed(41, 1), LoadError::Damaged), "an impossible generation");
        assert!(matches!(changed(48, 1), LoadError::Damaged));
        for at in [HEADER_BYTES, 5_000, file.len() - 1] {
            assert!(matches!(changed(at, 0x80), LoadError::Damaged));
        }
        for length in [0, 1, 8, 55, 56, 57, 70_000, file.len() - 1] {
            assert!(matches!(error(&file[..length]), LoadError::Truncated), "{length}");
        }
        assert!(matches!(error(&[&file[..], b"x"].concat()), LoadError::TooLong));
        assert!(matches!(error(b"a text of several words"), LoadError::NotATable));
        let foreign = table.load(STAMP + 1, file.len() as u64, &mut file.as_slice()).unwrap_err();
        assert!(matches!(foreign, LoadError::Foreign));
        assert_eq!(table.probe(key(3)), Some(entry(3)));
    }

    #[test]
    fn a_table_beyond_the_memory_is_refused() {
        let (mut table, mut file) = filled();
        file[39] = 0x40;
        let error = table.load(STAMP, u64::MAX, &mut file.as_slice()).unwrap_err();
        assert!(matches!(error, LoadError::Memory(_)), "{error}");
        assert_eq!(table.probe(key(3)), Some(entry(3)));
    }

    #[test]
    fn a_file_of_another_payload_is_refused() {
        let (_, file) = filled();
        let mut table = TranspositionTable::<u16>::new(1).unwrap();
        let error = table.load(STAMP, file.len() as u64, &mut file.as_slice()).unwrap_err();
        assert_eq!(error.to_string(), "the entries of the file have 24 bits of payload, not 0");
        assert_eq!(table.hashfull(), 0);
    }
}
