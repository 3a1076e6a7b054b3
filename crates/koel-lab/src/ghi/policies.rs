//! The full search under each policy.

use std::io::{self, Write};

use koel_board::{Game, Position};
use koel_eval::Evaluation;
use koel_search::{Limits, PathCounts, PathPolicy, PathRules, Shared, Worker};

use super::statistics::NodeRatio;

const HASH_MEBIBYTES: usize = 16;

/// The sums over the searches of a set of positions.
pub(super) struct Trial {
    /// Nodes of each position.
    pub(super) nodes: Vec<u64>,
    pub(super) counts: PathCounts,
}

impl Trial {
    /// Searches each position to this depth with an empty transposition table and empty
    /// histories. `after` is called with the worker after each search.
    pub(super) fn run(
        positions: &[Position],
        depth: u32,
        (evaluation, rules): (&Evaluation, PathRules),
        mut after: impl FnMut(&mut Worker),
    ) -> Trial {
        let mut shared = Shared::new(HASH_MEBIBYTES, 1).expect("there are 16 MiB");
        shared.set_evaluation(evaluation.clone());
        shared.set_path_rules(rules);
        let mut worker = Worker::new(0);
        let limits = Limits::to_depth(depth as i32);
        let mut trial = Trial { nodes: Vec::new(), counts: PathCounts::default() };
        for position in positions {
            worker.reset();
            shared.clear(1);
            shared.new_search();
            let game = Game::new(position.clone());
            let result = worker.search(&shared, &game, &limits, &mut ());
            trial.nodes.push(result.nodes);
            trial.counts += worker.path_counts();
            after(&mut worker);
        }
        trial
    }

    /// The geometric mean over all positions of the nodes divided by those of another trial.
    pub(super) fn node_ratio(&self, other: &Trial) -> f64 {
        NodeRatio::of(&self.nodes, &other.nodes).mean
    }
}

const HEAD: &str = "\
policy        nodes   against trust   path-dependent stores   refused offers   third   again";

pub(super) fn report(
    positions: &[Position],
    depth: u32,
    evaluation: &Evaluation,
    output: &mut impl Write,
) -> io::Result<()> {
    writeln!(output, "{HEAD}")?;
    let mut trust = None;
    for (name, policy) in PathPolicy::ALL {
        let rules = PathRules { policy, ..PathRules::default() };
        let trial = Trial::run(positions, depth, (evaluation, rules), |_| ());
        let counts = trial.counts;
        let dependent = percent(counts.dependent_stores, counts.stores);
        let refused = percent(counts.refused, counts.refused + counts.accepted);
        let nodes: u64 = trial.nodes.iter().sum();
        let ratio = trial.node_ratio(trust.as_ref().unwrap_or(&trial));
        writeln!(
            output,
            "{name:<8} {nodes:>10} {ratio:>15.3} {dependent:>22.2} % {refused:>14.1} % {:>7} {:>7}",
            counts.muller.third_occurrences, counts.muller.searched_again,
        )?;
        output.flush()?;
        trust.get_or_insert(trial);
    }
    Ok(())
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}
