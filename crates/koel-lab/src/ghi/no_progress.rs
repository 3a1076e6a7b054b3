//! The no-progress rule in the full search.

use std::io::{self, Write};

use koel_board::{Game, Position};
use koel_eval::Evaluation;
use koel_search::{Limits, NoProgress, PathRules, Shared, Worker};

use super::policies::Trial;

/// Positions in which the rule raised alpha that are kept of each search, to be checked.
const KEPT_POSITIONS: usize = 16;

/// Depth of the search that checks them, in plies.
const CHECK_DEPTH: i32 = 12;

/// The draw that the rule grants is contradicted by a score below this, in centipawns.
const CONTRADICTED_BELOW: i32 = -50;

const HEAD: &str = "\
no-progress       nodes   against off     raised   cut off   path-dependent stores   judged   contradicted";

pub(super) fn report(
    positions: &[Position],
    depth: u32,
    evaluation: &Evaluation,
    output: &mut impl Write,
) -> io::Result<()> {
    writeln!(output, "{HEAD}")?;
    let mut off = None;
    for (name, no_progress) in NoProgress::ALL {
        let rules = PathRules { no_progress, ..PathRules::default() };
        let mut raised = Vec::new();
        let trial = Trial::run(positions, depth, (evaluation, rules), |worker| {
            raised.append(&mut worker.take_no_progress_positions());
            worker.sample_no_progress_positions(KEPT_POSITIONS);
        });
        let is_contradicted = |position: &&Position| is_worse_than_draw(position, evaluation);
        let contradicted = raised.iter().filter(is_contradicted).count();
        let ratio = trial.node_ratio(off.as_ref().unwrap_or(&trial));
        let (nodes, counts) = (trial.nodes.iter().sum::<u64>(), trial.counts);
        writeln!(
            output,
            "{name:<11} {nodes:>11} {ratio:>13.3} {:>10} {:>9} {:>23} {:>8} {contradicted:>8} ({:.0} %)",
            counts.no_progress,
            counts.no_progress_cutoffs,
            counts.dependent_stores,
            raised.len(),
            100.0 * contradicted as f64 / raised.len().max(1) as f64,
        )?;
        output.flush()?;
        off.get_or_insert(trial);
    }
    Ok(())
}

/// Returns true if a deeper search, without game history and without the rule, gives the side to
/// move less than the draw that the rule grants.
fn is_worse_than_draw(position: &Position, evaluation: &Evaluation) -> bool {
    let mut shared = Shared::new(1, 1).expect("there is 1 MiB");
    shared.set_evaluation(evaluation.clone());
    let rules = PathRules { no_progress: NoProgress::Off, ..shared.path_rules() };
    shared.set_path_rules(rules);
    shared.new_search();
    let game = Game::new(position.clone());
    let limits = Limits::to_depth(CHECK_DEPTH);
    let result = Worker::new(0).search(&shared, &game, &limits, &mut ());
    result.score.centipawns() < CONTRADICTED_BELOW
}
