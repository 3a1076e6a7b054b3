//! Text as people have it: UTF-8 or Windows-1252, line by line, with any line ends.

use std::io::{self, BufRead, BufReader, ErrorKind};
use std::path::Path;

use koel_files::ANY_SIZE;

/// The greatest length of a line and of a game in bytes. It bounds the memory that a file takes.
pub(crate) const MAX_BYTES: usize = 64 << 20;

/// The mark U+FEFF that some editors put at the start of a text, in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The characters 0x80 to 0x9F of Windows-1252. The five that it leaves undefined are control
/// characters, as in Latin-1.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Opens a regular file of text in an encoding that [`GameReader`](crate::GameReader) reads.
///
/// # Errors
/// The file cannot be opened, or it is text in UTF-16, which is named in the message.
pub fn open_text(path: &Path) -> io::Result<impl BufRead + use<>> {
    checked_text(BufReader::new(koel_files::open(path, ANY_SIZE)?))
}

/// Returns a source if it begins with text in an encoding that
/// [`GameReader`](crate::GameReader) reads.
///
/// # Errors
/// As [`open_text`].
pub fn checked_text<R: BufRead>(mut source: R) -> io::Result<R> {
    check_encoding(source.fill_buf()?)?;
    Ok(source)
}

/// Checks the start of a text.
fn check_encoding(start: &[u8]) -> io::Result<()> {
    let has_mark = start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff");
    if has_mark || start.iter().take(4).any(|&byte| byte == 0) {
        return Err(invalid("UTF-16 or not text; expected text in UTF-8 or Windows-1252"));
    }
    Ok(())
}

/// Lines of text with `\n` as their line end.
pub struct TextLines<R> {
    source: R,
    bytes: Vec<u8>,
    /// True after `\r`, to which a `\n` may belong.
    is_after_return: bool,
}

impl<R: BufRead> TextLines<R> {
    /// Reads from a source of bytes.
    pub fn new(source: R) -> TextLines<R> {
        TextLines { source, bytes: Vec::new(), is_after_return: false }
    }

    /// Appends the next line to a text. Returns false at the end.
    ///
    /// A line that is not UTF-8 is Windows-1252. Byte-order marks are left out.
    ///
    /// # Errors
    /// The source cannot be read, or a line is longer than 64 MiB.
    pub fn append(&mut self, text: &mut String) -> io::Result<bool> {
        let is_ended = self.read()?;
        if self.bytes.is_empty() && !is_ended {
            return Ok(false);
        }
        let bytes = self.bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&self.bytes);
        match str::from_utf8(bytes) {
            Ok(line) => text.extend(line.chars().filter(|&character| character != '\u{feff}')),
            Err(_) => text.extend(bytes.iter().map(|&byte| decode(byte))),
        }
        if is_ended {
            text.push('\n');
        }
        Ok(true)
    }

    /// Reads the bytes of the next line. Returns true if a line end follows them.
    fn read(&mut self) -> io::Result<bool> {
        self.bytes.clear();
        loop {
            let mut buffer = self.source.fill_buf()?;
            let skipped = usize::from(self.is_after_return && buffer.starts_with(b"\n"));
            buffer = &buffer[skipped..];
            if buffer.is_empty() && skipped == 0 {
                return Ok(false);
            }
            let end = buffer.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            self.bytes.extend_from_slice(&buffer[..end.unwrap_or(buffer.len())]);
            self.is_after_return = end.is_some_and(|end| buffer[end] == b'\r');
            let taken = skipped + end.map_or(buffer.len(), |end| end + 1);
            self.source.consume(taken);
            if end.is_some() {
                return Ok(true);
            }
            if self.bytes.len() > MAX_BYTES {
                return Err(invalid("a line of more than 64 MiB"));
            }
        }
    }
}

impl<R: BufRead> Iterator for TextLines<R> {
    type Item = io::Result<String>;

    /// Returns the next line with its line end.
    fn next(&mut self) -> Option<io::Result<String>> {
        let mut line = String::new();
        self.append(&mut line).map(|is_line| is_line.then_some(line)).transpose()
    }
}

fn decode(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// Returns the error for content that is not as expected.
pub(crate) fn invalid(message: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> String {
        // A small buffer, so that lines and line ends are cut.
        TextLines::new(BufReader::with_capacity(3, bytes)).map(Result::unwrap).collect()
    }

    #[test]
    fn encodings_are_mixed() {
        assert_eq!(text(b"M\xfcller\nM\xc3\xbcller\n"), "Müller\nMüller\n");
        // The quotation marks and the euro of Windows-1252.
        assert_eq!(text(b"\x84M\xfcller\x93 \x80"), "„Müller“ €");
        assert_eq!(text(b"\xef\xbb\xbfM\xfcller\n\xef\xbb\xbfM\xc3\xbcller"), "Müller\nMüller");
        assert_eq!(text("a\u{feff}b".as_bytes()), "ab");
    }

    #[test]
    fn line_ends_become_line_feeds() {
        assert_eq!(text(b"a\r\nbcd\re\n\nf\r\r\n"), "a\nbcd\ne\n\nf\n\n");
        assert_eq!(text(b""), "");
        assert_eq!(text(b"\r"), "\n");
    }

    #[test]
    fn utf_16_is_refused_in_words() {
        for start in [&b"\xff\xfe[\0E\0"[..], b"\xfe\xff\0[\0E", b"[\0E\0", b"\0[\0E"] {
            assert!(check_encoding(start).unwrap_err().to_string().starts_with("UTF-16"));
        }
        for start in [&b""[..], b"[", b"\xef\xbb\xbf[Event", b"M\xfcller"] {
            assert!(check_encoding(start).is_ok());
        }
    }
}
