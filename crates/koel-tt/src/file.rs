//! A table in a file, so that an analysis can go on tomorrow.

use std::fmt;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::bucket::{Bucket, WORDS};
use crate::huge_pages::Pages;
use crate::memory::{OutOfMemory, Reserved};
use crate::packed::GENERATIONS;
use crate::table::TranspositionTable;

/// Why a file is not taken.
#[derive(Debug)]
pub enum LoadError {
    /// It cannot be read.
    Io(io::Error),
    /// It holds something else.
    NotATable,
    /// It is of another version of the format, of this number.
    Version(u64),
    /// It was written with another stamp: its keys or scores mean something else.
    Foreign,
    /// It ends too early.
    Truncated,
    /// Something follows behind its end.
    TooLong,
    /// It was changed since it was written.
    Damaged,
    /// There is no memory for its table beside the present one.
    Memory(OutOfMemory),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Io(error) => error.fmt(f),
            LoadError::NotATable => f.write_str("the file holds no transposition table"),
            LoadError::Version(version) => {
                write!(f, "the file is of format {version}, not {VERSION}")
            }
            LoadError::Foreign => f.write_str("the file was written by another version"),
            LoadError::Truncated => f.write_str("the file ends too early"),
            LoadError::TooLong => f.write_str("the file goes on behind its end"),
            LoadError::Damaged => f.write_str("the file is damaged: its checksum is wrong"),
            LoadError::Memory(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            LoadError::Io(error) => Some(error),
            LoadError::Memory(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for LoadError {
    fn from(error: io::Error) -> LoadError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => LoadError::Truncated,
            _ => LoadError::Io(error),
        }
    }
}

impl From<OutOfMemory> for LoadError {
    fn from(error: OutOfMemory) -> LoadError {
        LoadError::Memory(error)
    }
}

const MAGIC: u64 = u64::from_le_bytes(*b"koel-tt\n");
/// Of the layout of file, bucket and entry.
const VERSION: u64 = 1;

/// What stands before the buckets, each a little-endian word behind the magic one.
#[derive(Clone, Copy)]
struct Header {
    version: u64,
    stamp: u64,
    buckets: u64,
    age: u64,
    checksum: u64,
}

impl Header {
    fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let Header { version, stamp, buckets, age, checksum } = *self;
        write_words(to, &[MAGIC, version, stamp, buckets, age, checksum])
    }

    /// Reads the header, of which nothing but magic and version has been looked at.
    fn read(from: &mut impl Read) -> Result<Header, LoadError> {
        let [magic, version] = read_words(from)?;
        if magic != MAGIC {
            return Err(LoadError::NotATable);
        }
        if version != VERSION {
            return Err(LoadError::Version(version));
        }
        let [stamp, buckets, age, checksum] = read_words(from)?;
        Ok(Header { version, stamp, buckets, age, checksum })
    }

    /// The checksum to begin with, which covers the rest of the header.
    fn checksum(&self) -> Checksum {
        let mut checksum = Checksum(MAGIC);
        checksum.add(&[self.version, self.stamp, self.buckets, self.age]);
        checksum
    }
}

/// Changes with any single word, and with the order of words. It protects from accidents, not from
/// forgers.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Checksum(u64);

impl Checksum {
    fn add(&mut self, words: &[u64]) {
        for &word in words {
            self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }
}

impl<M> TranspositionTable<M> {
    /// Writes the table. The stamp is for the caller to tell by whether keys and scores still mean
    /// the same when it is read.
    ///
    /// It writes many small pieces: give it a buffered writer. No search may be under way, hence
    /// the exclusive borrow.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn save(&mut self, stamp: u64, to: &mut impl Write) -> io::Result<()> {
        let mut header = Header {
            version: VERSION,
            stamp,
            buckets: self.buckets.len() as u64,
            age: u64::from(self.age.load(Relaxed)),
            checksum: 0,
        };
        let mut checksum = header.checksum();
        self.buckets.iter().for_each(|bucket| checksum.add(&bucket.words()));
        header.checksum = checksum.0;
        header.write(to)?;
        self.buckets.iter().try_for_each(|bucket| write_words(to, &bucket.words()))?;
        to.flush()
    }

    /// Replaces the table by the one in a file, with its size.
    ///
    /// It reads many small pieces: give it a buffered reader. There must be memory for both tables,
    /// as the present one goes only when the other is read and found right.
    ///
    /// # Errors
    /// [`LoadError`]; the table is then as it was.
    pub fn load(&mut self, stamp: u64, from: &mut impl Read) -> Result<(), LoadError> {
        let header = Header::read(from)?;
        if header.stamp != stamp {
            return Err(LoadError::Foreign);
        }
        let count = usize::try_from(header.buckets).unwrap_or(usize::MAX);
        let age = u8::try_from(header.age).ok().filter(|&age| age < GENERATIONS);
        let age = age.filter(|_| count > 0).ok_or(LoadError::Damaged)?;
        let reserved = Reserved::new(count, 0, Pages::Huge)?;
        let pages = reserved.pages();
        let mut buckets = reserved.unfilled();
        let mut checksum = header.checksum();
        // Only what has been read is in use: a false size costs no memory.
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
        if from.read(&mut [0])? != 0 {
            return Err(LoadError::TooLong);
        }
        (self.buckets, self.pages, self.age) = (buckets, pages, AtomicU8::new(age));
        Ok(())
    }
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
    use crate::entry::{Bound, Entry, PathDependence};

    const STAMP: u64 = 77;

    fn entry(seed: u64) -> Entry<u16> {
        Entry {
            best_move: Some(seed as u16 | 1),
            score: seed as i16,
            static_eval: None,
            depth: seed as u8,
            bound: Bound::Exact,
            is_pv: false,
            dependence: PathDependence::new(false, false, seed as u16, 0),
        }
    }

    fn key(seed: u64) -> u64 {
        seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// A table of one MiB with entries in it, and its file.
    fn filled() -> (TranspositionTable<u16>, Vec<u8>) {
        let mut table = TranspositionTable::new(1).unwrap();
        table.new_search();
        (0..1000).for_each(|seed| table.store(key(seed), entry(seed)));
        let mut file = Vec::new();
        table.save(STAMP, &mut file).unwrap();
        (table, file)
    }

    #[test]
    fn what_is_saved_is_loaded() {
        let (table, file) = filled();
        assert_eq!(file.len(), 48 + (1 << 20));
        let mut other = TranspositionTable::<u16>::new(2).unwrap();
        other.load(STAMP, &mut file.as_slice()).unwrap();
        assert_eq!((other.bytes(), other.hashfull()), (table.bytes(), table.hashfull()));
        assert!((0..1000).all(|seed| other.probe(key(seed)) == table.probe(key(seed))));
        assert_eq!(other.probe(key(3)), Some(entry(3)));
        let mut again = Vec::new();
        other.save(STAMP, &mut again).unwrap();
        assert!(again == file);
    }

    /// Loads a wrong file into a table that must survive it.
    fn error(file: &[u8]) -> LoadError {
        let mut table = TranspositionTable::<u16>::new(0).unwrap();
        table.store(key(5), entry(5));
        let error = table.load(STAMP, &mut { file }).unwrap_err();
        assert_eq!((table.bytes(), table.probe(key(5))), (64, Some(entry(5))), "{error}");
        error
    }

    #[test]
    fn a_wrong_file_changes_nothing() {
        let (mut table, file) = filled();
        let changed = |at: usize, by: u8| {
            let mut file = file.clone();
            file[at] ^= by;
            error(&file)
        };
        assert!(matches!(changed(0, 1), LoadError::NotATable));
        assert!(matches!(changed(8, 3), LoadError::Version(2)));
        assert!(matches!(changed(16, 1), LoadError::Foreign));
        assert!(matches!(changed(24, 1), LoadError::Truncated), "a bucket more");
        assert!(matches!(changed(25, 0x60), LoadError::Damaged), "fewer buckets");
        assert!(matches!(changed(31, 0x40), LoadError::Memory(_)), "2^62 buckets");
        assert!(matches!(changed(32, 1), LoadError::Damaged), "another age");
        assert!(matches!(changed(33, 1), LoadError::Damaged), "an impossible age");
        assert!(matches!(changed(40, 1), LoadError::Damaged));
        for at in [48, 5_000, file.len() - 1] {
            assert!(matches!(changed(at, 0x80), LoadError::Damaged));
        }
        for length in [0, 1, 8, 47, 48, 49, 70_000, file.len() - 1] {
            assert!(matches!(error(&file[..length]), LoadError::Truncated), "{length}");
        }
        assert!(matches!(error(&[&file[..], b"x"].concat()), LoadError::TooLong));
        assert!(matches!(error(b"a text of several words"), LoadError::NotATable));
        let foreign = table.load(STAMP + 1, &mut file.as_slice()).unwrap_err();
        assert!(matches!(foreign, LoadError::Foreign));
        assert_eq!(table.probe(key(3)), Some(entry(3)));
    }
}
