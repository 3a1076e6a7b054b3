//! External match runners: fastchess and cutechess-cli, if they are installed.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use koel_files::IN_MEMORY;
use shakmaty::CastlingMode;

use crate::match_config::{Contender, Match};
use crate::match_score::MatchScore;
use crate::move_limits::MoveLimits;
use crate::statistics::{EloModel, ResultCounts};

/// The program that plays a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[non_exhaustive]
pub enum Runner {
    /// The runner of this program
    Builtin,
    /// fastchess
    Fastchess,
    /// cutechess-cli; its SPRT counts games and is in BayesElo
    Cutechess,
}

/// Plays the match with an external runner, whose output goes to the terminal.
pub(super) fn play(runner: Runner, config: &Match, openings: &Path) -> Result<MatchScore> {
    let counts_nodes = |contender: &Contender| contender.limits.nodes_per_millisecond().is_some();
    ensure!(
        !config.contenders.iter().any(counts_nodes),
        "only the built-in runner has a clock that counts nodes"
    );
    let (variable, names) = match runner {
        Runner::Builtin => bail!("the builtin runner is not an external program"),
        Runner::Fastchess => ("FASTCHESS", ["fastchess", "fast-chess"]),
        Runner::Cutechess => ("CUTECHESS", ["cutechess-cli", "cutechess"]),
    };
    let program = find(variable, &names)
        .with_context(|| format!("set {variable} to the program, or use --runner builtin"))?;
    let mut command = Command::new(&program);
    let status = command.args(arguments(runner, config, openings)).status();
    let status = status.with_context(|| program.display().to_string())?;
    ensure!(status.success(), "{}: {status}", program.display());
    if runner == Runner::Cutechess {
        println!("its LLR is of games and in BayesElo: not comparable with the builtin one");
        return Ok(MatchScore::default());
    }
    let state = config.state.as_ref().context("a state file is needed")?;
    let text = koel_files::read_to_string(state, IN_MEMORY)
        .with_context(|| state.display().to_string())?;
    let score = read_score(&text)?;
    println!("{}", score.report(&config.event, config.sprt.as_ref()));
    Ok(score)
}

fn find(variable: &str, names: &[&str]) -> Option<PathBuf> {
    if let Some(program) = env::var_os(variable) {
        return Some(program.into());
    }
    let path = env::var_os("PATH")?;
    let folders: Vec<_> = env::split_paths(&path).collect();
    let programs = names.iter().flat_map(|name| folders.iter().map(move |f| f.join(name)));
    programs.into_iter().find(|program| program.is_file())
}

fn arguments(runner: Runner, config: &Match, openings: &Path) -> Vec<String> {
    let is_fastchess = runner == Runner::Fastchess;
    let is_limit_shared = config.contenders[0].limits == config.contenders[1].limits;
    let mut words = Vec::new();
    for contender in &config.contenders {
        words.push("-engine".to_owned());
        words.extend(engine_words(contender, is_limit_shared));
    }
    words.extend(each_words(runner, config));
    let format = openings.extension().unwrap_or_default().to_string_lossy().replace("fen", "epd");
    words.push("-openings".to_owned());
    words.push(format!("file={}", openings.display()));
    let mut add = |text: String| words.extend(text.split(' ').map(str::to_owned));
    add(format!("format={format} order=random"));
    add(format!("-srand {} -rounds {} -games 2 -repeat", config.seed, config.pairs));
    add(format!("-concurrency {} -recover", config.concurrency));
    if config.mode == CastlingMode::Chess960 {
        add("-variant fischerandom".to_owned());
    }
    if let Some(sprt) = config.sprt {
        let (elo0, elo1, alpha, beta) = (sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta);
        add(format!("-sprt elo0={elo0} elo1={elo1} alpha={alpha} beta={beta}"));
        if is_fastchess {
            let model = if sprt.model == EloModel::Normalized { "normalized" } else { "logistic" };
            add(format!("model={model}"));
        }
    }
    words.extend(early_end_words(config));
    if let Some(pgn) = &config.pgn {
        let file = pgn.display();
        words.push("-pgnout".to_owned());
        words.push(if is_fastchess { format!("file={file}") } else { file.to_string() });
    }
    if let Some(state) = config.state.as_ref().filter(|_| is_fastchess) {
        words.extend(["-config".to_owned(), format!("outname={}", state.display())]);
    }
    words
}

fn early_end_words(config: &Match) -> Vec<String> {
    let mut words = Vec::new();
    let mut add = |text: String| words.extend(text.split(' ').map(str::to_owned));
    if let Some(resign) = config.adjudication.resign {
        add(format!("-resign movecount={} score={}", resign.moves, resign.score));
    }
    if let Some(draw) = config.adjudication.draw {
        let (from, moves, score) = (draw.from_move, draw.moves, draw.score);
        add(format!("-draw movenumber={from} movecount={moves} score={score}"));
    }
    if let Some(moves) = config.adjudication.max_moves {
        add(format!("-maxmoves {moves}"));
    }
    if let Some(tables) = &config.tablebases {
        let folders: Vec<_> = tables.folders().iter().map(|f| f.display().to_string()).collect();
        words.extend(["-tb".to_owned(), folders.join(":")]);
    }
    words
}

/// The arguments for both engines.
fn each_words(runner: Runner, config: &Match) -> Vec<String> {
    let [first, second] = &config.contenders;
    let mut words = vec!["-each".to_owned()];
    if runner == Runner::Cutechess {
        words.push("proto=uci".to_owned());
    }
    if first.limits == second.limits {
        words.extend(limit_words(first.limits));
    }
    // These runners also set options that an engine lacks, so only those that every engine has.
    let options = first.spec.preferred_options.iter();
    let options = options.filter(|(name, _)| name == "Hash" || name == "Threads");
    words.extend(options.map(option_word));
    words
}

fn engine_words(contender: &Contender, is_limit_shared: bool) -> Vec<String> {
    let spec = &contender.spec;
    let mut words = vec![format!("cmd={}", spec.command.display()), format!("name={}", spec.name)];
    if !spec.arguments.is_empty() {
        words.push(format!("args={}", spec.arguments.join(" ")));
    }
    if !is_limit_shared {
        words.extend(limit_words(contender.limits));
    }
    words.extend(spec.options.iter().map(option_word));
    words
}

fn limit_words(limits: MoveLimits) -> Vec<String> {
    let without_clock = |limit: String| vec![limit, "tc=inf".to_owned()];
    match limits {
        MoveLimits::Clock(control) => vec![format!("tc={control}")],
        MoveLimits::MoveTime(time) => vec![format!("st={}", time.as_secs_f64())],
        MoveLimits::Nodes(nodes) => without_clock(format!("nodes={nodes}")),
        MoveLimits::Depth(depth) => without_clock(format!("depth={depth}")),
    }
}

fn option_word((name, value): &(String, String)) -> String {
    format!("option.{name}={value}")
}

/// Reads the score from the state file of fastchess.
fn read_score(state: &str) -> Result<MatchScore> {
    let state: serde_json::Value = serde_json::from_str(state)?;
    let stats = state["stats"].as_object().and_then(|stats| stats.values().next());
    let stats = stats.context("the state file of fastchess has no stats")?;
    let count = |name: &str| stats[name].as_u64().unwrap_or(0);
    Ok(MatchScore {
        games: ResultCounts([count("losses"), count("draws"), count("wins")]),
        pairs: ResultCounts([
            count("penta_LL"),
            count("penta_LD"),
            count("penta_DD") + count("penta_WL"),
            count("penta_WD"),
            count("penta_WW"),
        ]),
        ..MatchScore::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_score_of_fastchess_is_read() {
        let state = r#"{"stats": {"A vs B": {"wins": 15, "losses": 4, "draws": 1,
            "penta_WW": 5, "penta_WD": 1, "penta_WL": 4, "penta_DD": 0, "penta_LD": 0,
            "penta_LL": 0}}}"#;
        let found = read_score(state).unwrap();
        assert_eq!((found.games.0, found.pairs.0), ([4, 1, 15], [0, 0, 4, 1, 5]));
        assert!(read_score("{}").is_err());
    }
}
