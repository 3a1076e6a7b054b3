//! Playing a match, by whichever runner, and showing it.

use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Result, ensure};
use koel_arena::contest::{Conclusion, Contest};
use koel_arena::standing::Standing;
use xshell::{Shell, cmd};

use crate::bench;
use crate::interrupt;
use crate::progress::Progress;
use crate::runners::{self, Runner};
use crate::terms::Terms;

/// Plays it, shows it, and answers how it ended and how it stands.
pub(crate) fn play(
    shell: &Shell,
    terms: &Terms,
    contest: &Contest,
) -> Result<(Conclusion, Standing)> {
    if terms.runner != Runner::Builtin {
        let openings = terms.openings_file(shell)?;
        let standing = runners::play(shell, terms.runner, contest, &openings)?;
        return Ok((Conclusion::Complete, standing));
    }
    for path in contest.state.iter().chain(&contest.pgn) {
        println!("{}", path.display());
    }
    let progress = Mutex::new(Progress::new(u64::from(contest.pairs) * 2));
    let started = Instant::now();
    let observer = |standing: &Standing| {
        if let Ok(progress) = progress.lock() {
            progress.show(standing.games.total(), &standing.line(contest.sprt.as_ref()));
        }
    };
    let outcome = contest.run(interrupt::flag()?, &observer);
    if let Ok(progress) = progress.lock() {
        progress.finish();
    }
    let (conclusion, standing) = outcome?;
    println!("{}", standing.report(&title(contest), contest.sprt.as_ref()));
    println!("{:.0} s", started.elapsed().as_secs_f64());
    let is_without_change = is_exact(contest) && standing.is_without_change();
    if conclusion == Conclusion::NoChange
        || (conclusion == Conclusion::Complete && is_without_change)
    {
        println!("no functional change: every move was the same");
    }
    if conclusion == Conclusion::CalledOff {
        println!("called off; the same command goes on from here");
    }
    Ok((conclusion, standing))
}

/// Whether only a change of play makes a difference.
pub(crate) fn is_exact(contest: &Contest) -> bool {
    let [first, second] = contest.contenders.each_ref().map(|contender| contender.limits);
    first == second && first.are_exact()
}

fn title(contest: &Contest) -> String {
    let [first, second] = &contest.contenders;
    let limits = if first.limits == second.limits {
        first.limits.to_string()
    } else {
        format!("{} against {}", first.limits, second.limits)
    };
    let openings = contest.openings.len();
    format!("Results of {} ({limits}, 1t, {openings} openings)", contest.event)
}

/// The benches of two builds of Koel, equal only if there is no functional change.
pub(crate) fn benches_are_equal(shell: &Shell, contest: &Contest) -> Result<bool> {
    let mut nodes = Vec::new();
    for contender in &contest.contenders {
        let program = &contender.spec.command;
        let output = cmd!(shell, "{program} bench").quiet().ignore_stderr().read()?;
        let outcome = bench::parse(&output)?;
        println!("bench of {}: {} nodes", contender.spec.name, outcome.nodes);
        nodes.push(outcome.nodes);
    }
    ensure!(nodes.len() == 2, "two engines are needed");
    Ok(nodes[0] == nodes[1])
}
