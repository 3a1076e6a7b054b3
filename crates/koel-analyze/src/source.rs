//! Where text is read from: files, folders of them, and streams; compressed or not.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek};
use std::path::{Path, PathBuf};

use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::MultiGzDecoder;
use koel_files::ANY_SIZE;
use koel_pgn::checked_text;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use crate::error::AnalyzeError;

/// The name of the standard input as a path.
const STANDARD_INPUT: &str = "-";

/// The extensions of the files that are read in a folder, before those of a compression.
const EXTENSIONS: [&str; 3] = ["pgn", "epd", "fen"];

/// The first bytes of compressed files.
const GZIP: &[u8] = b"\x1f\x8b";
const ZSTANDARD: &[u8] = b"\x28\xb5\x2f\xfd";
const BZIP2: &[u8] = b"BZh";

/// A text that can be read more than once.
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    /// A stream ends and cannot be read again: it is copied to a file without a name.
    copy: Option<File>,
}

impl Source {
    /// Returns the texts that a path leads to: that of a file or a stream, or those in a folder, in
    /// the order of their names.
    pub(crate) fn all(path: &Path) -> Result<Vec<Source>, AnalyzeError> {
        if path.is_dir() {
            let mut paths = Vec::new();
            files_in(path, &mut paths)?;
            paths.sort();
            return Ok(paths.into_iter().map(|path| Source { path, copy: None }).collect());
        }
        let source = Source::of_file_or_stream(path).map_err(AnalyzeError::of_file(path))?;
        Ok(vec![source])
    }

    fn of_file_or_stream(path: &Path) -> io::Result<Source> {
        if path == Path::new(STANDARD_INPUT) {
            return Source::of_stream(path, &mut io::stdin().lock());
        }
        match koel_files::open_input_stream(path)? {
            Some(mut stream) => Source::of_stream(path, &mut stream),
            None => Ok(Source { path: path.to_owned(), copy: None }),
        }
    }

    fn of_stream(path: &Path, stream: &mut dyn Read) -> io::Result<Source> {
        Ok(Source { path: path.to_owned(), copy: Some(koel_files::unnamed_copy(stream)?) })
    }

    pub(crate) fn is_stream(&self) -> bool {
        self.copy.is_some()
    }

    /// Returns true if the text is compressed.
    pub(crate) fn is_compressed(&self) -> io::Result<bool> {
        let mut start = [0; 4];
        let count = self.bytes()?.read(&mut start)?;
        let start = &start[..count];
        Ok([GZIP, ZSTANDARD, BZIP2].iter().any(|magic| start.starts_with(magic)))
    }

    fn bytes(&self) -> io::Result<BufReader<File>> {
        let file = match &self.copy {
            None => koel_files::open(&self.path, ANY_SIZE)?,
            Some(copy) => {
                let mut copy = copy.try_clone()?;
                copy.rewind()?;
                copy
            }
        };
        Ok(BufReader::new(file))
    }

    /// Opens the text from its start. What was opened before is not read any further.
    pub(crate) fn open(&self) -> io::Result<Box<dyn BufRead>> {
        decoded(self.bytes()?)
    }
}

/// Returns the text behind bytes, which may be compressed.
fn decoded(mut bytes: impl BufRead + 'static) -> io::Result<Box<dyn BufRead>> {
    let start = bytes.fill_buf()?;
    Ok(match start {
        _ if start.starts_with(GZIP) => buffered(MultiGzDecoder::new(bytes))?,
        _ if start.starts_with(ZSTANDARD) => buffered(Zstandard::new(bytes))?,
        _ if start.starts_with(BZIP2) => buffered(MultiBzDecoder::new(bytes))?,
        _ => Box::new(checked_text(bytes)?),
    })
}

fn buffered(text: impl Read + 'static) -> io::Result<Box<dyn BufRead>> {
    Ok(Box::new(checked_text(BufReader::with_capacity(1 << 16, text))?))
}

/// Adds the files in a folder and in those inside that are named as games or positions. Hidden ones
/// are left out: other programs keep what is no game under such names.
fn files_in(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), AnalyzeError> {
    let entries = fs::read_dir(folder).and_then(|entries| entries.collect::<io::Result<Vec<_>>>());
    for entry in entries.map_err(AnalyzeError::of_file(folder))? {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().to_ascii_lowercase());
        if name.starts_with('.') {
            continue;
        }
        // A folder behind a link may lead back to where it is.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            files_in(&path, paths)?;
        } else if is_named_as_games(&name) && !path.is_dir() {
            paths.push(path);
        }
    }
    Ok(())
}

/// True for a name in lower case with one of the extensions.
fn is_named_as_games(name: &str) -> bool {
    let plain = [".gz", ".zst", ".bz2"].into_iter().find_map(|end| name.strip_suffix(end));
    let extension = plain.unwrap_or(name).rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|extension| EXTENSIONS.contains(&extension))
}

/// The frames of a file of Zstandard, one after the other.
struct Zstandard<R> {
    source: R,
    decoder: FrameDecoder,
}

impl<R: BufRead> Zstandard<R> {
    fn new(source: R) -> Zstandard<R> {
        Zstandard { source, decoder: FrameDecoder::new() }
    }

    /// Begins the next frame, or skips one that has no text.
    fn begin(&mut self) -> io::Result<()> {
        match self.decoder.init(&mut self.source) {
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length,
                ..
            })) => {
                let mut skipped = (&mut self.source).take(u64::from(length));
                io::copy(&mut skipped, &mut io::sink()).map(drop)
            }
            begun => begun.map_err(invalid),
        }
    }

    /// Checks the end of a frame.
    fn check(&self) -> io::Result<()> {
        let expected = self.decoder.get_checksum_from_data();
        match expected.is_none() || expected == self.decoder.get_calculated_checksum() {
            true => Ok(()),
            false => Err(invalid("a wrong checksum: the file is damaged")),
        }
    }
}

impl<R: BufRead> Read for Zstandard<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.decoder.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            if !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder.decode_blocks(&mut self.source, one).map_err(invalid)?;
                continue;
            }
            self.check()?;
            if self.source.fill_buf()?.is_empty() {
                return Ok(0);
            }
            self.begin()?;
        }
    }
}

fn invalid(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, error)
}

#[cfg(test)]
mod tests {
    use koel_random::Rng;

    use super::*;

    const TEXT: &str = "1. e4 e5 2. Nf3 *\n";

    /// The text as gzip, zstd and bzip2 write it.
    const FILES: [&[u8]; 3] = [
        b"\x1f\x8b\x08\x08n\xe2\x0bk\x00\x03s.txt\x003\xd4SH5QH5U0\xd2S\xf0K3V\xd0\xe2\x02\x00\
          \xf5\xd4\xf3\x00\x12\x00\x00\x00",
        b"(\xb5/\xfd$\x12\x91\x00\x001. e4 e5 2. Nf3 *\n\xc8\xb4\x96\xc6",
        b"BZh91AY&SY\xf3\x05iQ\x00\x00\x04\xdd\x00\x00\x10@\x11>\x00\x00\x01\x03\x00 \x00\"&L=Q\
          \xe8@\xd04\"\xcab\xc0\xeaM\x1cZ.\xe4\x8ap\xa1!\xe6\n\xd2\xa2",
    ];

    /// A frame of Zstandard without text.
    const SKIPPED: &[u8] = b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc";

    fn read(bytes: &[u8]) -> io::Result<String> {
        let source = Source::of_stream(Path::new("-"), &mut &*bytes)?;
        let read = || {
            let mut text = String::new();
            source.open()?.read_to_string(&mut text).map(|_| text)
        };
        let first = read()?;
        assert_eq!(read()?, first, "a second time");
        assert_eq!(source.is_compressed()?, !bytes.starts_with(b"1."));
        Ok(first)
    }

    #[test]
    fn texts_are_read_compressed_or_not() {
        assert_eq!(read(TEXT.as_bytes()).unwrap(), TEXT);
        for file in FILES {
            assert_eq!(read(file).unwrap(), TEXT);
            // What several processes have compressed is several files in one.
            assert_eq!(read(&file.repeat(3)).unwrap(), TEXT.repeat(3));
        }
        assert_eq!(read(&[FILES[1], SKIPPED, FILES[1]].concat()).unwrap(), TEXT.repeat(2));
    }

    #[test]
    fn damage_is_an_error() {
        for file in FILES {
            for length in 12..file.len() {
                assert!(read(&file[..length]).is_err(), "{length} of {file:?}");
            }
            let mut damaged = file.to_vec();
            let middle = file.len() / 2;
            damaged[middle] ^= 0x10;
            assert!(read(&damaged).is_err(), "{file:?}");
        }
    }

    #[test]
    fn damage_at_random_is_no_panic() {
        let (mut random, mut unnoticed) = (Rng::new(3), 0);
        for round in 0..3000 {
            let mut file = FILES[round % 3].repeat(1 + round % 2);
            for _ in 0..=random.below(3) {
                let at = random.below(file.len());
                file[at] ^= 1 << random.below(8);
            }
            let decoded = decoded(std::io::Cursor::new(file));
            let read = decoded.and_then(|text| text.take(1 << 20).read_to_end(&mut Vec::new()));
            // Checksums miss little, but a header has none.
            unnoticed += u32::from(read.is_ok());
        }
        assert!(unnoticed < 1500, "{unnoticed}");
    }

    #[test]
    fn games_are_known_by_their_names() {
        for name in ["a.pgn", "b.PGN.gz", "c.epd", "d.fen.zst", "e.f.pgn.bz2"] {
            assert!(is_named_as_games(&name.to_ascii_lowercase()), "{name}");
        }
        for name in ["pgn", "a.txt", "b.pgn.zip", "c.gz", "d.pgn.part", "e.pgn~"] {
            assert!(!is_named_as_games(&name.to_ascii_lowercase()), "{name}");
        }
    }
}
