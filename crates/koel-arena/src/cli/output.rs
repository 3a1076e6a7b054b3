//! The output of a match beside its state and its PGN: on the screen, JSON, positions and logs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, Result, ensure};
use clap::{Args, value_parser};
use koel_files::{is_same_file, print_line};
use serde_json::{Value, json};
use shakmaty::EnPassantMode;
use shakmaty::fen::Epd;

use super::outcome::Outcome;
use super::progress::ProgressDisplay;
use super::standings::{Standing, standings, table};
use crate::appended_file::AppendedFile;
use crate::match_config::{Match, MatchEngine};
use crate::match_runner::{FinishedGame, MatchEvent};
use crate::match_score::MatchScore;

/// The version of the JSON; a field that is added does not change it.
const JSON_VERSION: u32 = 1;

/// The arguments of what a match prints and writes.
#[derive(Args, Clone)]
#[non_exhaustive]
pub struct OutputArgs {
    /// Add the result to this file as a line of JSON; `-` prints it as the last line
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
    /// Print a line for each game, as is done without a terminal
    #[arg(long)]
    pub(super) games_as_lines: bool,
    /// Print a report after every so many games
    #[arg(long, value_name = "GAMES", value_parser = value_parser!(u64).range(1..))]
    pub report_every: Option<u64>,
    /// Add the final position of each game to this file
    #[arg(long, value_name = "FILE")]
    pub epdout: Option<PathBuf>,
    /// Add the dialogue with every engine that has no `log` of its own to this file
    #[arg(long, value_name = "FILE")]
    pub(super) log: Option<PathBuf>,
}

impl OutputArgs {
    /// Checks that no output is a file of the match, one that is read or another output.
    pub(super) fn check(&self, config: &Match, inputs: &[PathBuf]) -> Result<()> {
        let logs = config.engines.iter().filter_map(|engine| engine.spec.log.as_ref());
        let logs: BTreeSet<_> = logs.collect();
        let files = self.json.iter().filter(|path| *path != Path::new("-")).chain(&self.epdout);
        let added: Vec<_> = files.chain(logs).collect();
        for (index, output) in added.iter().enumerate() {
            let others = added[index + 1..].iter().copied();
            let mut used = inputs.iter().chain(&config.state).chain(&config.pgn).chain(others);
            let is_used = used.any(|path| is_same_file(output, path));
            ensure!(!is_used, "{} is used: name another file", output.display());
            koel_files::check_kind(output).with_context(|| output.display().to_string())?;
            check_folder(output)?;
        }
        Ok(())
    }
}

/// Checks that the folder of an output exists.
pub(super) fn check_folder(output: &Path) -> Result<()> {
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty());
    let is_there = folder.is_none_or(Path::is_dir);
    ensure!(is_there, "{}: there is no such folder", output.display());
    Ok(())
}

/// The printer of a running match.
pub(super) struct Printer<'m> {
    config: &'m Match,
    args: &'m OutputArgs,
    /// The known ratings of the engines.
    ratings: Vec<Option<f64>>,
    progress: ProgressDisplay,
    positions: Option<AppendedFile>,
    /// The number of games of the last report.
    reported: u64,
    /// The first error of a file.
    pub(super) error: Option<std::io::Error>,
}

impl<'m> Printer<'m> {
    pub(super) fn new(
        config: &'m Match,
        args: &'m OutputArgs,
        ratings: Vec<Option<f64>>,
    ) -> Result<Mutex<Printer<'m>>> {
        let games = u64::from(config.pairs) * 2;
        let progress = ProgressDisplay::new(games, config.sprt.is_some());
        let positions = args.epdout.as_deref().map(AppendedFile::open).transpose()?;
        Ok(Mutex::new(Printer {
            config,
            args,
            ratings,
            progress,
            positions,
            reported: 0,
            error: None,
        }))
    }

    /// Prints an event.
    pub(super) fn show(&mut self, event: MatchEvent<'_>) {
        match event {
            MatchEvent::Fault(fault) => self.progress.print(&format!("fault: {fault}")),
            MatchEvent::Game(game) => {
                if self.args.games_as_lines || !self.progress.is_bar() {
                    self.progress.print(&line(game));
                }
                let epd = Epd::from_position(game.position, EnPassantMode::Legal);
                if let Some(positions) = &mut self.positions {
                    let added =
                        positions.add(&format!("{epd} id \"{} {}\";", game.id, game.result));
                    self.error = self.error.take().or(added.err());
                }
            }
            MatchEvent::Score(scores) => {
                let games = scores.iter().map(|score| score.games.total()).sum();
                let message = match scores {
                    [score] => score.line(self.config.sprt.as_ref()),
                    _ => String::new(),
                };
                self.progress.show(games, &message);
                let is_due = |every| games % every == 0 && games > self.reported;
                if self.args.report_every.is_some_and(is_due) {
                    self.reported = games;
                    self.progress.print(&self.report(scores));
                }
            }
        }
    }

    pub(super) fn finish(&self) {
        self.progress.finish();
    }

    /// Returns the report of a match, or the cross table of a tournament.
    pub(super) fn report(&self, scores: &[MatchScore]) -> String {
        match scores {
            [score] => score.report(&title(self.config), self.config.sprt.as_ref()),
            _ => format!("{}\n{}", title(self.config), table(&self.standings(scores))),
        }
    }

    fn standings(&self, scores: &[MatchScore]) -> Vec<Standing> {
        standings(self.config, scores, &self.ratings)
    }

    /// Writes the result as JSON.
    pub(super) fn write_json(&self, outcome: Outcome, scores: &[MatchScore]) -> Result<()> {
        let Some(path) = &self.args.json else { return Ok(()) };
        let config = self.config;
        let pairings = config.pairings.iter().zip(scores);
        let pairings: Vec<_> = pairings.map(|(&of, score)| pairing(config, of, score)).collect();
        let result = json!({
            "version": JSON_VERSION,
            "event": config.event,
            "outcome": outcome,
            "exit_status": outcome.status(),
            "games": scores.iter().map(|score| score.games.total()).sum::<u64>(),
            "faults": scores.iter().map(MatchScore::faults).sum::<u64>(),
            "engines": self.standings(scores),
            "pairings": pairings,
            "state": config.state,
            "pgn": config.pgn,
        });
        if path == Path::new("-") {
            print_line!("{result}");
            return Ok(());
        }
        let added = AppendedFile::open(path).and_then(|mut file| file.add(&result.to_string()));
        added.with_context(|| path.display().to_string())
    }
}

/// The score of a pairing as JSON, from the side of its first engine.
fn pairing(config: &Match, [first, second]: [usize; 2], score: &MatchScore) -> Value {
    let [first, second] = [first, second].map(|index| config.name(index));
    let test = config.sprt.as_ref().map(|test| {
        let (lower, upper) = test.bounds();
        json!({"settings": test, "llr": test.llr(&score.pairs), "lower": lower, "upper": upper})
    });
    let strength = score.pairs.strength();
    json!({
        "first": first, "second": second, "score": score, "strength": strength, "sprt": test,
    })
}

/// A game as a line.
fn line(game: &FinishedGame<'_>) -> String {
    let [white, black] = game.players;
    format!("game {}: {white} - {black} {} ({})", game.id, game.result, game.ending.describe())
}

fn title(config: &Match) -> String {
    let [limits, threads] = [
        of_all(config, |engine| engine.limits.to_string()),
        of_all(config, |engine| format!("{}t", engine.spec.threads())),
    ];
    let openings = config.openings.len();
    format!("Results of {} ({limits}, {threads}, {openings} openings)", config.event)
}

/// Describes what all engines have, or what each of them has.
fn of_all(config: &Match, describe: impl Fn(&MatchEngine) -> String) -> String {
    let mut all: Vec<_> = config.engines.iter().map(describe).collect();
    if all.windows(2).all(|two| two[0] == two[1]) {
        all.truncate(1);
    }
    all.join(" against ")
}
