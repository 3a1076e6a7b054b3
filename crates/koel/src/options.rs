//! The UCI options and their values.

use std::num::NonZeroU64;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use koel_board::CastlingNotation;
use koel_search::{Depth, NoProgress, PathPolicy};
use koel_uci::{OptionDeclaration, OptionError, OptionValue, Options, SetOption};

use crate::eval_file::EvalFile;
use crate::strength;
use crate::syzygy::TablebaseSettings;

const HASH: &str = "Hash";
const CLEAR_HASH: &str = "Clear Hash";
const THREADS: &str = "Threads";
const PONDER: &str = "Ponder";
const MOVE_OVERHEAD: &str = "Move Overhead";
const CHESS960: &str = "UCI_Chess960";
const SHOW_WDL: &str = "UCI_ShowWDL";
const NODES_TIME: &str = "nodestime";
const MULTI_PV: &str = "MultiPV";
const EVAL_FILE: &str = "EvalFile";
const PATH_DEPENDENCE: &str = "Path Dependence";
const NO_PROGRESS: &str = "No Progress";
const HASH_FILE: &str = "Hash File";
const SAVE_HASH: &str = "Save Hash";
const LOAD_HASH: &str = "Load Hash";
const DEBUG_LOG_FILE: &str = "Debug Log File";
const MINIMAL: &str = "Minimal";
const LIMIT_STRENGTH: &str = "UCI_LimitStrength";
const ELO: &str = "UCI_Elo";
const CONTEMPT: &str = "Contempt";
const SYZYGY_PATH: &str = "SyzygyPath";
const SYZYGY_PROBE_DEPTH: &str = "SyzygyProbeDepth";
const SYZYGY_PROBE_LIMIT: &str = "SyzygyProbeLimit";
const SYZYGY_FIFTY_MOVES: &str = "Syzygy50MoveRule";

/// In MiB. The maximum is beyond today's machines, since some tools refuse an engine whose maximum
/// is below the size they want.
const HASH_RANGE: RangeInclusive<i64> = 1..=33_554_432;
pub(crate) const HASH_DEFAULT: i64 = 16;
const THREADS_RANGE: RangeInclusive<i64> = 1..=1024;
const THREADS_DEFAULT: i64 = 1;
/// In milliseconds.
const OVERHEAD_RANGE: RangeInclusive<i64> = 0..=5000;
const OVERHEAD_DEFAULT: i64 = 10;
const MULTI_PV_RANGE: RangeInclusive<i64> = 1..=256;
/// Nodes counted as one millisecond; 0 is real time.
const NODES_TIME_RANGE: RangeInclusive<i64> = 0..=10_000;
const PROBE_DEPTH_RANGE: RangeInclusive<i64> = 1..=100;
const ELO_RANGE: RangeInclusive<i64> = strength::MIN_ELO as i64..=strength::MAX_ELO as i64;
const ELO_DEFAULT: i64 = 1600;
/// In centipawns.
const CONTEMPT_RANGE: RangeInclusive<i64> = -300..=300;
/// In pieces, kings included. The largest tablebases have seven.
const PROBE_LIMIT_RANGE: RangeInclusive<i64> = 0..=7;

/// An option that some GUIs set for every engine. It has no effect, and setting it is no error.
const IGNORED_OPTION: &str = "UCI_AnalyseMode";

/// The values of the options that the session keeps.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// The time that a move costs besides thinking.
    pub(crate) move_overhead: Duration,
    /// The notation in which castling is printed; both are understood.
    pub(crate) castling: CastlingNotation,
    /// True if scores are printed with win, draw and loss probabilities.
    pub(crate) shows_wdl: bool,
    /// True if only the final report of a search is printed.
    pub(crate) is_minimal: bool,
    /// The number of lines to report.
    pub(crate) multi_pv: usize,
    /// Nodes counted as one millisecond; `None` is real time.
    pub(crate) nodes_time: Option<NonZeroU64>,
    /// The file of the `Save Hash` and `Load Hash` buttons.
    pub(crate) hash_file: PathBuf,
    pub(crate) tablebases: TablebaseSettings,
    /// True if the playing strength is limited.
    pub(crate) is_limited: bool,
    /// The target rating when the strength is limited.
    pub(crate) elo: i32,
    /// Centipawns subtracted from the value of a draw.
    pub(crate) contempt: i32,
}

/// An option with its new value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    Hash(usize),
    ClearHash,
    Threads(usize),
    MoveOverhead(Duration),
    Castling(CastlingNotation),
    ShowWdl(bool),
    MultiPv(usize),
    NodesTime(Option<NonZeroU64>),
    EvalFile(EvalFile),
    HashFile(PathBuf),
    SaveHash,
    LoadHash,
    PathPolicy(PathPolicy),
    NoProgress(NoProgress),
    /// `None` closes the file.
    DebugLog(Option<PathBuf>),
    Minimal(bool),
    /// Folders with tablebases; empty for none.
    SyzygyPath(String),
    SyzygyProbeDepth(Depth),
    SyzygyProbeLimit(usize),
    SyzygyFiftyMoves(bool),
    LimitStrength(bool),
    Elo(i32),
    /// In centipawns.
    Contempt(i32),
    /// An option without effect, such as `Ponder`: it only announces that `go ponder` may follow.
    NoEffect,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            move_overhead: Duration::from_millis(OVERHEAD_DEFAULT as u64),
            castling: CastlingNotation::Standard,
            shows_wdl: false,
            is_minimal: false,
            multi_pv: 1,
            nodes_time: None,
            hash_file: PathBuf::new(),
            tablebases: TablebaseSettings {
                source: None,
                probe_depth: Depth(*PROBE_DEPTH_RANGE.start() as i32),
                probe_limit: *PROBE_LIMIT_RANGE.end() as usize,
                fifty_moves: true,
            },
            is_limited: false,
            elo: ELO_DEFAULT as i32,
            contempt: 0,
        }
    }
}

impl Settings {
    /// The target rating, if the strength is limited.
    pub(crate) fn limited_elo(&self) -> Option<i32> {
        self.is_limited.then_some(self.elo)
    }
}

impl Setting {
    /// Returns true if the option cannot be set during a search.
    pub(crate) fn requires_idle(&self) -> bool {
        let changes_table = matches!(self, Setting::Hash(_) | Setting::ClearHash)
            || matches!(self, Setting::SaveHash | Setting::LoadHash);
        let changes_tablebases =
            matches!(self, Setting::SyzygyPath(_) | Setting::SyzygyProbeDepth(_))
                || matches!(self, Setting::SyzygyProbeLimit(_) | Setting::SyzygyFiftyMoves(_));
        changes_table
            || changes_tablebases
            || matches!(self, Setting::Threads(_) | Setting::EvalFile(_))
            || matches!(self, Setting::PathPolicy(_) | Setting::NoProgress(_))
    }

    /// Interprets a `setoption`.
    pub(crate) fn parse(options: &Options, set: &SetOption) -> Result<Setting, OptionError> {
        if set.name.eq_ignore_ascii_case(IGNORED_OPTION) {
            return Ok(Setting::NoEffect);
        }
        // The declared ranges make the casts to unsigned types safe.
        Ok(match options.interpret(set)? {
            (HASH, OptionValue::Spin(mebibytes)) => Setting::Hash(mebibytes as usize),
            (CLEAR_HASH, _) => Setting::ClearHash,
            (THREADS, OptionValue::Spin(threads)) => Setting::Threads(threads as usize),
            (MOVE_OVERHEAD, OptionValue::Spin(milliseconds)) => {
                Setting::MoveOverhead(Duration::from_millis(milliseconds as u64))
            }
            (CHESS960, OptionValue::Check(true)) => Setting::Castling(CastlingNotation::Chess960),
            (CHESS960, OptionValue::Check(false)) => Setting::Castling(CastlingNotation::Standard),
            (SHOW_WDL, OptionValue::Check(is_on)) => Setting::ShowWdl(is_on),
            (MULTI_PV, OptionValue::Spin(lines)) => Setting::MultiPv(lines as usize),
            (NODES_TIME, OptionValue::Spin(nodes)) => {
                Setting::NodesTime(NonZeroU64::new(nodes as u64))
            }
            (PATH_DEPENDENCE, OptionValue::Combo(name)) => {
                by_name(&PathPolicy::ALL, &name, Setting::PathPolicy)
            }
            (NO_PROGRESS, OptionValue::Combo(name)) => {
                by_name(&NoProgress::ALL, &name, Setting::NoProgress)
            }
            (EVAL_FILE, OptionValue::Text(path)) => Setting::EvalFile(EvalFile::parse(&path)),
            (HASH_FILE, OptionValue::Text(path)) => Setting::HashFile(path.into()),
            (SAVE_HASH, _) => Setting::SaveHash,
            (LOAD_HASH, _) => Setting::LoadHash,
            (DEBUG_LOG_FILE, OptionValue::Text(path)) => {
                Setting::DebugLog((!path.is_empty()).then(|| path.into()))
            }
            (MINIMAL, OptionValue::Check(is_on)) => Setting::Minimal(is_on),
            (SYZYGY_PATH, OptionValue::Text(path)) => Setting::SyzygyPath(path),
            (SYZYGY_PROBE_DEPTH, OptionValue::Spin(plies)) => {
                Setting::SyzygyProbeDepth(Depth(plies as i32))
            }
            (SYZYGY_PROBE_LIMIT, OptionValue::Spin(pieces)) => {
                Setting::SyzygyProbeLimit(pieces as usize)
            }
            (SYZYGY_FIFTY_MOVES, OptionValue::Check(is_on)) => Setting::SyzygyFiftyMoves(is_on),
            (LIMIT_STRENGTH, OptionValue::Check(is_on)) => Setting::LimitStrength(is_on),
            (ELO, OptionValue::Spin(elo)) => Setting::Elo(elo as i32),
            (CONTEMPT, OptionValue::Spin(centipawns)) => Setting::Contempt(centipawns as i32),
            _ => Setting::NoEffect,
        })
    }
}

/// Returns the setting for the value with this name; an unknown name has no effect.
fn by_name<T: Copy>(all: &[(&str, T)], name: &str, setting: fn(T) -> Setting) -> Setting {
    let found = all.iter().find(|(other, _)| *other == name);
    found.map_or(Setting::NoEffect, |&(_, value)| setting(value))
}

/// The declarations of all options, in the order in which they are printed.
pub(crate) fn declarations() -> Options {
    let standard = [
        OptionDeclaration::spin(HASH, HASH_DEFAULT, HASH_RANGE),
        OptionDeclaration::button(CLEAR_HASH),
        OptionDeclaration::spin(THREADS, THREADS_DEFAULT, THREADS_RANGE),
        OptionDeclaration::spin(MULTI_PV, 1, MULTI_PV_RANGE),
        OptionDeclaration::check(PONDER, false),
        OptionDeclaration::spin(MOVE_OVERHEAD, OVERHEAD_DEFAULT, OVERHEAD_RANGE),
        OptionDeclaration::check(CHESS960, false),
        OptionDeclaration::check(SHOW_WDL, false),
        OptionDeclaration::spin(NODES_TIME, 0, NODES_TIME_RANGE),
        OptionDeclaration::text(EVAL_FILE, ""),
        OptionDeclaration::combo(
            PATH_DEPENDENCE,
            PathPolicy::default().name(),
            &PathPolicy::ALL.map(|named| named.0),
        ),
        OptionDeclaration::combo(NO_PROGRESS, "off", &NoProgress::ALL.map(|named| named.0)),
        OptionDeclaration::text(HASH_FILE, ""),
        OptionDeclaration::button(SAVE_HASH),
        OptionDeclaration::button(LOAD_HASH),
        OptionDeclaration::text(DEBUG_LOG_FILE, ""),
        OptionDeclaration::check(MINIMAL, false),
        OptionDeclaration::check(LIMIT_STRENGTH, false),
        OptionDeclaration::spin(ELO, ELO_DEFAULT, ELO_RANGE),
        OptionDeclaration::spin(CONTEMPT, 0, CONTEMPT_RANGE),
        OptionDeclaration::text(SYZYGY_PATH, ""),
        OptionDeclaration::spin(SYZYGY_PROBE_DEPTH, *PROBE_DEPTH_RANGE.start(), PROBE_DEPTH_RANGE),
        OptionDeclaration::spin(SYZYGY_PROBE_LIMIT, *PROBE_LIMIT_RANGE.end(), PROBE_LIMIT_RANGE),
        OptionDeclaration::check(SYZYGY_FIFTY_MOVES, true),
    ];
    let experimental = crate::experiment::declarations().map(Ok);
    Options::new(standard.into_iter().chain(experimental))
        .expect("the option declarations are valid")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, value: Option<&str>) -> Result<Setting, String> {
        let set = SetOption { name: name.to_owned(), value: value.map(str::to_owned) };
        Setting::parse(&declarations(), &set).map_err(|error| error.to_string())
    }

    #[test]
    fn every_option_is_read() {
        assert_eq!(read("hash", Some("64")), Ok(Setting::Hash(64)));
        assert_eq!(read("Clear Hash", Some("")), Ok(Setting::ClearHash));
        assert_eq!(read("Threads", Some("1024")), Ok(Setting::Threads(1024)));
        assert_eq!(read("Ponder", Some("true")), Ok(Setting::NoEffect));
        let overhead = Setting::MoveOverhead(Duration::from_millis(100));
        assert_eq!(read("move overhead", Some("100")), Ok(overhead));
        let castling = Setting::Castling(CastlingNotation::Chess960);
        assert_eq!(read("UCI_Chess960", Some("true")), Ok(castling));
        assert_eq!(read("UCI_AnalyseMode", Some("true")), Ok(Setting::NoEffect));
        assert_eq!(read("UCI_ShowWDL", Some("true")), Ok(Setting::ShowWdl(true)));
        assert_eq!(read("multipv", Some("256")), Ok(Setting::MultiPv(256)));
        assert_eq!(read("nodestime", Some("600")), Ok(Setting::NodesTime(NonZeroU64::new(600))));
        assert_eq!(read("nodestime", Some("0")), Ok(Setting::NodesTime(None)));
        let network = Setting::EvalFile(EvalFile::parse("a b.koelnet"));
        assert_eq!(read("evalfile", Some("a b.koelnet")), Ok(network));
        assert_eq!(read("EvalFile", Some("<empty>")), Ok(Setting::EvalFile(EvalFile::BuiltIn)));
        assert_eq!(read("Hash File", Some("a b.hash")), Ok(Setting::HashFile("a b.hash".into())));
        assert_eq!(read("save hash", None), Ok(Setting::SaveHash));
        assert_eq!(read("Load Hash", Some("")), Ok(Setting::LoadHash));
        assert_eq!(read("Debug Log File", Some("<empty>")), Ok(Setting::DebugLog(None)));
        let log = Setting::DebugLog(Some("a log".into()));
        assert_eq!(read("debug log file", Some("a log")), Ok(log));
        let policy = Setting::PathPolicy(PathPolicy::Muller);
        assert_eq!(read("Path Dependence", Some("muller")), Ok(policy));
        let tracked = Setting::NoProgress(NoProgress::Tracked);
        assert_eq!(read("no progress", Some("tracked")), Ok(tracked));
        assert_eq!(read("Minimal", Some("true")), Ok(Setting::Minimal(true)));
        assert_eq!(read("UCI_LimitStrength", Some("true")), Ok(Setting::LimitStrength(true)));
        assert_eq!(read("UCI_Elo", Some("1320")), Ok(Setting::Elo(1320)));
        assert_eq!(read("Contempt", Some("-300")), Ok(Setting::Contempt(-300)));
        assert_eq!(read("syzygypath", Some("a:b c")), Ok(Setting::SyzygyPath("a:b c".into())));
        assert_eq!(read("SyzygyPath", Some("<empty>")), Ok(Setting::SyzygyPath(String::new())));
        let depth = Setting::SyzygyProbeDepth(Depth(5));
        assert_eq!(read("SyzygyProbeDepth", Some("5")), Ok(depth));
        assert_eq!(read("SyzygyProbeLimit", Some("0")), Ok(Setting::SyzygyProbeLimit(0)));
        let fifty_moves = Setting::SyzygyFiftyMoves(false);
        assert_eq!(read("Syzygy50MoveRule", Some("false")), Ok(fifty_moves));
    }

    #[test]
    fn wrong_values_are_refused() {
        assert!(read("Hash", Some("abc")).is_err());
        assert!(read("Hash", Some("0")).is_err());
        assert!(read("Threads", None).is_err());
        assert!(read("MultiPV", Some("257")).is_err());
        assert!(read("SyzygyProbeLimit", Some("8")).is_err());
        assert!(read("Contempt", Some("301")).is_err());
        assert!(read("UCI_Elo", Some("1319")).is_err());
        assert!(read("Skill Level", Some("1")).is_err());
    }
}
