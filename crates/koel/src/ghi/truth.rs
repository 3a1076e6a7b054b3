//! Wrong values of a search with nothing in it but a table.

use std::io::{self, Write};

use koel_board::Position;
use koel_search::{Laboratory, Memory, PathCounts, PathPolicy};

/// The truth of a position is followed as deep as it takes no more nodes than this in one search.
const TRUTH_NODES: u64 = 2_000_000;

/// A policy that needs so many is given up.
const MOST_NODES: u64 = 50_000_000;

/// What a policy got wrong.
#[derive(Clone, Copy, Default)]
struct Mistakes {
    /// It says draw, and the truth is another value.
    false_draws: u64,
    /// The truth is a draw.
    missed_draws: u64,
    /// Neither is.
    others: u64,
    nodes: u64,
    counts: PathCounts,
}

impl Mistakes {
    fn note(&mut self, value: Option<i32>, truth: i32) {
        match (value, truth) {
            (Some(value), truth) if value == truth => {}
            (_, 0) => self.missed_draws += 1,
            (Some(0), _) => self.false_draws += 1,
            _ => self.others += 1,
        }
    }

    fn all(&self) -> u64 {
        self.false_draws + self.missed_draws + self.others
    }
}

pub(super) fn report(
    positions: &[Position],
    deepest: u32,
    output: &mut impl Write,
) -> io::Result<()> {
    let mut checks = 0_u64;
    let mut mistakes = PathPolicy::ALL.map(|_| Mistakes::default());
    for position in positions {
        let mut truth = Laboratory::new(Memory::Paths);
        let mut policies =
            PathPolicy::ALL.map(|(_, policy)| Laboratory::new(Memory::Positions(policy)));
        for depth in 1..=deepest {
            let Some(value) = truth.value(position, depth, TRUTH_NODES) else { break };
            checks += 1;
            for (laboratory, mistakes) in policies.iter_mut().zip(&mut mistakes) {
                mistakes.note(laboratory.value(position, depth, MOST_NODES), value);
            }
        }
        for (laboratory, mistakes) in policies.iter().zip(&mut mistakes) {
            mistakes.nodes += laboratory.nodes();
            mistakes.counts += laboratory.counts();
        }
    }
    writeln!(output, "{} positions, depths 1 to {deepest}, {checks} values", positions.len())?;
    writeln!(
        output,
        "policy     wrong   false draws   missed draws   others       nodes   tainted stores   refused"
    )?;
    for ((name, _), mistakes) in PathPolicy::ALL.iter().zip(&mistakes) {
        let counts = mistakes.counts;
        writeln!(
            output,
            "{name:<9} {:>6} {:>13} {:>14} {:>8} {:>11} {:>14.2} % {:>9}",
            mistakes.all(),
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
