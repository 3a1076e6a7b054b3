//! Wrong values of the reference search under each policy.

use std::io::{self, Write};

use koel_board::Position;
use koel_search::{PathCounts, PathPolicy};

use crate::reference_search::{ReferenceSearch, TableKeys};

/// A position is searched to ever greater depths while the path-keyed search stays below this
/// number of nodes.
const TRUTH_NODES: u64 = 2_000_000;

/// A policy that needs more nodes than this for a value counts as wrong.
const MOST_NODES: u64 = 50_000_000;

/// The wrong values of one policy.
#[derive(Clone, Copy, Default)]
struct Mistakes {
    /// The policy's value is a draw; the true value is another.
    false_draws: u64,
    /// The true value is a draw; the policy's is another.
    missed_draws: u64,
    /// Neither value is a draw.
    others: u64,
    nodes: u64,
    counts: PathCounts,
}

impl Mistakes {
    fn add(&mut self, value: Option<i32>, truth: i32) {
        match (value, truth) {
            (Some(value), truth) if value == truth => {}
            (_, 0) => self.missed_draws += 1,
            (Some(0), _) => self.false_draws += 1,
            _ => self.others += 1,
        }
    }

    fn total(&self) -> u64 {
        self.false_draws + self.missed_draws + self.others
    }
}

pub(super) fn report(
    positions: &[Position],
    max_depth: u32,
    output: &mut impl Write,
) -> io::Result<()> {
    let mut values = 0_u64;
    let mut mistakes = PathPolicy::ALL.map(|_| Mistakes::default());
    for position in positions {
        let mut truth = ReferenceSearch::new(TableKeys::Paths);
        let mut policies =
            PathPolicy::ALL.map(|(_, policy)| ReferenceSearch::new(TableKeys::Positions(policy)));
        for depth in 1..=max_depth {
            let Some(true_value) = truth.value(position, depth, TRUTH_NODES) else { break };
            values += 1;
            for (search, mistakes) in policies.iter_mut().zip(&mut mistakes) {
                mistakes.add(search.value(position, depth, MOST_NODES), true_value);
            }
        }
        for (search, mistakes) in policies.iter().zip(&mut mistakes) {
            mistakes.nodes += search.nodes();
            mistakes.counts += search.counts();
        }
    }
    writeln!(output, "{} positions, depths 1 to {max_depth}, {values} values", positions.len())?;
    writeln!(
        output,
        "policy     wrong   false draws   missed draws   others       nodes   tainted stores   refused"
    )?;
    for ((name, _), mistakes) in PathPolicy::ALL.iter().zip(&mistakes) {
        let counts = mistakes.counts;
        writeln!(
            output,
            "{name:<9} {:>6} {:>13} {:>14} {:>8} {:>11} {:>14.2} % {:>9}",
            mistakes.total(),
            mistakes.false_draws,
            mistakes.missed_draws,
            mistakes.others,
            mistakes.nodes,
            100.0 * counts.tainted_stores as f64 / counts.stores.max(1) as f64,
            counts.refused,
        )?;
    }
    let counts = mistakes[PathPolicy::Muller as usize].counts;
    writeln!(
        output,
        "muller: {} third occurrences, {} searched again, {} draws confirmed, {} refuted",
        counts.third_occurrences, counts.searched_again, counts.confirmed, counts.refuted
    )
}
