//! Numbers and times of the protocol.

use std::fmt;
use std::num::{IntErrorKind, ParseIntError};
use std::str::FromStr;
use std::time::Duration;

/// An integer type of the protocol, with the limits at which it saturates.
pub(crate) trait Number: FromStr<Err = ParseIntError> {
    const SMALLEST: Self;
    const LARGEST: Self;
}

macro_rules! number {
    ($($integer:ty),*) => {
        $(impl Number for $integer {
            const SMALLEST: $integer = <$integer>::MIN;
            const LARGEST: $integer = <$integer>::MAX;
        })*
    };
}

number!(i32, u32, i64, u64);

/// Parses an integer. A number too large for its type saturates: thirty digits after `go nodes`
/// mean "no limit" and are not an error. Returns `None` for other words, and for negative numbers
/// if the type is unsigned.
pub(crate) fn number<T: Number>(word: &str) -> Option<T> {
    let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
    // Checked first, because the standard parser may report an overflow before an invalid
    // character.
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    match word.parse().map_err(|error: ParseIntError| *error.kind()) {
        Ok(number) => Some(number),
        Err(IntErrorKind::PosOverflow) => Some(T::LARGEST),
        Err(IntErrorKind::NegOverflow) => Some(T::SMALLEST),
        Err(_) => None,
    }
}

/// Parses an integer or a decimal fraction, which is rounded towards zero: `100.7` is 100.
pub(crate) fn whole_part<T: Number>(word: &str) -> Option<T> {
    let (whole, fraction) = word.split_once('.').unwrap_or((word, ""));
    fraction.bytes().all(|byte| byte.is_ascii_digit()).then(|| number(whole))?
}

/// A time in milliseconds, the unit of the protocol. Clock times may be negative: a GUI that does
/// not enforce the time limit sends negative remaining times.
///
/// ```
/// use koel_uci::Milliseconds;
/// use std::time::Duration;
///
/// assert_eq!(Milliseconds(-20).to_duration(), Duration::ZERO);
/// assert_eq!(Milliseconds::from(Duration::from_secs(2)), Milliseconds(2000));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Milliseconds(pub i64);

impl Milliseconds {
    pub(crate) fn read(word: &str) -> Option<Milliseconds> {
        number(word).map(Milliseconds)
    }

    /// Returns the time as a [`Duration`]; zero if it is negative.
    pub fn to_duration(self) -> Duration {
        Duration::from_millis(u64::try_from(self.0).unwrap_or(0))
    }
}

/// Rounds down and saturates.
impl From<Duration> for Milliseconds {
    fn from(duration: Duration) -> Milliseconds {
        Milliseconds(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX))
    }
}

impl fmt::Display for Milliseconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_too_large_saturate() {
        assert_eq!(number::<u32>("4294967296"), Some(u32::MAX));
        assert_eq!(number::<i64>(&"9".repeat(500)), Some(i64::MAX));
        assert_eq!(number::<i64>(&format!("-{}", "9".repeat(500))), Some(i64::MIN));
    }

    #[test]
    fn fractions_are_rounded_towards_zero() {
        for (word, whole) in [("7", 7), ("7.", 7), ("100.7", 100), ("-1.9", -1), ("-0.5", 0)] {
            assert_eq!(whole_part::<i64>(word), Some(whole), "{word}");
        }
        for word in [".", ".5", "1.5.5", "1.e3", "1.-5", "1,5"] {
            assert_eq!(whole_part::<i64>(word), None, "{word}");
        }
    }

    #[test]
    fn other_words_are_no_numbers() {
        for word in ["", "+", "-", "abc", "1.5", "0x10", "1e3", "٣", "99999999999x", "--1"] {
            assert_eq!(number::<u32>(word), None, "{word}");
            assert_eq!(number::<i64>(word), None, "{word}");
        }
        assert_eq!(number::<u32>("-1"), None);
        assert_eq!(whole_part::<u32>("-0.9"), None);
        assert_eq!(number::<i32>("-0"), Some(0));
        assert_eq!(number::<i32>("+3"), Some(3));
    }
}
