//! Matches that fastchess plays instead of this workspace's own runner: the same engines, options,
//! limits, openings, rules and test, as its command line.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::available_parallelism;

use anyhow::{Context, Error, Result, ensure};
use clap::Args;
use koel_arena::cli::{CommandContext, MatchArgs, find_program, interrupt_flag, is_interrupted};
use koel_arena::shakmaty::fen::Fen;
use koel_arena::shakmaty::uci::UciMove;
use koel_arena::shakmaty::{CastlingMode, EnPassantMode, Position};
use koel_arena::statistics::{Decision, EloModel, ResultCounts};
use koel_arena::{
    CancelToken, Conclusion, EngineProcess, EngineSpec, Match, MatchEngine, MatchObserver,
    MatchScore, MoveLimits, Opening, TablebaseResults, Timeouts,
};
use koel_files::{IN_MEMORY, print_line};
use koel_random::fnv1a;
use serde_json::Value;

use crate::workspace::Workspace;

/// The choice of the runner.
#[derive(Args)]
pub(crate) struct RunnerArgs {
    /// Program that plays the games; the variable FASTCHESS may name one that is not on the search
    /// path
    #[arg(long, value_parser = ["builtin", "fastchess"], default_value = "builtin")]
    runner: String,
    /// Print the command line of fastchess, and play nothing
    #[arg(long)]
    dry_run: bool,
}

impl RunnerArgs {
    /// Returns fastchess if it plays the games. Nothing has been built or deleted before.
    pub(crate) fn fastchess<'w>(
        &self,
        workspace: &'w Workspace,
        args: &MatchArgs,
    ) -> Result<Option<Fastchess<'w>>> {
        if self.runner == "builtin" {
            ensure!(
                !self.dry_run,
                "--dry-run prints a command line: use it with --runner fastchess"
            );
            return Ok(None);
        }
        ensure!(!args.fresh, "--fresh is for the state of the built-in runner");
        let named = env::var_os("FASTCHESS").map(PathBuf::from);
        let program = match named.or_else(|| find_program("fastchess").map(|found| found.command)) {
            None if self.dry_run => "fastchess".into(),
            program => program.context(
                "fastchess is not on the search path (FASTCHESS may name it): it is from \
                 https://github.com/Disservin/fastchess",
            )?,
        };
        Ok(Some(Fastchess { workspace, program, is_dry_run: self.dry_run }))
    }
}

/// fastchess, as the runner of a match.
pub(crate) struct Fastchess<'w> {
    workspace: &'w Workspace,
    program: PathBuf,
    is_dry_run: bool,
}

impl CommandContext for Fastchess<'_> {
    fn resolve(&self, engine: &str) -> Result<EngineSpec> {
        self.workspace.resolve(engine)
    }

    fn check(&self, engine: &str) -> Result<()> {
        self.workspace.check(engine)
    }

    fn match_folder(&self) -> Result<PathBuf> {
        self.workspace.match_folder()
    }

    /// Plays the match, or what is left of it, and reads its score. The files of fastchess are
    /// beside the state of the built-in runner, and have their own names for each command line.
    fn play(
        &self,
        config: &Match,
        args: &MatchArgs,
        _: MatchObserver<'_>,
    ) -> Result<Option<(Conclusion, Vec<MatchScore>)>> {
        check(config)?;
        let (mut words, openings) = (arguments(config, args)?, openings(config)?);
        // The settings have hashes of the programs.
        let match_text = format!("{words:?}{openings}{:?}", config.settings);
        let hash = fnv1a(match_text.as_bytes()) as u32;
        let state = config.state.as_ref().context("a match has a state")?;
        let file = |ending| state.with_extension(format!("fastchess-{hash:08x}.{ending}"));
        let (result, book) = (file("json"), file("epd"));
        koel_files::replace(&book, openings).with_context(|| book.display().to_string())?;
        words.extend(["-openings".into(), format!("file={}", book.display())]);
        words.extend(["format=epd", "order=sequential", "-config"].map(str::to_owned));
        words.push(format!("outname={}", result.display()));
        if self.is_dry_run {
            words.insert(0, self.program.display().to_string());
            print_line!("{}", line(&words));
            return Ok(None);
        }
        print_line!("{}", result.display());
        if result.is_file() {
            let score = read_score(config, &result)?;
            if let Some(conclusion) = conclusion(config, &score) {
                return Ok(Some((conclusion, vec![score])));
            }
            let path = result.display();
            words = vec!["-config".into(), format!("file={path}"), format!("outname={path}")];
        }
        interrupt_flag()?;
        let status = Command::new(&self.program).args(&words).status();
        let status = status.with_context(|| self.program.display().to_string())?;
        let is_done = status.success() || is_interrupted();
        ensure!(is_done, "{} ended with {status}", self.program.display());
        let score = read_score(config, &result)?;
        let conclusion = conclusion(config, &score).unwrap_or(Conclusion::Cancelled);
        Ok(Some((conclusion, vec![score])))
    }
}

/// Returns how a match has ended; `None` if games are left to play.
fn conclusion(config: &Match, score: &MatchScore) -> Option<Conclusion> {
    match config.sprt.map(|sprt| sprt.decide(&score.pairs)) {
        Some(Decision::AcceptElo0 | Decision::AcceptElo1) => Some(Conclusion::Decided),
        _ if score.games.total() >= 2 * u64::from(config.pairs) => Some(Conclusion::Complete),
        _ => None,
    }
}

/// Refuses what fastchess cannot do.
fn check(config: &Match) -> Result<()> {
    let engines = &config.engines;
    let has = |is: fn(&MatchEngine) -> bool| engines.iter().any(is);
    let has_blank = |engine: &MatchEngine| engine.spec.arguments.iter().any(|a| a.contains(' '));
    for (is_asked, what) in [
        (engines.len() != 2, "more than two engines"),
        (has(|engine| engine.limits.to_string().contains('@')), "a clock of nodes"),
        (
            has(|engine| engine.limits.to_string().contains(':')),
            "a time control of several periods",
        ),
        (has(|engine| engine.spec.ponders), "pondering"),
        (has(|engine| !engine.spec.environment.is_empty()), "variables of an engine"),
        (has(has_blank), "an argument of an engine with a blank in it"),
        (engines.windows(2).any(|two| two[0].spec.log != two[1].spec.log), "a log of one engine"),
        (config.is_strict, "--strict"),
        (config.stops_after_current, "--stop-after-current"),
        (config.timeouts.search != Timeouts::default().search, "--search-timeout"),
    ] {
        ensure!(!is_asked, "fastchess does not have this: {what}");
    }
    Ok(())
}

/// Returns the arguments of fastchess but for the files of openings and results.
fn arguments(config: &Match, args: &MatchArgs) -> Result<Vec<String>> {
    let mut words = Vec::new();
    for engine in &config.engines {
        words.push("-engine".into());
        words.extend(engine_words(engine, config)?);
    }
    // Behind the engines, to which it applies.
    words.extend(["-each".into(), format!("timemargin={}", config.margin.as_millis())]);
    let mut add = |text: &str| words.extend(text.split(' ').map(str::to_owned));
    add(&format!("-rounds {} -games 2 -repeat -recover", config.pairs));
    add(&format!("-concurrency {}", config.concurrency));
    if config.concurrency > available_parallelism()?.get() {
        add("-force-concurrency");
    }
    if config.mode == CastlingMode::Chess960 {
        add("-variant fischerandom");
    }
    if let Some(sprt) = config.sprt {
        let model = if sprt.model == EloModel::Normalized { "normalized" } else { "logistic" };
        let (elo0, elo1, alpha, beta) = (sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta);
        add(&format!("-sprt elo0={elo0} elo1={elo1} alpha={alpha} beta={beta} model={model}"));
    }
    if let Some(rule) = config.adjudication.resign {
        add(&format!("-resign movecount={} score={} twosided=true", rule.moves, rule.score));
    }
    if let Some(rule) = config.adjudication.draw {
        let (from, moves, score) = (rule.from_move, rule.moves, rule.score);
        add(&format!("-draw movenumber={from} movecount={moves} score={score}"));
    }
    if let Some(moves) = config.adjudication.max_moves {
        add(&format!("-maxmoves {moves}"));
    }
    let (timeouts, usual) = (config.timeouts, Timeouts::default());
    if timeouts.startup != usual.startup {
        add(&format!("-startup-ms {}", timeouts.startup.as_millis()));
    }
    if timeouts.ready != usual.ready {
        add(&format!("-ping-ms {}", timeouts.ready.as_millis()));
    }
    if let Some(games) = args.output.report_every {
        add(&format!("-ratinginterval {games}"));
    }
    if let Some(tables) = &config.tablebases {
        let folders = env::join_paths(&args.syzygy)?.to_string_lossy().into_owned();
        let results = match tables.results {
            TablebaseResults::Both => "BOTH",
            TablebaseResults::Wins => "WIN_LOSS",
            TablebaseResults::Draws => "DRAW",
        };
        words.extend(["-tb".into(), folders, "-tbadjudicate".into(), results.into()]);
        words.extend((!tables.has_fifty_moves).then(|| "-tbignore50".into()));
    }
    words.extend(["-event".into(), config.event.clone()]);
    words.extend(file_words(config, args));
    Ok(words)
}

fn file_words(config: &Match, args: &MatchArgs) -> Vec<String> {
    let mut words = Vec::new();
    let log = config.engines[0].spec.log.as_deref();
    let details = if config.has_details { "nodes=true nps=true timeleft=true pv=true" } else { "" };
    for (name, path, more) in [
        ("-pgnout", config.pgn.as_deref(), details),
        ("-epdout", args.output.epdout.as_deref(), ""),
        ("-log", log, "level=trace engine=true"),
    ] {
        let Some(path) = path else { continue };
        words.extend([name.to_owned(), format!("file={}", path.display())]);
        words.extend(more.split_whitespace().map(str::to_owned));
    }
    words
}

/// Starts the engine, which must have its options, and returns what fastchess is told of it.
/// fastchess does not know options that are set only if an engine has them.
fn engine_words(engine: &MatchEngine, config: &Match) -> Result<Vec<String>> {
    let spec = &engine.spec;
    let running = EngineProcess::start(spec, config.timeouts, CancelToken::NEVER)?;
    let options = running.chosen_options(spec).map_err(Error::msg)?;
    // Of the variant fastchess tells the engines itself.
    let options = options.into_iter().filter(|(name, _)| name != "UCI_Chess960");
    let mut words = vec![format!("cmd={}", spec.command.display()), format!("name={}", spec.name)];
    words
        .extend((!spec.arguments.is_empty()).then(|| format!("args={}", spec.arguments.join(" "))));
    words.extend(spec.folder.as_ref().map(|folder| format!("dir={}", folder.display())));
    words.push(match engine.limits {
        MoveLimits::Clock(control) => format!("tc={control}"),
        MoveLimits::MoveTime(time) => format!("st={}", time.as_secs_f64()),
        MoveLimits::Nodes(nodes) => format!("nodes={nodes}"),
        MoveLimits::Depth(depth) => format!("depth={depth}"),
    });
    words.extend(options.map(|(name, value)| format!("option.{name}={value}")));
    Ok(words)
}

/// Returns the openings in the order of the match, one FEN a line, as many as are played.
fn openings(config: &Match) -> Result<String> {
    let fen = |opening: &Opening| -> Result<String> {
        let mut position = opening.start(config.mode).map_err(Error::msg)?;
        for m in &opening.moves {
            let m = m.as_str().parse::<UciMove>()?.to_move(&position)?;
            position.play_unchecked(m);
        }
        Ok(format!("{}\n", Fen::from_position(&position, EnPassantMode::Legal)))
    };
    config.openings_in_order().take(config.pairs as usize).map(fen).collect()
}

/// Reads the score from the file of results.
fn read_score(config: &Match, path: &Path) -> Result<MatchScore> {
    let of = || format!("{} has no result of fastchess", path.display());
    let text = koel_files::read_to_string(path, IN_MEMORY).with_context(of)?;
    let file: Value = serde_json::from_str(&text).with_context(of)?;
    let [first, second] = [0, 1].map(|index| config.engines[index].spec.name.as_str());
    let stats = |one, other| file["stats"].get(format!("{one} vs {other}"));
    let own = stats(first, second);
    let stats = own.or_else(|| stats(second, first)).with_context(of)?;
    let count = |name: &str| stats[name].as_u64().with_context(|| format!("{}: {name}", of()));
    let mut games = [count("losses")?, count("draws")?, count("wins")?];
    let even = count("penta_WL")? + count("penta_DD")?;
    let [ll, ld] = [count("penta_LL")?, count("penta_LD")?];
    let mut pairs = [ll, ld, even, count("penta_WD")?, count("penta_WW")?];
    if own.is_none() {
        games.reverse();
        pairs.reverse();
    }
    let (games, pairs) = (ResultCounts(games), ResultCounts(pairs));
    Ok(MatchScore { games, pairs, ..MatchScore::default() })
}

/// Returns words as a shell reads them.
fn line(words: &[String]) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_=+./:,@%".contains(c);
    let quoted = |word: &String| match word.chars().all(is_plain) {
        true => word.clone(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}
