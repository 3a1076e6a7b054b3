//! The UCI options: each is one row of [`OPTIONS`].

use std::num::NonZeroU64;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::thread::available_parallelism;
use std::time::Duration;

use koel_board::CastlingNotation;
use koel_engine::{MAX_ELO, MIN_ELO};
use koel_search::{Depth, NoProgress, PathPolicy};
use koel_uci::{OptionKind, OptionValue, Options, Reply};

use crate::logging;
use crate::session::Session;
use crate::session::command_error::CommandError;
use crate::session::hash_file::HashCommand;

/// All options, in the order in which they are printed; those of experimental builds follow.
///
/// The setter of a row keeps the value in the [`Settings`], where the next search finds it. An
/// option that does more has an action. The declared range makes the casts to smaller types safe.
/// A test compares the table of README.md with this one.
pub(crate) const OPTIONS: &[OptionRow] = &[
    // The maximum is beyond today's machines: some tools refuse an engine with a lower one than
    // they want.
    spin(
        "Hash",
        (16, 1..=33_554_432),
        |settings, mebibytes| settings.hash = mebibytes as usize,
        "size of the transposition table in MiB",
    )
    .when_idle(|session| Ok(session.engine.set_hash(session.settings.hash)?)),
    button("Clear Hash", "clears the transposition table").when_idle(|session| {
        session.engine.clear_hash();
        Ok(())
    }),
    spin(
        "Threads",
        (1, 1..=1024),
        |settings, threads| settings.threads = threads as usize,
        "number of search threads",
    )
    .when_idle(|session| {
        let result = session.engine.set_threads(session.settings.threads);
        let running = session.engine.threads();
        result.map_err(|error| CommandError::Threads { running, error })?;
        if let Ok(cores) = available_parallelism()
            && running > cores.get()
        {
            session.send(&Reply::text(format_args!(
                "warning: option Threads: {running} threads share {}; they gain nothing over \
                 {cores} and may exceed the time by more",
                if cores.get() == 1 { "a core".to_owned() } else { format!("{cores} cores") }
            )))?;
        }
        Ok(())
    }),
    spin(
        "MultiPV",
        (1, 1..=256),
        |settings, lines| settings.multi_pv = lines as usize,
        "number of lines to report, the best first",
    ),
    check("Ponder", false, |_, _| {}, "set by the GUI; has no effect in Koel"),
    spin(
        "Move Overhead",
        (10, 0..=5000),
        |settings, milliseconds| {
            settings.move_overhead = Duration::from_millis(milliseconds as u64);
        },
        "milliseconds lost per move outside the search; raise it for play over a network. Koel \
         measures any further delay and adapts during the game",
    ),
    check(
        "UCI_Chess960",
        false,
        |settings, is_on| settings.is_chess960 = is_on,
        "print castling as king takes rook; both notations are understood",
    ),
    check(
        "UCI_ShowWDL",
        false,
        |settings, is_on| settings.shows_wdl = is_on,
        "print the win, draw and loss probabilities with each score, in permille",
    ),
    check(
        "UCI_LimitStrength",
        false,
        |settings, is_on| settings.is_limited = is_on,
        "limit the playing strength: fewer nodes and, at random, sometimes a weaker move",
    ),
    spin(
        "UCI_Elo",
        (1600, MIN_ELO as i64..=MAX_ELO as i64),
        |settings, elo| settings.elo = elo as i32,
        "target rating when strength is limited, on the scale of Stockfish 15.1's `UCI_Elo` at \
         bullet speed",
    ),
    spin(
        "Skill Level",
        (MAX_SKILL_LEVEL, 0..=MAX_SKILL_LEVEL),
        |settings, level| settings.skill_level = level as i32,
        "playing strength below 20, in equal steps from the lowest `UCI_Elo` to the highest; \
         without effect if `UCI_LimitStrength` is set",
    ),
    check(
        "UCI_AnalyseMode",
        false,
        |settings, is_on| settings.is_analysis = is_on,
        "set by the GUI for analysis: no limit of strength and no contempt, as in `go infinite`",
    ),
    spin(
        "Contempt",
        (0, -300..=300),
        |settings, centipawns| settings.contempt = centipawns as i32,
        "centipawns subtracted from the value of a draw; ignored in analysis",
    ),
    text(
        "SyzygyPath",
        |settings, path| settings.syzygy_path = path,
        "folders with Syzygy tablebases, separated by colons (semicolons on Windows)",
    )
    .when_idle(|session| session.open_tablebases()),
    spin(
        "SyzygyProbeDepth",
        (1, 1..=100),
        |settings, plies| settings.probe_depth = Depth(plies as i32),
        "minimum depth for probing positions with the maximum number of pieces; raise it if the \
         tablebases are on a slow disk",
    )
    .when_idle(|session| session.set_tablebases()),
    // The largest tablebases have seven pieces.
    spin(
        "SyzygyProbeLimit",
        (7, 0..=7),
        |settings, pieces| settings.probe_limit = pieces as usize,
        "maximum number of pieces to probe",
    )
    .when_idle(|session| session.set_tablebases()),
    check(
        "Syzygy50MoveRule",
        true,
        |settings, is_on| settings.tablebases_know_fifty_moves = is_on,
        "apply the fifty-move rule to tablebase results",
    )
    .when_idle(|session| session.set_tablebases()),
    spin(
        "nodestime",
        (0, 0..=10_000),
        |settings, nodes| settings.nodes_time = NonZeroU64::new(nodes as u64),
        "nodes counted as one millisecond; 0 is real time",
    ),
    text(
        "EvalFile",
        |settings, path| settings.eval_file = path,
        "network file; empty is the built-in network, `plain` is material and piece-square \
         tables; an invalid file is an error and the current evaluation is kept",
    )
    .when_idle(|session| session.load_evaluation()),
    text(
        "Hash File",
        |settings, path| settings.hash_file = path.into(),
        "file of the next two buttons",
    ),
    button("Save Hash", "saves the transposition table to the file").when_idle(|session| {
        let command = HashCommand::from_button(HashCommand::Save, &session.settings.hash_file)?;
        session.hash_file(command)
    }),
    button(
        "Load Hash",
        "loads the transposition table from the file; an invalid file is an error and the \
         current table is kept",
    )
    .when_idle(|session| {
        let command = HashCommand::from_button(HashCommand::Load, &session.settings.hash_file)?;
        session.hash_file(command)
    }),
    text(
        "Debug Log File",
        |settings, path| settings.debug_log = path.into(),
        "file to which all input and output is appended, with timestamps",
    )
    .at_once(|session| {
        let path = &session.settings.debug_log;
        let path = Some(path.as_path()).filter(|path| !path.as_os_str().is_empty());
        logging::set_debug_log(path).map_err(CommandError::DebugLog)
    }),
    check(
        "Minimal",
        false,
        |settings, is_on| settings.is_minimal = is_on,
        "print only the final info line and `bestmove`",
    ),
    combo(
        "Path Dependence",
        || (PathPolicy::default().name(), PathPolicy::ALL.map(|named| named.0).to_vec()),
        |settings, name| choose(&PathPolicy::ALL, name, &mut settings.path_policy),
        "which draw scores from the transposition table are trusted; see \
         [docs/cycles.md](docs/cycles.md#policies)",
    )
    .when_idle(|session| session.update_path_rules()),
    combo(
        "No Progress",
        || (NoProgress::ALL[0].0, NoProgress::ALL.map(|named| named.0).to_vec()),
        |settings, name| choose(&NoProgress::ALL, name, &mut settings.no_progress),
        "experimental; see [docs/cycles.md](docs/cycles.md#the-no-progress-rule-measured)",
    )
    .when_idle(|session| session.update_path_rules()),
    text("UCI_Opponent", |_, _| {}, "without effect").unlisted(),
    combo("UCI_Variant", || ("chess", vec!["chess"]), |_, _| {}, "without effect").unlisted(),
];

/// The value of `Skill Level` that does not limit the strength.
const MAX_SKILL_LEVEL: i64 = 20;

/// The values of the options.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    /// The size of the transposition table in MiB.
    pub(crate) hash: usize,
    pub(crate) threads: usize,
    /// The number of lines to report.
    pub(crate) multi_pv: usize,
    /// The time that a move costs besides thinking.
    pub(crate) move_overhead: Duration,
    pub(crate) is_chess960: bool,
    /// True if scores are printed with win, draw and loss probabilities.
    pub(crate) shows_wdl: bool,
    /// True if the playing strength is limited.
    pub(crate) is_limited: bool,
    /// The target rating when the strength is limited.
    pub(crate) elo: i32,
    pub(crate) skill_level: i32,
    /// True if searches are for analysis.
    pub(crate) is_analysis: bool,
    /// Centipawns subtracted from the value of a draw.
    pub(crate) contempt: i32,
    /// Folders with tablebases; empty for none.
    pub(crate) syzygy_path: String,
    pub(crate) probe_depth: Depth,
    /// The maximum number of pieces to probe, kings included.
    pub(crate) probe_limit: usize,
    pub(crate) tablebases_know_fifty_moves: bool,
    /// Nodes counted as one millisecond; `None` is real time.
    pub(crate) nodes_time: Option<NonZeroU64>,
    pub(crate) eval_file: String,
    /// The file of the `Save Hash` and `Load Hash` buttons.
    pub(crate) hash_file: PathBuf,
    /// Empty for none.
    pub(crate) debug_log: PathBuf,
    /// True if only the final report of a search is printed.
    pub(crate) is_minimal: bool,
    pub(crate) path_policy: PathPolicy,
    pub(crate) no_progress: NoProgress,
}

impl Settings {
    /// The default values of the options.
    pub(crate) fn new() -> Settings {
        let mut settings = Settings::default();
        for row in OPTIONS {
            match row.kind {
                Kind::Check { default, set } => set(&mut settings, default),
                Kind::Spin { default, set, .. } => set(&mut settings, default),
                Kind::Combo { variants, set } => set(&mut settings, variants().0),
                Kind::Text { set } => set(&mut settings, String::new()),
                Kind::Button => {}
            }
        }
        settings
    }

    /// The notation in which castling is printed; both are understood.
    pub(crate) fn castling(&self) -> CastlingNotation {
        if self.is_chess960 { CastlingNotation::Chess960 } else { CastlingNotation::Standard }
    }

    /// The target rating, if the strength is limited.
    pub(crate) fn limited_elo(&self) -> Option<i32> {
        let highest_limited = MAX_SKILL_LEVEL as i32 - 1;
        if self.is_limited {
            Some(self.elo)
        } else if self.skill_level <= highest_limited {
            Some(MIN_ELO + (MAX_ELO - MIN_ELO) * self.skill_level / highest_limited)
        } else {
            None
        }
    }
}

/// An option.
pub(crate) struct OptionRow {
    pub(crate) name: &'static str,
    kind: Kind,
    action: Action,
    /// Its meaning, for people.
    pub(crate) help: &'static str,
    /// False for an option that some clients set although it is not declared.
    pub(crate) is_listed: bool,
}

/// The type of an option with its default, range and setter.
enum Kind {
    Check { default: bool, set: fn(&mut Settings, bool) },
    Spin { default: i64, range: (i64, i64), set: fn(&mut Settings, i64) },
    Combo { variants: fn() -> (&'static str, Vec<&'static str>), set: fn(&mut Settings, &str) },
    Text { set: fn(&mut Settings, String) },
    Button,
}

/// The action of an option after its value has been set.
enum Action {
    None,
    /// Also during a search.
    AtOnce(fn(&mut Session<'_>) -> Result<(), CommandError>),
    /// Only while the engine is idle.
    WhenIdle(fn(&mut Session<'_>) -> Result<(), CommandError>),
}

/// An option that is on or off.
const fn check(
    name: &'static str,
    default: bool,
    set: fn(&mut Settings, bool),
    help: &'static str,
) -> OptionRow {
    row(name, Kind::Check { default, set }, help)
}

/// An integer, with its default and range.
const fn spin(
    name: &'static str,
    (default, range): (i64, RangeInclusive<i64>),
    set: fn(&mut Settings, i64),
    help: &'static str,
) -> OptionRow {
    row(name, Kind::Spin { default, range: (*range.start(), *range.end()), set }, help)
}

/// One of several words, with the default first.
const fn combo(
    name: &'static str,
    variants: fn() -> (&'static str, Vec<&'static str>),
    set: fn(&mut Settings, &str),
    help: &'static str,
) -> OptionRow {
    row(name, Kind::Combo { variants, set }, help)
}

/// A text, empty by default.
const fn text(name: &'static str, set: fn(&mut Settings, String), help: &'static str) -> OptionRow {
    row(name, Kind::Text { set }, help)
}

/// A button, which has an action and no value.
const fn button(name: &'static str, help: &'static str) -> OptionRow {
    row(name, Kind::Button, help)
}

const fn row(name: &'static str, kind: Kind, help: &'static str) -> OptionRow {
    OptionRow { name, kind, action: Action::None, help, is_listed: true }
}

/// Sets a field to the value with this name.
fn choose<T: Copy>(all: &[(&str, T)], name: &str, field: &mut T) {
    if let Some(&(_, value)) = all.iter().find(|(other, _)| *other == name) {
        *field = value;
    }
}

impl OptionRow {
    const fn when_idle(
        mut self,
        action: fn(&mut Session<'_>) -> Result<(), CommandError>,
    ) -> OptionRow {
        self.action = Action::WhenIdle(action);
        self
    }

    const fn at_once(
        mut self,
        action: fn(&mut Session<'_>) -> Result<(), CommandError>,
    ) -> OptionRow {
        self.action = Action::AtOnce(action);
        self
    }

    const fn unlisted(mut self) -> OptionRow {
        self.is_listed = false;
        self
    }

    /// Returns true if the option cannot be set during a search.
    pub(crate) fn requires_idle(&self) -> bool {
        matches!(self.action, Action::WhenIdle(_))
    }

    /// The type as it is declared.
    fn kind(&self) -> OptionKind {
        match self.kind {
            Kind::Check { default, .. } => OptionKind::Check { default },
            Kind::Spin { default, range: (min, max), .. } => OptionKind::Spin { default, min, max },
            Kind::Combo { variants, .. } => {
                let (default, variants) = variants();
                let variants = variants.into_iter().map(str::to_owned).collect();
                OptionKind::Combo { default: default.to_owned(), variants }
            }
            Kind::Text { .. } => OptionKind::Text { default: String::new() },
            Kind::Button => OptionKind::Button,
        }
    }

    /// The default and the range, as text; empty if there is none.
    fn default_and_range(&self) -> (String, String) {
        let kind = self.kind();
        let range = match &kind {
            OptionKind::Spin { min, max, .. } => format!("{min} to {max}"),
            OptionKind::Combo { variants, .. } => variants.join(", "),
            _ => String::new(),
        };
        (kind.default_text(), range)
    }

    /// Sets the option to a value of its type, and runs its action.
    pub(crate) fn set(
        &self,
        session: &mut Session<'_>,
        value: OptionValue,
    ) -> Result<(), CommandError> {
        let settings = &mut session.settings;
        match (&self.kind, value) {
            (Kind::Check { set, .. }, OptionValue::Check(is_on)) => set(settings, is_on),
            (Kind::Spin { set, .. }, OptionValue::Spin(number)) => set(settings, number),
            (Kind::Combo { set, .. }, OptionValue::Combo(name)) => set(settings, &name),
            (Kind::Text { set }, OptionValue::Text(text)) => set(settings, text),
            _ => {}
        }
        match self.action {
            Action::None => Ok(()),
            Action::AtOnce(action) | Action::WhenIdle(action) => action(session),
        }
    }
}

/// Returns the row of an option by its declared name.
pub(crate) fn find(name: &str) -> Option<&'static OptionRow> {
    OPTIONS.iter().find(|row| row.name == name)
}

/// The declarations of all options.
pub(crate) fn declarations() -> Options {
    let standard = OPTIONS.iter().map(|row| (row.name.to_owned(), row.kind()));
    let all = standard.chain(crate::session::experiment::options());
    Options::new(all).expect("the option declarations are valid")
}

/// Describes the listed options in lines of less than `width` characters, or as wide as a name
/// needs.
pub(crate) fn list(width: usize) -> String {
    let mut list = String::new();
    for row in OPTIONS.iter().filter(|row| row.is_listed) {
        let (default, range) = row.default_and_range();
        let values = [default, range].into_iter().filter(|text| !text.is_empty());
        let values = values.collect::<Vec<_>>().join("; ");
        let values = match &row.kind {
            Kind::Button => " (button)".to_owned(),
            _ if values.is_empty() => String::new(),
            _ => format!(" ({values})"),
        };
        list += &format!("{}{values}\n", row.name);
        let mut line = String::new();
        for word in without_links(row.help).split_whitespace() {
            if !line.is_empty() && HELP_INDENT.len() + line.len() + word.len() + 1 >= width {
                list += &format!("{HELP_INDENT}{}\n", std::mem::take(&mut line));
            }
            line += if line.is_empty() { "" } else { " " };
            line += word;
        }
        list += &format!("{HELP_INDENT}{line}\n");
    }
    list
}

/// Returns text in Markdown with the names of links alone.
fn without_links(text: &str) -> String {
    let (mut plain, mut rest) = (String::new(), text);
    while let Some((before, link)) = rest.split_once('[')
        && let Some((name, target)) = link.split_once("](")
        && let Some((_, after)) = target.split_once(')')
    {
        plain += &format!("{before}{name}");
        rest = after;
    }
    plain + rest
}

/// The space before the meaning of an option, below its name.
const HELP_INDENT: &str = "    ";

/// Describes the listed options, a line each, as a table in Markdown.
#[cfg(test)]
fn table() -> String {
    let mut table = "| option | default | range | meaning |\n|---|---|---|---|\n".to_owned();
    for row in OPTIONS.iter().filter(|row| row.is_listed) {
        let (default, range) = row.default_and_range();
        let kind = if matches!(row.kind, Kind::Button) { "button: " } else { "" };
        let cell = |text: &str| if text.is_empty() { " ".into() } else { format!(" {text} ") };
        let (default, range) = (cell(&default), cell(&range));
        table += &format!("| `{}` |{default}|{range}| {kind}{} |\n", row.name, row.help);
    }
    table
}

#[cfg(test)]
mod tests {
    use std::fs;

    use koel_uci::SetOption;

    use super::*;
    use crate::session::tests::test_session;

    /// Sets an option and returns the settings then.
    fn set(name: &str, value: Option<&str>) -> Result<Settings, String> {
        let (mut session, _) = test_session();
        let set = SetOption { name: name.to_owned(), value: value.map(str::to_owned) };
        session.set_option(&set).map_err(|error| error.to_string())?;
        Ok(session.settings)
    }

    #[test]
    fn values_are_kept_in_the_settings() {
        let default = Settings::new();
        assert_eq!((default.hash, default.threads, default.multi_pv), (16, 1, 1));
        assert_eq!(default.move_overhead, Duration::from_millis(10));
        assert_eq!((default.probe_depth, default.probe_limit), (Depth(1), 7));
        assert!(default.tablebases_know_fifty_moves && !default.is_chess960);
        assert_eq!(set("hash", Some("2")).unwrap().hash, 2);
        assert_eq!(set("Threads", Some("3")).unwrap().threads, 3);
        assert_eq!(set("multipv", Some("256")).unwrap().multi_pv, 256);
        let overhead = set("move overhead", Some("100")).unwrap().move_overhead;
        assert_eq!(overhead, Duration::from_millis(100));
        let castling = set("UCI_Chess960", Some("true")).unwrap().castling();
        assert_eq!(castling, CastlingNotation::Chess960);
        assert!(set("UCI_ShowWDL", Some("true")).unwrap().shows_wdl);
        assert_eq!(set("nodestime", Some("600")).unwrap().nodes_time, NonZeroU64::new(600));
        assert_eq!(set("nodestime", Some("0")).unwrap().nodes_time, None);
        assert_eq!(
            set("Hash File", Some("a b.hash")).unwrap().hash_file,
            PathBuf::from("a b.hash")
        );
        assert!(set("Minimal", Some("true")).unwrap().is_minimal);
        assert_eq!(set("UCI_Elo", Some("1320")).unwrap().limited_elo(), None);
        assert_eq!(set("UCI_LimitStrength", Some("true")).unwrap().limited_elo(), Some(1600));
        let elo_of = |level| set("skill level", Some(level)).unwrap().limited_elo();
        assert_eq!(["0", "10", "19"].map(elo_of), [Some(MIN_ELO), Some(2125), Some(MAX_ELO)]);
        assert_eq!(elo_of("20"), None);
        assert_eq!(set("Contempt", Some("-300")).unwrap().contempt, -300);
        assert_eq!(set("SyzygyProbeDepth", Some("5")).unwrap().probe_depth, Depth(5));
        assert_eq!(set("SyzygyProbeLimit", Some("0")).unwrap().probe_limit, 0);
        let fifty_moves = set("Syzygy50MoveRule", Some("false")).unwrap();
        assert!(!fifty_moves.tablebases_know_fifty_moves);
        let policy = set("Path Dependence", Some("MULLER")).unwrap().path_policy;
        assert_eq!(policy, PathPolicy::Muller);
        assert_eq!(set("no progress", Some("tracked")).unwrap().no_progress, NoProgress::Tracked);
    }

    #[test]
    fn wrong_values_are_refused() {
        for (name, value) in [
            ("Hash", Some("abc")),
            ("Hash", Some("0")),
            ("Threads", None),
            ("MultiPV", Some("257")),
            ("SyzygyProbeLimit", Some("8")),
            ("Contempt", Some("301")),
            ("UCI_Elo", Some("1319")),
            ("Skill Level", Some("21")),
            ("UCI_Variant", Some("atomic")),
            ("Slow Mover", Some("1")),
        ] {
            assert!(set(name, value).is_err(), "{name}");
        }
    }

    #[test]
    fn options_that_change_shared_state_need_an_idle_engine() {
        let idle = OPTIONS.iter().filter(|row| row.requires_idle()).map(|row| row.name);
        let expected = [
            "Hash",
            "Clear Hash",
            "Threads",
            "SyzygyPath",
            "SyzygyProbeDepth",
            "SyzygyProbeLimit",
            "Syzygy50MoveRule",
            "EvalFile",
            "Save Hash",
            "Load Hash",
            "Path Dependence",
            "No Progress",
        ];
        assert_eq!(idle.collect::<Vec<_>>(), expected);
    }

    /// `KOEL_BLESS=1 cargo test -p koel --lib readme` writes the table.
    #[test]
    fn the_table_of_the_readme_is_this_one() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md");
        let readme = fs::read_to_string(path).unwrap();
        let start = readme.find("| option | default |").expect("the README has the table");
        let length = readme[start..].find("\n\n").expect("a blank line follows") + 1;
        let table = table();
        if std::env::var_os("KOEL_BLESS").is_some() {
            let new = [&readme[..start], &table, &readme[start + length..]].concat();
            fs::write(path, new).unwrap();
        } else {
            assert_eq!(&readme[start..start + length], table);
        }
    }
}
