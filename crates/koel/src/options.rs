//! The options that a user can set: only such as do something.

use std::ops::RangeInclusive;
use std::time::Duration;

use koel_board::CastlingNotation;
use koel_uci::{OptionDeclaration, OptionError, OptionValue, Options, SetOption};

const HASH: &str = "Hash";
const CLEAR_HASH: &str = "Clear Hash";
const THREADS: &str = "Threads";
const PONDER: &str = "Ponder";
const MOVE_OVERHEAD: &str = "Move Overhead";
const CHESS960: &str = "UCI_Chess960";

/// MiB. The most is beyond today's machines: tools refuse to run where it is below their wish.
const HASH_RANGE: RangeInclusive<i64> = 1..=33_554_432;
pub(crate) const HASH_DEFAULT: i64 = 16;
const THREADS_RANGE: RangeInclusive<i64> = 1..=1024;
const THREADS_DEFAULT: i64 = 1;
/// Milliseconds.
const OVERHEAD_RANGE: RangeInclusive<i64> = 0..=5000;
const OVERHEAD_DEFAULT: i64 = 10;

/// Set by some GUIs for every engine; it means nothing here, and is no reason to complain.
const PASSED_OVER: &str = "UCI_AnalyseMode";

/// What the options are set to, where the session has to remember it.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// What a move costs besides thinking.
    pub(crate) move_overhead: Duration,
    /// How castling is printed; both notations are understood.
    pub(crate) castling: CastlingNotation,
}

/// One option with its new value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    Hash(usize),
    ClearHash,
    Threads(usize),
    MoveOverhead(Duration),
    Castling(CastlingNotation),
    /// `Ponder` only tells that `go ponder` may come; nothing has to be prepared for it.
    Nothing,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            move_overhead: Duration::from_millis(OVERHEAD_DEFAULT as u64),
            castling: CastlingNotation::Standard,
        }
    }
}

impl Setting {
    /// Whether a search stands on it.
    pub(crate) fn needs_rest(self) -> bool {
        matches!(self, Setting::Hash(_) | Setting::ClearHash | Setting::Threads(_))
    }

    /// What a `setoption` asks for.
    pub(crate) fn read(options: &Options, set: &SetOption) -> Result<Setting, OptionError> {
        if set.name.eq_ignore_ascii_case(PASSED_OVER) {
            return Ok(Setting::Nothing);
        }
        // The declared ranges hold no negative numbers.
        Ok(match options.interpret(set)? {
            (HASH, OptionValue::Spin(mebibytes)) => Setting::Hash(mebibytes as usize),
            (CLEAR_HASH, _) => Setting::ClearHash,
            (THREADS, OptionValue::Spin(threads)) => Setting::Threads(threads as usize),
            (MOVE_OVERHEAD, OptionValue::Spin(milliseconds)) => {
                Setting::MoveOverhead(Duration::from_millis(milliseconds as u64))
            }
            (CHESS960, OptionValue::Check(true)) => Setting::Castling(CastlingNotation::Chess960),
            (CHESS960, OptionValue::Check(false)) => Setting::Castling(CastlingNotation::Standard),
            _ => Setting::Nothing,
        })
    }
}

/// The options in the order in which they are declared to the GUI.
pub(crate) fn declarations() -> Options {
    let usual = [
        OptionDeclaration::spin(HASH, HASH_DEFAULT, HASH_RANGE),
        OptionDeclaration::button(CLEAR_HASH),
        OptionDeclaration::spin(THREADS, THREADS_DEFAULT, THREADS_RANGE),
        OptionDeclaration::check(PONDER, false),
        OptionDeclaration::spin(MOVE_OVERHEAD, OVERHEAD_DEFAULT, OVERHEAD_RANGE),
        OptionDeclaration::check(CHESS960, false),
    ];
    let experimental = crate::experiment::declarations().map(Ok);
    Options::new(usual.into_iter().chain(experimental)).expect("the options are declared soundly")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, value: Option<&str>) -> Result<Setting, String> {
        let set = SetOption { name: name.to_owned(), value: value.map(str::to_owned) };
        Setting::read(&declarations(), &set).map_err(|error| error.to_string())
    }

    #[test]
    fn every_option_is_read() {
        assert_eq!(read("hash", Some("64")), Ok(Setting::Hash(64)));
        assert_eq!(read("Clear Hash", Some("")), Ok(Setting::ClearHash));
        assert_eq!(read("Threads", Some("1024")), Ok(Setting::Threads(1024)));
        assert_eq!(read("Ponder", Some("true")), Ok(Setting::Nothing));
        let overhead = Setting::MoveOverhead(Duration::from_millis(100));
        assert_eq!(read("move overhead", Some("100")), Ok(overhead));
        let castling = Setting::Castling(CastlingNotation::Chess960);
        assert_eq!(read("UCI_Chess960", Some("true")), Ok(castling));
        assert_eq!(read("UCI_AnalyseMode", Some("true")), Ok(Setting::Nothing));
    }

    #[test]
    fn wrong_values_are_refused() {
        assert!(read("Hash", Some("abc")).is_err());
        assert!(read("Hash", Some("0")).is_err());
        assert!(read("Threads", None).is_err());
        assert!(read("Contempt", Some("1")).is_err());
    }
}
