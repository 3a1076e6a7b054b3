//! The no-progress rule in the full search.

use std::io::{self, Write};

use koel_board::{Game, Position};
use koel_search::{Limits, NoProgress, PathRules, Shared, Worker};

use super::policies::{Trial, Unwatched};

/// Positions to judge afterwards, from each search.
const KEPT: usize = 16;

/// How deep they are judged.
const JUDGED_TO: i32 = 12;

/// A side that stands worse than this has no draw, in centipawns.
const WORSE: i32 = -50;

const HEAD: &str = "\
no-progress       nodes   against off     raised   cut off   tainted stores   judged   contradicted";

pub(super) fn report(
    positions: &[Position],
    depth: u32,
    output: &mut impl Write,
) -> io::Result<()> {
    writeln!(output, "{HEAD}")?;
    let mut off = None;
    for (name, no_progress) in NoProgress::ALL {
        let rules = PathRules { no_progress, ..PathRules::default() };
        let mut raised = Vec::new();
        let trial = Trial::run(positions, depth, rules, |worker| {
            raised.append(&mut worker.take_no_progress_positions());
            worker.keep_no_progress_positions(KEPT);
        });
        let contradicted = raised.iter().filter(|position| is_worse_than_drawn(position)).count();
        let ratio = trial.ratio_to(off.as_ref().unwrap_or(&trial));
        let (nodes, counts) = (trial.nodes.iter().sum::<u64>(), trial.counts);
        writeln!(
            output,
            "{name:<11} {nodes:>11} {ratio:>13.3} {:>10} {:>9} {:>16} {:>8} {contradicted:>8} ({:.0} %)",
            counts.no_progress,
            counts.no_progress_cutoffs,
            counts.tainted_stores,
            raised.len(),
            100.0 * contradicted as f64 / raised.len().max(1) as f64,
        )?;
        output.flush()?;
        off.get_or_insert(trial);
    }
    Ok(())
}

/// Whether a deeper search, without history and without the rule, says that the side to move has
/// less than the draw that the rule grants.
fn is_worse_than_drawn(position: &Position) -> bool {
    let mut shared = Shared::new(1, 1).expect("there is 1 MiB");
    let rules = PathRules { no_progress: NoProgress::Off, ..shared.path_rules() };
    shared.set_path_rules(rules);
    shared.new_search();
    let game = Game::new(position.clone());
    let limits = Limits::to_depth(JUDGED_TO);
    let outcome = Worker::new(0).search(&shared, &game, &limits, &mut Unwatched);
    outcome.score.centipawns() < WORSE
}
