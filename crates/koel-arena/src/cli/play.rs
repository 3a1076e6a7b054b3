//! A match or a tournament on the command line: with its progress and its report.

use std::time::Instant;

use anyhow::{Result, ensure};
use koel_files::print_line;

use super::context::CommandContext;
use super::engine_args::EngineList;
use super::match_args::MatchArgs;
use super::outcome::Outcome;
use super::output::Printer;
use crate::match_config::{Conclusion, Match};
use crate::match_runner::MatchEvent;
use crate::match_score::MatchScore;

/// Plays a match between two engines, or a round robin or gauntlet of more. They are given by their
/// names in the context, and by the arguments.
///
/// # Errors
/// If an engine is not found, or the match cannot be played.
pub fn run_match(
    context: &dyn CommandContext,
    engines: &EngineList,
    args: &MatchArgs,
) -> Result<Outcome> {
    let engines = engines.read()?;
    ensure!(engines.len() >= 2, "a match needs two engines, a tournament more");
    let config = args.configure(context, &engines, None)?;
    let ratings = engines.iter().map(|engine| engine.rating).collect();
    play_match(context, &config, args, ratings)
}

/// Plays a configured match, with progress, a report on the standard output and JSON. An interrupt
/// ends it so that it can be resumed.
///
/// # Errors
/// If the match cannot be played, or an output cannot be written.
pub(super) fn play_match(
    context: &dyn CommandContext,
    config: &Match,
    args: &MatchArgs,
    ratings: Vec<Option<f64>>,
) -> Result<Outcome> {
    let printer = Printer::new(config, &args.output, ratings)?;
    let started = Instant::now();
    let observer = |event: MatchEvent<'_>| {
        if let Ok(mut printer) = printer.lock() {
            printer.show(event);
        }
    };
    let result = context.play(config, args, &observer);
    let mut printer = printer.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    printer.finish();
    for warning in config.tablebases.iter().flat_map(|tables| tables.take_warnings()) {
        print_line!("{warning}");
    }
    let Some((mut conclusion, scores)) = result? else { return Ok(Outcome::Complete) };
    print_line!("{}", printer.report(&scores));
    print_line!("{:.0} s", started.elapsed().as_secs_f64());
    let is_identical =
        config.is_deterministic() && scores.iter().all(MatchScore::all_pairs_identical);
    if conclusion == Conclusion::Complete && is_identical {
        conclusion = Conclusion::NoChange;
    }
    if conclusion == Conclusion::NoChange {
        print_line!("no functional change: every move was the same");
    }
    if conclusion == Conclusion::Cancelled {
        print_line!("interrupted; the same command resumes the match");
    }
    let outcome = Outcome::of(config, conclusion, &scores);
    if let (Some(test), [score]) = (&config.sprt, &scores[..])
        && conclusion != Conclusion::NoChange
    {
        print_line!("{}", Outcome::from(test.decide(&score.pairs)).verdict());
    }
    printer.write_json(outcome, &scores)?;
    printer.error.take().map_or(Ok(outcome), |error| Err(error.into()))
}
