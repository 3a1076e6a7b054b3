//! The arguments that all commands that play a match have in common.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, value_parser};
use koel_files::{is_same_file, print_line};
use koel_random::fnv1a;
use shakmaty::CastlingMode;

use super::context::CommandContext;
use super::engine_args::{EngineArgs, tell_apart};
use super::file_hashes::file_hashes;
use super::find_program::fair_options;
use super::output::{OutputArgs, check_folder};
use super::sprt::wrong;
use crate::adjudication::{Adjudication, DrawRule, ResignRule};
use crate::engine::{EngineSpec, Timeouts};
use crate::match_config::{Match, MatchEngine, describe_openings};
use crate::match_journal::discard;
use crate::move_limits::{MoveLimits, TimeControl, parse_limit};
use crate::opening::{self, DEFAULT_OPENINGS, Opening};
use crate::statistics::Sprt;
use crate::tablebase::{TablebaseAdjudicator, TablebaseResults};

/// The greatest number of seconds of a timeout: a day.
const MAX_TIMEOUT: u64 = 86_400;
/// The number of pairs without `--rounds` and `--games`.
const DEFAULT_ROUNDS: u32 = 10_000;
/// The hash size of the engines in MiB.
const DEFAULT_HASH: u32 = 16;
/// The greatest length of the names of engines in the name of a file.
const MAX_NAME_LENGTH: usize = 80;

/// The arguments of a match: limits, openings, options, adjudication and files.
#[derive(Args, Clone)]
pub struct MatchArgs {
    /// Time control in seconds: 8+0.08 (with increment), 40/60+0.5 (per 40 moves), or 40/60:30+1
    /// (40 moves in 60 s, the rest in 30 s with increment); 8+0.08@500
    /// counts 500 nodes as a millisecond, whatever the load of the machine, and sets the option
    /// `nodestime` of both engines [default: 8+0.08, if the command names no other limit]
    #[arg(long, group = "limit", value_parser = |text: &str| parse_limit("tc", text))]
    tc: Option<MoveLimits>,
    /// Nodes per move, without a clock
    #[arg(long, group = "limit", value_parser = |text: &str| parse_limit("nodes", text))]
    nodes: Option<MoveLimits>,
    /// Depth of each move in plies, without a clock
    #[arg(long, group = "limit", value_parser = |text: &str| parse_limit("depth", text))]
    depth: Option<MoveLimits>,
    /// Milliseconds per move
    #[arg(long, group = "limit", value_name = "MS",
        value_parser = |text: &str| parse_limit("movetime", text))]
    movetime: Option<MoveLimits>,
    /// Greatest number of game pairs of two engines; a pair is one opening, played twice with
    /// colours swapped [default: 10,000 in a match]
    #[arg(long, conflicts_with = "games", value_parser = value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    /// Greatest number of games in all, rounded up to pairs
    #[arg(long, value_parser = value_parser!(u32).range(1..))]
    pub games: Option<u32>,
    /// Number of games played at the same time [default: one for each core]
    #[arg(long, value_parser = value_parser!(u16).range(1..))]
    concurrency: Option<u16>,
    /// Do not pin games to cores. Without a clock, and if the engines have one thread each, a game
    /// and its engines stay on one core, which makes their communication faster
    #[arg(long)]
    no_pinning: bool,
    /// Seed of the order of the openings
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Order of the openings
    #[arg(long, value_parser = ["random", "sequential"], default_value = "random")]
    order: String,
    /// Number of the opening in this order that is played first
    #[arg(long, default_value_t = 1, value_parser = value_parser!(u32).range(1..))]
    start: u32,
    /// Openings as EPD, FEN or PGN [default: a built-in set of 10,000]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Plies taken from each game of a PGN
    #[arg(long, default_value_t = 8, value_parser = value_parser!(u16).range(1..))]
    plies: u16,
    /// Hash size of both engines in MiB
    #[arg(long, default_value_t = DEFAULT_HASH, value_name = "MIB")]
    hash: u32,
    /// UCI option of both engines (repeatable); it is an error if an engine does not have it
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_option)]
    options: Vec<(String, String)>,
    /// UCI option of the first engine (repeatable)
    #[arg(long = "option-first", value_name = "NAME=VALUE", value_parser = parse_option)]
    options_first: Vec<(String, String)>,
    /// UCI option of the second engine (repeatable)
    #[arg(long = "option-second", value_name = "NAME=VALUE", value_parser = parse_option)]
    options_second: Vec<(String, String)>,
    /// Milliseconds by which a clock may be overdrawn without a loss
    #[arg(long, default_value_t = 10, value_name = "MS")]
    margin: u64,
    /// Adjudicate a loss when both engines give this score for three moves; 0 for never
    #[arg(long, default_value_t = 600, value_name = "CENTIPAWNS")]
    resign: i32,
    /// Adjudicate a draw from move 40 on when both engines stay within this score for eight moves;
    /// 0 for never
    #[arg(long, default_value_t = 10, value_name = "CENTIPAWNS")]
    draw: i32,
    /// Adjudicate a draw after this many moves of each side
    #[arg(long, default_value_t = 300, value_name = "MOVES",
        value_parser = value_parser!(u32).range(1..=10_000))]
    max_moves: u32,
    /// Folder of Syzygy tablebases that adjudicate games with few pieces (repeatable)
    #[arg(long, value_name = "FOLDER")]
    pub syzygy: Vec<PathBuf>,
    /// Results of the tablebases that end a game
    #[arg(long, value_enum, default_value_t, value_name = "RESULTS")]
    syzygy_results: TablebaseResults,
    /// Let tablebases pass over the fifty-move rule
    #[arg(long)]
    syzygy_no_fifty_moves: bool,
    /// Seconds that an engine has to start
    #[arg(long, default_value_t = 10, value_name = "SECONDS",
        value_parser = value_parser!(u64).range(..=MAX_TIMEOUT))]
    startup_timeout: u64,
    /// Seconds that an engine has to answer `isready`
    #[arg(long, default_value_t = 10, value_name = "SECONDS",
        value_parser = value_parser!(u64).range(..=MAX_TIMEOUT))]
    ready_timeout: u64,
    /// Seconds that an engine has for a move without a clock
    #[arg(long, default_value_t = 120, value_name = "SECONDS",
        value_parser = value_parser!(u64).range(..=MAX_TIMEOUT))]
    search_timeout: u64,
    /// Play the running games to their end after the first Ctrl-C; a second one ends at once
    #[arg(long)]
    stop_after_current: bool,
    /// Write nodes, speed, time left and PV into the comments of the PGN
    #[arg(long)]
    pgn_details: bool,
    /// Play every game to its end by the rules
    #[arg(long)]
    no_adjudication: bool,
    /// Check every PV of every search, not only the last one
    #[arg(long)]
    strict: bool,
    /// Play Chess960
    #[arg(long)]
    chess960: bool,
    /// PGN file to which the games are added [default: the state file with the ending .pgn]
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// State file from which the match is resumed [default: a name made of the engines and
    /// settings, in the folder of matches]
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Delete the state and its games at the end of the PGN, and start the match from its beginning
    #[arg(long)]
    pub fresh: bool,
    /// Name of the match in the PGN [default: the names of the engines]
    #[arg(long, value_name = "NAME")]
    event: Option<String>,
    /// The output beside the state and the PGN.
    #[command(flatten)]
    pub output: OutputArgs,
    /// True if only the first engine plays, against every other.
    #[arg(skip)]
    pub is_gauntlet: bool,
}

/// Parses a UCI option and its value, `NAME=VALUE`.
///
/// # Errors
/// If there is no `=`.
pub fn parse_option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("an option is given as NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

impl MatchArgs {
    /// Sets a limit of nodes per move if the arguments have no limit.
    #[must_use]
    pub fn or_nodes(mut self, nodes: u64) -> MatchArgs {
        self.nodes = self.given_limits().or(Some(MoveLimits::Nodes(nodes)));
        self
    }

    /// Checks that an output is not a file of openings.
    ///
    /// # Errors
    /// If it is.
    pub fn check_output(&self, output: &Path) -> Result<()> {
        ensure_not_read(output, &self.openings)
    }

    /// Checks that there is no option that a series of pairs does not have: each pair is a match
    /// without files of its own, and the openings are in random order.
    ///
    /// # Errors
    /// A [`clap::Error`] that names the options.
    pub fn check_series(&self) -> Result<(), clap::Error> {
        let output = &self.output;
        let given = [
            ("--state", self.state.is_some()),
            ("--pgn", self.pgn.is_some()),
            ("--order sequential", self.is_sequential()),
            ("--start", self.start > 1),
            ("--json", output.json.is_some()),
            ("--games-as-lines", output.games_as_lines),
            ("--report-every", output.report_every.is_some()),
            ("--epdout", output.epdout.is_some()),
        ];
        let given = given.iter().filter(|(_, is_given)| *is_given).map(|(name, _)| *name);
        let given: Vec<_> = given.collect();
        match given[..] {
            [] => Ok(()),
            _ => Err(wrong(&format!("a series of pairs has no {}", given.join(", ")))),
        }
    }

    /// Returns the number of pairs of two engines; `None` if the arguments have none.
    pub fn pairs(&self) -> Option<u32> {
        self.games.map(|games| games.div_ceil(2)).or(self.rounds)
    }

    /// Describes the conditions of the games, whatever the engines: the limits and the openings,
    /// and of the rest what differs from the defaults.
    ///
    /// # Errors
    /// If the openings or the tablebases cannot be read.
    pub fn description(&self) -> Result<String> {
        let openings = match &self.openings {
            None => "natural.epd".to_owned(),
            Some(path) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                format!("{name} ({})", describe_openings(&self.read_openings()?))
            }
        };
        let parts = [vec![self.limits().to_string(), openings], self.unusual_conditions()?];
        Ok(parts.concat().join(", "))
    }

    fn unusual_conditions(&self) -> Result<Vec<String>> {
        let (rules, usual) = (self.adjudication(), Adjudication::default());
        let [resign, draw, length] = [
            rules.resign.map_or(0, |rule| i64::from(rule.score)),
            rules.draw.map_or(0, |rule| i64::from(rule.score)),
            rules.max_moves.map_or(0, i64::from),
        ];
        let rules = [
            (rules.resign != usual.resign, format!("resign {resign}")),
            (rules.draw != usual.draw, format!("draw {draw}")),
            (rules.max_moves != usual.max_moves, format!("max moves {length}")),
            (self.hash != DEFAULT_HASH, format!("hash {}", self.hash)),
            (self.chess960, "Chess960".to_owned()),
        ];
        let mut parts: Vec<_> =
            rules.into_iter().filter(|(is_unusual, _)| *is_unusual).map(|(_, part)| part).collect();
        parts.extend(self.tablebases()?.map(|tables| format!("tables {}", tables.description())));
        for (place, options) in [
            ("option", &self.options),
            ("option of the first", &self.options_first),
            ("option of the second", &self.options_second),
        ] {
            parts.extend(options.iter().map(|(name, value)| format!("{place} {name}={value}")));
        }
        Ok(parts)
    }

    fn is_sequential(&self) -> bool {
        self.order == "sequential"
    }

    /// The limits of a move.
    pub fn limits(&self) -> MoveLimits {
        self.given_limits().unwrap_or(MoveLimits::Clock(DEFAULT_CLOCK))
    }

    fn given_limits(&self) -> Option<MoveLimits> {
        self.tc.or(self.nodes).or(self.depth).or(self.movetime)
    }

    fn read_openings(&self) -> Result<Vec<Opening>> {
        match &self.openings {
            Some(path) => opening::read_openings(path, self.plies.into(), self.mode())
                .with_context(|| path.display().to_string()),
            None => Ok(opening::parse_epd(DEFAULT_OPENINGS.as_bytes(), self.mode())?),
        }
    }

    fn mode(&self) -> CastlingMode {
        CastlingMode::from_chess960(self.chess960)
    }

    fn adjudication(&self) -> Adjudication {
        if self.no_adjudication {
            return Adjudication::NONE;
        }
        let resign = ResignRule { moves: 3, score: self.resign };
        Adjudication {
            resign: (self.resign > 0).then_some(resign),
            draw: (self.draw > 0).then_some(DrawRule { from_move: 40, moves: 8, score: self.draw }),
            max_moves: Some(self.max_moves),
        }
    }

    fn tablebases(&self) -> Result<Option<Arc<TablebaseAdjudicator>>> {
        if self.syzygy.is_empty() {
            return Ok(None);
        }
        let mut tables = TablebaseAdjudicator::open(&self.syzygy)?;
        tables.results = self.syzygy_results;
        tables.has_fifty_moves = !self.syzygy_no_fifty_moves;
        Ok(Some(Arc::new(tables)))
    }

    fn engine(&self, engine: EngineSpec, limits: Option<MoveLimits>, index: usize) -> MatchEngine {
        let own = match index {
            0 => &self.options_first[..],
            1 => &self.options_second[..],
            _ => &[],
        };
        let limits = limits.unwrap_or_else(|| self.limits());
        let mut options = [&self.options[..], &engine.options, own].concat();
        if let Some(nodes) = limits.nodes_per_millisecond() {
            options.push(("nodestime".to_owned(), nodes.to_string()));
        }
        if engine.ponders {
            options.push(("Ponder".to_owned(), "true".to_owned()));
        }
        if self.chess960 {
            options.push(("UCI_Chess960".to_owned(), "true".to_owned()));
        }
        let log = engine.log.clone().or_else(|| self.output.log.clone());
        let preferred_options = fair_options(self.hash);
        MatchEngine { spec: EngineSpec { options, preferred_options, log, ..engine }, limits }
    }

    /// Returns the engines with their programs, limits and names of their own.
    fn engines(
        &self,
        context: &dyn CommandContext,
        engines: &[EngineArgs],
    ) -> Result<Vec<MatchEngine>> {
        engines.iter().try_for_each(|engine| engine.check(context))?;
        let mut resolved = Vec::new();
        for (index, engine) in engines.iter().enumerate() {
            resolved.push(self.engine(engine.resolve(context)?, engine.limits, index));
        }
        tell_apart(&mut resolved);
        Ok(resolved)
    }

    /// Returns the match between engines with these arguments.
    ///
    /// # Errors
    /// If openings, tablebases, an engine or a file of the match cannot be read.
    pub fn configure(
        &self,
        context: &dyn CommandContext,
        engines: &[EngineArgs],
        sprt: Option<Sprt>,
    ) -> Result<Match> {
        let resolved = self.engines(context, engines)?;
        let (settings, mut inputs) = file_hashes(&resolved)?;
        inputs.extend(self.openings.clone());
        inputs.extend(engines.iter().filter_map(|engine| engine.file.clone()));
        let is_pinned = !self.no_pinning && resolved.iter().all(MatchEngine::is_deterministic);
        let defaults = Match::new(resolved, self.read_openings()?);
        let against_first = |pairing: &[usize; 2]| !self.is_gauntlet || pairing[0] == 0;
        let pairings: Vec<_> = defaults.pairings.iter().copied().filter(against_first).collect();
        let rounds = self.rounds.unwrap_or(DEFAULT_ROUNDS);
        let rounds = rounds.saturating_mul(u32::try_from(pairings.len())?);
        let mut config = Match {
            is_pinned,
            pairings,
            event: self.event.clone().unwrap_or(defaults.event),
            seed: self.seed,
            is_sequential: self.is_sequential(),
            skipped_openings: self.start - 1,
            timeouts: Timeouts {
                startup: Duration::from_secs(self.startup_timeout),
                ready: Duration::from_secs(self.ready_timeout),
                search: Duration::from_secs(self.search_timeout),
                ..Timeouts::default()
            },
            stops_after_current: self.stop_after_current,
            has_details: self.pgn_details,
            pairs: self.games.map_or(rounds, |games| games.div_ceil(2)),
            concurrency: match self.concurrency {
                Some(concurrency) => concurrency.into(),
                None => thread::available_parallelism()?.get(),
            },
            sprt,
            adjudication: self.adjudication(),
            tablebases: self.tablebases()?,
            margin: Duration::from_millis(self.margin),
            mode: self.mode(),
            is_strict: self.strict,
            settings,
            ..defaults
        };
        limit_pairs(&mut config);
        self.name_files(context, &mut config, &inputs)?;
        Ok(config)
    }

    /// Names the state and the PGN, and checks all files. By default other settings give other
    /// names.
    fn name_files(
        &self,
        context: &dyn CommandContext,
        config: &mut Match,
        inputs: &[PathBuf],
    ) -> Result<()> {
        let state = match &self.state {
            Some(path) => path.clone(),
            None => {
                let hash = fnv1a(format!("{:?}", config.all_settings()).as_bytes());
                let event = config.event.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
                let event = &event[..event.len().min(MAX_NAME_LENGTH)];
                context.match_folder()?.join(format!("{event}-{:08x}.json", hash as u32))
            }
        };
        let pgn = self.pgn.clone().unwrap_or_else(|| state.with_extension("pgn"));
        ensure!(
            !is_same_file(&state, &pgn),
            "the state and the PGN need two files: {} is both",
            state.display()
        );
        for file in [&state, &pgn] {
            ensure_not_read(file, inputs)?;
            check_folder(file)?;
        }
        (config.state, config.pgn) = (Some(state.clone()), Some(pgn.clone()));
        self.output.check(config, inputs)?;
        if self.fresh {
            let left = discard(&state, &pgn)?;
            if left > 0 {
                print_line!(
                    "{} keeps {left} games of the earlier match: other text follows them",
                    pgn.display()
                );
            }
        }
        Ok(())
    }
}

/// Limits a deterministic match to one pair for each opening, which always gives the same two
/// games: counting them again would make the error bars too small.
fn limit_pairs(config: &mut Match) {
    let openings = config.openings.len() * config.pairings.len();
    let openings = u32::try_from(openings).unwrap_or(u32::MAX);
    if config.engines.iter().all(MatchEngine::is_deterministic) && config.pairs > openings {
        print_line!(
            "without a clock {openings} openings give {} different games, so no more are played",
            2 * u64::from(openings)
        );
        config.pairs = openings;
    }
}

fn ensure_not_read<'p>(output: &Path, inputs: impl IntoIterator<Item = &'p PathBuf>) -> Result<()> {
    match inputs.into_iter().find(|input| is_same_file(input, output)) {
        None => Ok(()),
        Some(input) => {
            let (input, output) = (input.display(), output.display());
            bail!("{output} would be written, but {input} is read: name another file")
        }
    }
}

const DEFAULT_CLOCK: TimeControl =
    TimeControl::new(Duration::from_secs(8), Duration::from_millis(80));

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::Standalone;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: MatchArgs,
    }

    fn parse(words: &str) -> Result<MatchArgs, clap::Error> {
        let line = Line::try_parse_from(["match"].into_iter().chain(words.split_whitespace()));
        line.map(|line| line.args)
    }

    #[test]
    fn no_opening_is_played_twice_without_a_clock() {
        let pairs = |words: &str| {
            let program = EngineSpec::new("any", std::env::current_exe().unwrap());
            let state = std::env::temp_dir().join("koel-match-args.json");
            let args = MatchArgs { state: Some(state), ..parse(words).unwrap() };
            let engines = [program.clone().into(), program.into()];
            args.configure(&Standalone, &engines, None).unwrap().pairs
        };
        let openings = DEFAULT_OPENINGS.lines().count() as u32;
        assert_eq!(pairs("--nodes 1000 --games 30000"), openings);
        assert_eq!(pairs("--nodes 1000 --games 100"), 50);
        assert_eq!(pairs("--tc 1+0.01 --games 12000"), 6000);
        assert_eq!(pairs("--nodes 1000 --games 12000 --option-first Threads=2"), 6000);
        assert_eq!(pairs("--tc 1+0.01"), DEFAULT_ROUNDS);
    }

    #[test]
    fn a_series_refuses_what_it_would_ignore() {
        let check = |words: &str| parse(words).unwrap().check_series();
        for words in ["", "--games 3 --seed 2", "--rounds 2 --order random --start 1 --fresh"] {
            assert!(check(words).is_ok(), "{words}");
        }
        let all = "--state a --pgn b --order sequential --start 7 --json c --games-as-lines \
                   --report-every 2 --epdout d";
        let error = check(all).unwrap_err().to_string();
        let names = all.split_whitespace().filter(|word| word.starts_with("--"));
        names.for_each(|name| assert!(error.contains(name), "{name}: {error}"));
        let pairs = |words: &str| parse(words).unwrap().pairs();
        assert_eq!(["", "--rounds 2", "--games 7"].map(pairs), [None, Some(2), Some(4)]);
    }

    #[test]
    fn a_description_has_what_differs_from_the_defaults() {
        let describe = |words: &str| parse(words).unwrap().description().unwrap();
        let usual = describe("--nodes 12000");
        assert_eq!(usual, "12000 nodes, natural.epd");
        let same = "--nodes 12000 --resign 600 --hash 16 --games 8 --seed 3 --concurrency 1";
        assert_eq!(describe(same), usual);
        for (words, expected) in [
            ("--resign 0 --max-moves 2", "resign 0, max moves 2"),
            ("--draw 20 --option Hash=64", "draw 20, option Hash=64"),
            ("--no-adjudication", "resign 0, draw 0, max moves 0"),
            ("--hash 8 --chess960", "hash 8, Chess960"),
            (
                "--option-first A=1 --option-second A=1",
                "option of the first A=1, option of the second A=1",
            ),
        ] {
            assert_eq!(describe(&format!("--nodes 12000 {words}")), format!("{usual}, {expected}"));
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.epd");
        let of_file = |text: &str| {
            std::fs::write(&path, text).unwrap();
            describe(&format!("--openings {}", path.display()))
        };
        let opening = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
        let found = of_file(opening);
        assert!(found.starts_with("8+0.08, book.epd (1 "), "{found}");
        assert_ne!(of_file(&opening.replace("4P3", "3P4").replace("PPPP1", "PPP1P")), found);
    }
}
