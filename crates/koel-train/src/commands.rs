//! The command line: the commands with their arguments and their output.

#![allow(clippy::print_stderr, reason = "a command-line tool")]

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command as Process, ExitCode};

use anyhow::{Context, Result, ensure};
use clap::{Args, Parser, Subcommand};
use koel_arena::{CancelToken, EngineProcess, EngineSpec, Timeouts};
use koel_eval::{BUILT_IN, KING_BUCKETS, NEURONS};
use koel_files::print_line;

use crate::judge::{make_judge, read_judge, read_openings};
use crate::label_source::LabelSource;
use crate::load_evaluation::{evaluation_sha256, load_evaluation};
use crate::loss_comparison::LossComparison;
use crate::number_arguments::count;
use crate::opening::match_openings;
use crate::pgn_import::{ImportTotals, import_pgn};
use crate::phase_values::PhaseValues;
use crate::pipeline::{TrainedNetwork, TrainingJob, read_checkpoints, train_network};
use crate::priority;
use crate::reproduce::reproduce;
use crate::selfplay::{GAMES_FILE, SelfplayGoal, selfplay};
use crate::selfplay_settings::SelfplaySettings;
use crate::store::RunStore;
use crate::train::compute::ComputeOptions;
use crate::train::plan::TrainingPlan;
use crate::viriformat::for_each_game;
use crate::wdl::WdlCounts;

/// Self-play, training data and the trainer of Koel's networks
#[derive(Parser)]
#[command(name = "koel-train", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play games of self-play and write them to a file
    Selfplay(Box<Selfplay>),
    /// Import games in PGN, as OpenBench's workers play them
    Import {
        /// PGN files with a score in the comment of each move, as OpenBench's workers write them
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The folder for the games, which `train` reads like that of `selfplay`; it holds none yet
        #[arg(long)]
        out: PathBuf,
        /// The commit that played the games, for the manifest
        #[arg(long, default_value = "unknown")]
        commit: String,
    },
    /// List the runs of self-play in the store
    Runs {
        /// The folder of the store [default: $KOEL_DATA, or .local/share/koel/games in the home
        /// folder]
        #[arg(long)]
        store: Option<PathBuf>,
    },
    /// Fit the win-draw-loss model to games
    FitWdl {
        /// Folders of self-play
        #[arg(required = true)]
        folders: Vec<PathBuf>,
    },
    /// Train a network with games
    Train(Train),
    /// Compare the losses of networks by a judge
    Losses(Losses),
    /// Make a judge: quiet positions of natural games with the scores of another engine and Koel's
    Judge(Judge),
    /// Judge sources of labels: their error and their share of what the judge asks of a network
    Labels(Losses),
    /// Generate natural openings for matches, with the built-in network
    Openings {
        /// EPD file for the openings
        #[arg(long)]
        output: PathBuf,
        /// Number of openings
        #[arg(long, default_value_t = 10_000)]
        count: usize,
        /// The random seed
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Reproduce a network from its manifest and compare the hashes
    Reproduce {
        /// The manifest of the network, in a folder with the networks and checkpoints that it names
        manifest: PathBuf,
        /// The folder for the games; an interrupted run there is continued
        #[arg(long)]
        work: PathBuf,
        /// Folders of games that are not played again if they are those of the manifest; imported
        /// ones cannot be
        #[arg(long, num_args = 1..)]
        data: Vec<PathBuf>,
        /// Threads of self-play and training
        #[arg(long, default_value_t = 1)]
        threads: usize,
    },
}

#[derive(Args)]
struct Selfplay {
    /// The folder of the run; a run that it holds is continued [default: the folder of the run in
    /// the store]
    #[arg(long, conflicts_with = "store")]
    out: Option<PathBuf>,
    /// The folder of the store [default: $KOEL_DATA, or .local/share/koel/games in the home folder]
    #[arg(long)]
    store: Option<PathBuf>,
    #[command(flatten)]
    goal: SelfplayGoal,
    /// Games played in parallel; the result does not depend on it
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// The random seed of the run [default: that of the newest run of the store with the same
    /// settings and commit, which is continued, or else a new one]
    #[arg(long)]
    run: Option<u64>,
    #[command(flatten)]
    settings: SelfplaySettings,
    /// Hard node limit of a full search [default: 20 times the soft limit]
    #[arg(long)]
    hard_nodes: Option<PhaseValues<u64>>,
    /// The folder of networks
    #[arg(long, default_value = "nets")]
    nets: PathBuf,
    /// The commit to record in the settings [default: that of the working tree]
    #[arg(long)]
    commit: Option<String>,
}

#[derive(Args)]
struct Train {
    /// Folders of self-play
    #[arg(long, required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// The name of the network: letters, digits, `-`, `_` and `.`
    #[arg(long, value_parser = network_name)]
    name: String,
    /// The folder for NAME.koelnet, NAME.checkpoint, NAME.toml and NAME.svg, and during the
    /// training NAME.training, from which the same command continues after an interruption
    #[arg(long, default_value = "nets")]
    out: PathBuf,
    /// The networks whose checkpoints in the same folder the training continues from, by the mean
    /// of their weights; without one the initial weights are random
    #[arg(long = "parent", num_args = 1.., value_name = "PARENT")]
    parents: Vec<String>,
    #[command(flatten)]
    plan: TrainingPlan,
    /// Threads, at most 4; the result does not depend on it
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

#[derive(Args)]
#[command(
    after_help = "Another engine's centipawns have another size: in each phase the scores of \
a source are multiplied with the factor that makes its loss the least. It stands below the loss as \
`x 0.80`."
)]
struct Losses {
    /// Networks of --nets, NETWORK:NODES for searches, `material`, or folders of runs of self-play
    /// for the full searches of their settings; the others are compared with the first
    #[arg(required = true)]
    sources: Vec<String>,
    /// The judge, whose two truths are compared each by itself
    #[arg(long)]
    judge: PathBuf,
    /// Compare by so many of its positions [default: all, for `labels` 1000]
    #[arg(long, value_parser = count)]
    positions: Option<usize>,
    /// The folder of networks
    #[arg(long, default_value = "nets")]
    nets: PathBuf,
}

#[derive(Args)]
struct Judge {
    /// The other engine, a program that speaks UCI
    #[arg(long)]
    engine: PathBuf,
    /// EPD file of the openings of its games
    #[arg(long)]
    openings: PathBuf,
    /// The source of Koel's own scores, as in `labels`
    #[arg(long, default_value_t = format!("{BUILT_IN}:50000"))]
    own: String,
    /// The file of the judge
    #[arg(long)]
    output: PathBuf,
    /// The random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder of networks
    #[arg(long, default_value = "nets")]
    nets: PathBuf,
}

/// Executes the arguments of the process.
#[must_use]
pub fn run_command_line() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Selfplay(command) => command.run(),
        Command::Import { files, out, commit } => import(&files, &out, &commit),
        Command::Runs { store } => runs(store),
        Command::FitWdl { folders } => fit_wdl(&folders),
        Command::Train(command) => command.run(),
        Command::Losses(command) => command.run(false),
        Command::Judge(command) => command.run(),
        Command::Labels(command) => command.run(true),
        Command::Openings { output, count, seed } => openings(&output, count, seed),
        Command::Reproduce { manifest, work, data, threads } => {
            let compute = ComputeOptions::with_threads(threads);
            reproduce(&manifest, &work, &data, compute, &mut |line| print_line!("{line}"))
                .map(|()| print_line!("games, checkpoint and network are identical"))
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

impl Selfplay {
    fn run(self) -> Result<()> {
        let mut settings = self.settings;
        settings.commit = self.commit.unwrap_or_else(commit);
        settings.hard_nodes = self
            .hard_nodes
            .unwrap_or_else(|| settings.soft_nodes.map(|nodes| nodes.saturating_mul(20)));
        let openings = settings.natural_opening_share + settings.short_opening_share;
        ensure!(openings <= 1.0, "the shares of natural and short openings add up to more than 1");
        let evaluation = load_evaluation(&settings.evaluation, &self.nets)?;
        settings.evaluation_sha256 = evaluation_sha256(&evaluation);
        let folder = match self.out {
            Some(folder) => {
                settings.run = self.run.unwrap_or(settings.run);
                folder
            }
            None => {
                let store = RunStore::open(self.store)?;
                settings.run = self.run.map_or_else(|| store.seed_for(&settings), Ok)?;
                store.run_folder(settings.run)
            }
        };
        let mut report = |line: &str| eprintln!("{line}");
        report(&folder.display().to_string());
        priority::lower();
        let totals =
            selfplay(&folder, &settings, &evaluation, self.goal, self.threads, &mut report)?;
        print_line!("{} games, {} positions, {} kept", totals.games, totals.positions, totals.kept);
        Ok(())
    }
}

/// Returns the commit of the working tree, marked if files differ from it.
fn commit() -> String {
    let arguments = ["describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"];
    let output = Process::new("git").args(arguments).output();
    let output = output.ok().filter(|output| output.status.success());
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    text.unwrap_or_else(|| "unknown".to_owned())
}

fn import(files: &[PathBuf], out: &Path, commit: &str) -> Result<()> {
    let open =
        |path: &PathBuf| koel_pgn::open_text(path).with_context(|| path.display().to_string());
    let inputs = files.iter().map(open).collect::<Result<Vec<_>>>()?;
    let ImportTotals { games, positions, left_out } = import_pgn(inputs, out, commit)?;
    ensure!(
        games > 0,
        "no game was imported ({left_out} left out): expected PGN as text, with results and a \
         score in the comment of each move"
    );
    print_line!("{games} games, {positions} positions; {left_out} left out");
    Ok(())
}

fn runs(store: Option<PathBuf>) -> Result<()> {
    print_line!("   run     commit  network  nodes      games    positions         kept sha256");
    for (settings, totals, sha256) in RunStore::open(store)?.runs()? {
        print_line!(
            "{:>6} {:>10.10} {:>8} {:>6} {:>10} {:>12} {:>12} {sha256:.16}",
            settings.run,
            settings.commit,
            settings.evaluation,
            settings.soft_nodes.to_string(),
            totals.games,
            totals.positions,
            totals.kept
        );
    }
    Ok(())
}

fn fit_wdl(folders: &[PathBuf]) -> Result<()> {
    let mut counts = WdlCounts::default();
    for folder in folders {
        for_each_game(&folder.join(GAMES_FILE), u32::MAX, |game| counts.count(game))?;
    }
    ensure!(counts.positions() > 0, "no positions with a score below 1,000: expected games");
    let model = counts.fit();
    print_line!("{} positions\n{model}", counts.positions());
    print_line!("material  half won at  won, drawn, lost with 0, 100, 300 centipawns");
    for material in [20, 30, 40, 50, 60, 70, 78] {
        let rows = [0.0, 100.0, 300.0].map(|score| {
            let row = model.probabilities(score, material).map(|share| format!("{share:.2}"));
            row.join(" ")
        });
        print_line!("{material:>8}  {:>11.0}  {}", model.half_wins(material), rows.join("   "));
    }
    Ok(())
}

/// Parses the name of a network, which is part of the names of its files.
fn network_name(text: &str) -> Result<String, String> {
    let is_valid = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    let name = Some(text).filter(|text| !text.is_empty() && text.chars().all(is_valid));
    name.map(str::to_owned).ok_or("expected letters, digits, `-`, `_` and `.` alone".to_owned())
}

impl Train {
    fn run(self) -> Result<()> {
        let file = |extension: &str| self.out.join(format!("{}.{extension}", self.name));
        let state_file = file("training");
        // Otherwise they are those of this training, which was interrupted at its end.
        if !state_file.exists() {
            TrainedNetwork::EXTENSIONS
                .iter()
                .try_for_each(|extension| ensure_new(&file(extension)))?;
        }
        let job = TrainingJob {
            parents: read_checkpoints(&self.parents, &self.out)?,
            plan: self.plan,
            compute: ComputeOptions::with_threads(self.threads),
            state_file: Some(state_file.clone()),
            ..TrainingJob::new(&self.name, self.data)
        };
        fs::create_dir_all(&self.out).with_context(|| self.out.display().to_string())?;
        let trained =
            train_network::<KING_BUCKETS, NEURONS>(&job, &mut |line| print_line!("{line}"))?;
        let error = trained.manifest.quantisation;
        print_line!(
            "quantisation error: mean {:.2} cp, maximum {:.1} cp, {} positions",
            error.mean,
            error.max,
            error.positions
        );
        trained.save(&self.out)?;
        Ok(fs::remove_file(state_file)?)
    }
}

impl Losses {
    /// Prints the comparisons by the two truths of the judge, of labels with their shares.
    fn run(self, is_of_labels: bool) -> Result<()> {
        let named = |name: &String| LabelSource::named(name, &self.nets);
        let mut sources = self.sources.iter().map(named).collect::<Result<Vec<_>>>()?;
        let judge = read_judge(&self.judge)?;
        let count = self.positions.unwrap_or(if is_of_labels { 1_000 } else { judge.len() });
        let [mut reference, mut own] =
            [(); 2].map(|()| LossComparison::new(&self.sources, is_of_labels));
        for judged in evenly_spread(&judge, count) {
            let scores: Vec<_> =
                sources.iter_mut().map(|source| source.white_score(&judged.position)).collect();
            reference.add(judged, judged.reference, &scores);
            if let Some(truth) = judged.own {
                own.add(judged, truth, &scores);
            }
        }
        print_line!("by the other engine's scores\n{reference}\nby Koel's own\n{own}");
        Ok(())
    }
}

/// Returns so many of the items, or all, evenly spread, so that all games have their part.
fn evenly_spread<T>(items: &[T], count: usize) -> impl Iterator<Item = &T> {
    let count = count.min(items.len());
    (0..count).map(move |index| &items[index * items.len() / count])
}

impl Judge {
    fn run(self) -> Result<()> {
        ensure_new(&self.output)?;
        let openings = read_openings(&self.openings)?;
        let mut own = LabelSource::named(&self.own, &self.nets)?;
        let engine = EngineSpec::new("--engine", self.engine);
        let mut engine = EngineProcess::start(&engine, Timeouts::default(), CancelToken::NEVER)?;
        let mut output = create(&self.output)?;
        let mut report = |found: usize| eprintln!("{found} positions");
        let judge = make_judge(&mut engine, &mut own, &openings, self.seed, &mut report)?;
        let lines: String = judge.iter().map(|judged| format!("{}\n", judged.to_epd())).collect();
        output.write_all(lines.as_bytes()).with_context(|| self.output.display().to_string())?;
        print_line!("{} positions in {}", judge.len(), self.output.display());
        Ok(())
    }
}

/// Checks that a file that is to be written does not hold anything.
fn ensure_new(path: &Path) -> Result<()> {
    let holds_data = fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() > 0);
    ensure!(!holds_data, "{} is there: name another file, or delete it", path.display());
    Ok(())
}

/// Opens a file or stream to write to, before the work for it.
fn create(path: &Path) -> Result<File> {
    let file = File::options().append(true).create(true).open(path);
    file.with_context(|| path.display().to_string())
}

fn openings(output: &Path, count: usize, seed: u64) -> Result<()> {
    ensure_new(output)?;
    let mut file = create(output)?;
    let mut report = |found: usize| {
        if found.is_multiple_of(1_000) {
            eprintln!("{found} openings");
        }
    };
    let lines = match_openings(count, seed, &mut report)?;
    let text = lines.join("\n") + "\n";
    file.write_all(text.as_bytes()).with_context(|| output.display().to_string())?;
    print_line!("{} openings in {}", lines.len(), output.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_games_and_searches_are_within_their_ranges() {
        let run = |words: &str| {
            let words = "koel-train selfplay --nets none --evaluation none ".to_owned() + words;
            match Arguments::try_parse_from(words.split(' '))?.command {
                Command::Selfplay(selfplay) => selfplay.run(),
                _ => unreachable!(),
            }
        };
        for (words, expected) in [
            ("--full-search-share 2", "`2` is not a number from 0 to 1"),
            ("--full-search-share 1,nan,0", "`nan` is not a number from 0 to 1"),
            ("--chess960 nan", "`nan` is not"),
            ("--wide-opening-share 1.5", "`1.5` is not"),
            ("--natural-openings 2", "`2` is not"),
            ("--natural-openings 0.8 --short-openings 0.8", "add up to more than 1"),
            ("--natural-openings 0.7 --short-openings 0.3 --out none", "none.koelnet"),
        ] {
            let error = run(words).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn a_folder_that_cannot_be_created_is_named() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let out = file.path().join("nets").display().to_string();
        let words = ["koel-train", "train", "--data", "none", "--name", "a", "--out", &out];
        let Command::Train(train) = Arguments::parse_from(words).command else { unreachable!() };
        let error = train.run().unwrap_err().to_string();
        assert_eq!(error, out);
    }

    #[test]
    fn positions_of_a_judge_are_evenly_spread() {
        for (len, count) in [(3_000, 1_600), (3_000, 1_000), (10, 3), (5, 5), (5, 9), (0, 4)] {
            let items: Vec<usize> = (0..len).collect();
            let chosen: Vec<usize> = evenly_spread(&items, count).copied().collect();
            assert_eq!(chosen.len(), count.min(len));
            let gaps = chosen
                .windows(2)
                .map(|pair| pair[1] - pair[0])
                .chain(chosen.last().map(|last| len - last));
            let least = len / chosen.len().max(1);
            assert!(gaps.into_iter().all(|gap| (least..=least + 1).contains(&gap)), "{chosen:?}");
        }
    }

    #[test]
    fn files_that_are_there_are_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let folder_name = folder.path().display().to_string();
        let refused = |words: &str, name: &str| {
            fs::write(path(name), "somebody's").unwrap();
            let words = words.replace("FOLDER", &folder_name);
            let words = ["koel-train"].into_iter().chain(words.split(' '));
            let done = match Arguments::parse_from(words).command {
                Command::Train(train) => train.run(),
                Command::Judge(judge) => judge.run(),
                Command::Openings { output, count, seed } => openings(&output, count, seed),
                _ => unreachable!(),
            };
            let error = done.unwrap_err().to_string();
            assert!(error.contains(&format!("{name} is there: name another file")), "{error}");
            assert_eq!(fs::read(path(name)).unwrap(), b"somebody's");
            fs::remove_file(path(name)).unwrap();
        };
        for extension in TrainedNetwork::EXTENSIONS {
            let words = "train --data FOLDER --name next --out FOLDER";
            refused(words, &format!("next.{extension}"));
        }
        refused("openings --output FOLDER/book.epd --count 1", "book.epd");
        refused("judge --engine none --openings FOLDER/a.epd --output FOLDER/a.epd", "a.epd");
    }

    #[test]
    fn what_cannot_be_done_is_an_error_that_names_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("missing/o.epd");
        for error in [openings(&path, 0, 1), create(&path).map(drop)] {
            let error = error.unwrap_err().to_string();
            assert!(error.ends_with("o.epd"), "{error}");
        }
        let games = folder.path().join("games.viri");
        fs::write(&games, "").unwrap();
        let error = fit_wdl(&[folder.path().to_owned()]).unwrap_err().to_string();
        assert!(error.starts_with("no positions"), "{error}");
        let error = import(&[games], &folder.path().join("out"), "").unwrap_err().to_string();
        assert!(error.starts_with("no game was imported"), "{error}");
        for name in ["", "a/b", "../q", "a b", "a\\b"] {
            assert!(network_name(name).is_err(), "{name}");
        }
        assert_eq!(network_name("v21.a-b_c"), Ok("v21.a-b_c".to_owned()));
    }
}
