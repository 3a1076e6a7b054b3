//! Match runners that somebody else has installed.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use koel_arena::contest::{Contender, Contest};
use koel_arena::limits::Limits;
use koel_arena::standing::Standing;
use koel_arena::statistics::{Model, Sample};
use shakmaty::CastlingMode;
use xshell::{Shell, cmd};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Runner {
    /// Koel's own
    Builtin,
    /// fastchess
    Fastchess,
    /// cutechess-cli; its test is another one, in other units
    Cutechess,
}

/// Has it play the match; its output is shown as it comes.
pub(crate) fn play(
    shell: &Shell,
    runner: Runner,
    contest: &Contest,
    openings: &Path,
) -> Result<Standing> {
    let (variable, names) = match runner {
        Runner::Builtin => bail!("the builtin runner needs no program"),
        Runner::Fastchess => ("FASTCHESS", ["fastchess", "fast-chess"]),
        Runner::Cutechess => ("CUTECHESS", ["cutechess-cli", "cutechess"]),
    };
    let program = find(variable, &names)
        .with_context(|| format!("set {variable} to the program, or use --runner builtin"))?;
    let arguments = arguments(runner, contest, openings);
    cmd!(shell, "{program} {arguments...}").quiet().run()?;
    if runner == Runner::Cutechess {
        println!("its LLR is of games and in BayesElo: not comparable with the builtin one");
        return Ok(Standing::default());
    }
    let state = contest.state.as_ref().context("a state file is needed")?;
    let standing = standing(&shell.read_file(state)?)?;
    println!("{}", standing.report(&contest.event, contest.sprt.as_ref()));
    Ok(standing)
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

fn arguments(runner: Runner, contest: &Contest, openings: &Path) -> Vec<String> {
    let is_fastchess = runner == Runner::Fastchess;
    let is_limit_shared = contest.contenders[0].limits == contest.contenders[1].limits;
    let mut words = Vec::new();
    for contender in &contest.contenders {
        words.push("-engine".to_owned());
        words.extend(engine_words(contender, is_limit_shared));
    }
    words.extend(each_words(runner, contest));
    let format = openings.extension().unwrap_or_default().to_string_lossy().replace("fen", "epd");
    words.push("-openings".to_owned());
    words.push(format!("file={}", openings.display()));
    let mut say = |text: String| words.extend(text.split(' ').map(str::to_owned));
    say(format!("format={format} order=random"));
    say(format!("-srand {} -rounds {} -games 2 -repeat", contest.seed, contest.pairs));
    say(format!("-concurrency {} -recover", contest.concurrency));
    if contest.mode == CastlingMode::Chess960 {
        say("-variant fischerandom".to_owned());
    }
    if let Some(sprt) = contest.sprt {
        let (elo0, elo1, alpha, beta) = (sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta);
        say(format!("-sprt elo0={elo0} elo1={elo1} alpha={alpha} beta={beta}"));
        if is_fastchess {
            let model = if sprt.model == Model::Normalized { "normalized" } else { "logistic" };
            say(format!("model={model}"));
        }
    }
    words.extend(early_end_words(contest));
    if let Some(pgn) = &contest.pgn {
        let file = pgn.display();
        words.push("-pgnout".to_owned());
        words.push(if is_fastchess { format!("file={file}") } else { file.to_string() });
    }
    if let Some(state) = contest.state.as_ref().filter(|_| is_fastchess) {
        words.extend(["-config".to_owned(), format!("outname={}", state.display())]);
    }
    words
}

fn early_end_words(contest: &Contest) -> Vec<String> {
    let mut words = Vec::new();
    let mut say = |text: String| words.extend(text.split(' ').map(str::to_owned));
    if let Some(resign) = contest.adjudication.resign {
        say(format!("-resign movecount={} score={}", resign.moves, resign.score));
    }
    if let Some(draw) = contest.adjudication.draw {
        let (from, moves, score) = (draw.from_move, draw.moves, draw.score);
        say(format!("-draw movenumber={from} movecount={moves} score={score}"));
    }
    if let Some(moves) = contest.adjudication.most_moves {
        say(format!("-maxmoves {moves}"));
    }
    if let Some(tables) = &contest.tablebases {
        let folders: Vec<_> = tables.folders().iter().map(|f| f.display().to_string()).collect();
        words.extend(["-tb".to_owned(), folders.join(":")]);
    }
    words
}

/// What holds for both.
fn each_words(runner: Runner, contest: &Contest) -> Vec<String> {
    let [first, second] = &contest.contenders;
    let mut words = vec!["-each".to_owned()];
    if runner == Runner::Cutechess {
        words.push("proto=uci".to_owned());
    }
    if first.limits == second.limits {
        words.extend(limit_words(first.limits));
    }
    // Other wishes are left out: these runners set them whether the engine has them or not.
    let wishes = first.spec.wishes.iter().filter(|(name, _)| name == "Hash" || name == "Threads");
    words.extend(wishes.map(option_word));
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

fn limit_words(limits: Limits) -> Vec<String> {
    let without_clock = |limit: String| vec![limit, "tc=inf".to_owned()];
    match limits {
        Limits::Clock(control) => vec![format!("tc={control}")],
        Limits::MoveTime(time) => vec![format!("st={}", time.as_secs_f64())],
        Limits::Nodes(nodes) => without_clock(format!("nodes={nodes}")),
        Limits::Depth(depth) => without_clock(format!("depth={depth}")),
    }
}

fn option_word((name, value): &(String, String)) -> String {
    format!("option.{name}={value}")
}

/// What fastchess has written about the match.
fn standing(config: &str) -> Result<Standing> {
    let config: serde_json::Value = serde_json::from_str(config)?;
    let stats = config["stats"].as_object().and_then(|stats| stats.values().next());
    let stats = stats.context("fastchess has written no stats")?;
    let count = |name: &str| stats[name].as_u64().unwrap_or(0);
    Ok(Standing {
        games: Sample([count("losses"), count("draws"), count("wins")]),
        pairs: Sample([
            count("penta_LL"),
            count("penta_LD"),
            count("penta_DD") + count("penta_WL"),
            count("penta_WD"),
            count("penta_WW"),
        ]),
        ..Standing::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fastchess_says_how_it_went() {
        let config = r#"{"stats": {"A vs B": {"wins": 15, "losses": 4, "draws": 1,
            "penta_WW": 5, "penta_WD": 1, "penta_WL": 4, "penta_DD": 0, "penta_LD": 0,
            "penta_LL": 0}}}"#;
        let found = standing(config).unwrap();
        assert_eq!((found.games.0, found.pairs.0), ([4, 1, 15], [0, 0, 4, 1, 5]));
        assert!(standing("{}").is_err());
    }
}
