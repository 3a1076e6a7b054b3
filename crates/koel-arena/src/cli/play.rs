//! A match on the command line: with its progress and its report.

use std::sync::Mutex;
use std::time::Instant;

use anyhow::Result;

use super::context::CommandContext;
use super::interrupt::interrupt_flag;
use super::match_args::MatchArgs;
use super::progress::ProgressDisplay;
use crate::match_config::{Conclusion, Contender, Match};
use crate::match_runner::MatchEvent;
use crate::match_score::MatchScore;

/// Plays a match between two engines, given by their names in the context.
///
/// # Errors
/// If an engine is not found, or the match cannot be played.
pub fn run_match(
    context: &dyn CommandContext,
    engines: [&str; 2],
    args: &MatchArgs,
) -> Result<(Conclusion, MatchScore)> {
    let [first, second] = engines;
    context.check(first)?;
    context.check(second)?;
    let (first, second) = (context.resolve(first)?, context.resolve(second)?);
    let config = args.configure(context, [&first, &second], None)?;
    play_match(&config)
}

/// Plays a configured match, with progress and a report on the standard output. An interrupt ends
/// it so that it can be resumed.
///
/// # Errors
/// If the match cannot be played.
pub fn play_match(config: &Match) -> Result<(Conclusion, MatchScore)> {
    for path in config.state.iter().chain(&config.pgn) {
        println!("{}", path.display());
    }
    let games = u64::from(config.pairs) * 2;
    let progress = Mutex::new(match config.sprt {
        None => ProgressDisplay::new(games),
        Some(_) => ProgressDisplay::of_at_most(games),
    });
    let started = Instant::now();
    let observer = |event: MatchEvent<'_>| {
        let Ok(progress) = progress.lock() else { return };
        match event {
            MatchEvent::Score(score) => {
                progress.show(score.games.total(), &score.line(config.sprt.as_ref()));
            }
            MatchEvent::Game(_) => {}
            MatchEvent::Fault(fault) => progress.print(&format!("fault: {fault}")),
        }
    };
    let result = config.run(interrupt_flag()?, &observer);
    if let Ok(progress) = progress.lock() {
        progress.finish();
    }
    for warning in config.tablebases.iter().flat_map(|tables| tables.take_warnings()) {
        println!("{warning}");
    }
    let (conclusion, score) = result?;
    println!("{}", score.report(&title(config), config.sprt.as_ref()));
    println!("{:.0} s", started.elapsed().as_secs_f64());
    let is_identical = config.is_deterministic() && score.all_pairs_identical();
    if conclusion == Conclusion::NoChange || (conclusion == Conclusion::Complete && is_identical) {
        println!("no functional change: every move was the same");
    }
    if conclusion == Conclusion::Cancelled {
        println!("interrupted; the same command resumes the match");
    }
    Ok((conclusion, score))
}

fn title(config: &Match) -> String {
    let [limits, threads] = [
        of_both(config, |contender| contender.limits.to_string()),
        of_both(config, |contender| format!("{}t", contender.spec.threads())),
    ];
    let openings = config.openings.len();
    format!("Results of {} ({limits}, {threads}, {openings} openings)", config.event)
}

/// Describes what both contenders have, or what each of them has.
fn of_both(config: &Match, describe: impl Fn(&Contender) -> String) -> String {
    let [first, second] = config.contenders.each_ref().map(describe);
    if first == second { first } else { format!("{first} against {second}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineSpec;
    use crate::move_limits::MoveLimits;

    #[test]
    fn a_title_names_the_threads_of_each_engine() {
        let contender = |name: &str, threads: &[u32]| {
            let spec = EngineSpec::new(name, name);
            let spec =
                threads.iter().fold(spec, |spec, threads| spec.with_option("Threads", threads));
            Contender { spec, limits: MoveLimits::Nodes(500) }
        };
        let title = |first: &[u32], second: &[u32]| {
            title(&Match::new([contender("new", first), contender("old", second)], Vec::new()))
        };
        assert_eq!(title(&[], &[]), "Results of new vs old (500 nodes, 1t, 0 openings)");
        assert!(title(&[1, 2], &[2]).contains(", 2t, "));
        assert!(title(&[2], &[]).contains(", 2t against 1t, "));
    }
}
