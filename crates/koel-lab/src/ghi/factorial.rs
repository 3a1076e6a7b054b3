//! The factorial experiment on the no-progress rule: each kind of transposition table with each
//! setting of the rule, in the reference search.

use std::io::{self, Write};

use koel_board::Position;
use koel_search::{NoProgress, PathPolicy};
use serde::{Deserialize, Serialize};

use super::random_positions::Kind;
use super::statistics::{NodeRatio, Share};
use crate::reference_search::{ReferenceSearch, TableKeys};

/// A search that needs more nodes than this for a value counts as wrong.
const MOST_NODES: u64 = 20_000_000;

/// The plies by which a search is deeper that judges a wrong value.
const JUDGE_PLIES: usize = 2;

/// A value greater than this is a mate.
const MATE_FROM: i32 = 50_000;

/// The cells of the experiment: table, setting of the rule. The first is the truth. A table that
/// reads no marks is the same with the rule on and with it tracked.
const CELLS: [(&str, TableKeys, &str, NoProgress); 7] = [
    ("knows the path", TableKeys::Paths, "off", NoProgress::Off),
    ("knows the path", TableKeys::Paths, "on", NoProgress::On),
    ("head", HEAD, "off", NoProgress::Off),
    ("head", HEAD, "on", NoProgress::On),
    ("head", HEAD, "tracked", NoProgress::Tracked),
    ("trusting", TRUST, "off", NoProgress::Off),
    ("trusting", TRUST, "on", NoProgress::On),
];
const HEAD: TableKeys = TableKeys::Positions(PathPolicy::Head);
const TRUST: TableKeys = TableKeys::Positions(PathPolicy::Trust);

/// The settings of the experiment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub(crate) seed: u64,
    /// Positions of each ending, and a third of the middlegames.
    pub(crate) positions: usize,
    /// The greatest depth that is compared, in plies.
    pub(crate) depth: u32,
    /// A position is compared to the depth at which the true value takes this many nodes.
    pub(crate) nodes: u64,
}

/// The results of the experiment.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Factorial {
    pub(crate) plan: Plan,
    pub(crate) sets: Vec<Set>,
}

/// The results on positions of one kind.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Set {
    pub(crate) name: String,
    /// The values that were compared, over all positions and depths.
    pub(crate) values: u64,
    pub(crate) cells: Vec<Cell>,
}

/// The results of one table and one setting of the rule.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Cell {
    pub(crate) table: String,
    pub(crate) rule: String,
    /// Positions with at least one wrong value.
    pub(crate) wrong_positions: Share,
    /// Nodes against the same table without the rule.
    pub(crate) node_ratio: NodeRatio,
    /// Nodes against the table that knows the path, without the rule.
    pub(crate) nodes_against_truth: NodeRatio,
    /// Nodes at which the rule raised alpha.
    pub(crate) raised: u64,
    pub(crate) wrong: WrongValues,
}

/// Values that differ from the truth.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct WrongValues {
    /// A draw instead of another value.
    pub(crate) false_draws: u64,
    /// Another value instead of a draw.
    pub(crate) missed_draws: u64,
    pub(crate) others: u64,
    /// Differences of at most a pawn, of more, and between a mate and no mate.
    pub(crate) up_to_a_pawn: u64,
    pub(crate) more: u64,
    pub(crate) mates: u64,
    /// The truth two plies deeper is the wrong value: the rule saw it early.
    pub(crate) deeper_agrees: u64,
    /// The truth two plies deeper is the same as before.
    pub(crate) deeper_contradicts: u64,
    /// It is a third value, or was not searched.
    pub(crate) undecided: u64,
}

impl WrongValues {
    pub(crate) fn total(&self) -> u64 {
        self.false_draws + self.missed_draws + self.others
    }

    /// Counts a value if it is wrong; `value` is `None` if the search did not end.
    fn add(&mut self, value: Option<i32>, truth: i32, deeper: Option<i32>) {
        if value == Some(truth) {
            return;
        }
        match (value, truth) {
            (Some(0), _) => self.false_draws += 1,
            (_, 0) => self.missed_draws += 1,
            _ => self.others += 1,
        }
        let difference = value.map_or(MATE_FROM, |value| (value - truth).abs());
        match difference {
            ..=100 => self.up_to_a_pawn += 1,
            MATE_FROM.. => self.mates += 1,
            _ => self.more += 1,
        }
        if deeper.is_some() && deeper == value {
            self.deeper_agrees += 1;
        } else if deeper == Some(truth) {
            self.deeper_contradicts += 1;
        } else {
            self.undecided += 1;
        }
    }
}

/// The sums of a cell while positions are searched.
#[derive(Default)]
struct Sums {
    wrong: WrongValues,
    wrong_positions: u64,
    nodes: Vec<u64>,
    raised: u64,
}

/// Runs the experiment, and writes a table of each set when it is done.
pub(super) fn run(plan: Plan, output: &mut impl Write) -> io::Result<Factorial> {
    let mut sets = Vec::new();
    for (name, kind) in Kind::FACTORIAL {
        let is_middlegame = kind == Kind::Middlegames;
        let count = if is_middlegame { plan.positions.div_ceil(3) } else { plan.positions };
        let set = run_set(name, &kind.generate(count, plan.seed), &plan);
        set.write(&plan, output)?;
        output.flush()?;
        sets.push(set);
    }
    Ok(Factorial { plan, sets })
}

fn run_set(name: &str, positions: &[Position], plan: &Plan) -> Set {
    let mut sums: [Sums; CELLS.len()] = Default::default();
    let mut values = 0;
    for position in positions {
        values += add_position(position, plan, &mut sums);
    }
    let truth_nodes = sums[0].nodes.clone();
    let mut off_nodes = &truth_nodes;
    let mut cells = Vec::new();
    for ((table, _, rule, no_progress), sums) in CELLS.iter().zip(&sums) {
        if *no_progress == NoProgress::Off {
            off_nodes = &sums.nodes;
        }
        cells.push(Cell {
            table: (*table).to_owned(),
            rule: (*rule).to_owned(),
            wrong_positions: Share::of(sums.wrong_positions, positions.len() as u64),
            node_ratio: NodeRatio::of(&sums.nodes, off_nodes),
            nodes_against_truth: NodeRatio::of(&sums.nodes, &truth_nodes),
            raised: sums.raised,
            wrong: sums.wrong,
        });
    }
    Set { name: name.to_owned(), values, cells }
}

/// Searches a position in every cell; returns the number of values compared.
fn add_position(position: &Position, plan: &Plan, sums: &mut [Sums]) -> u64 {
    let mut search = ReferenceSearch::new(TableKeys::Paths);
    let mut truth = Vec::new();
    // Nodes of the truth to each depth, as the judging plies are not part of a comparison.
    let mut nodes = Vec::new();
    for depth in 1..=plan.depth + JUDGE_PLIES as u32 {
        let Some(value) = search.value(position, depth, plan.nodes) else { break };
        truth.push(value);
        nodes.push(search.nodes());
    }
    let depths = truth.len().min(plan.depth as usize);
    let Some(&truth_nodes) = nodes[..depths].last() else { return 0 };
    sums[0].nodes.push(truth_nodes);
    for ((_, table_keys, _, no_progress), sums) in CELLS.iter().zip(sums).skip(1) {
        let mut search = ReferenceSearch::with_rule(*table_keys, *no_progress);
        let before = sums.wrong.total();
        for (index, &value) in truth[..depths].iter().enumerate() {
            let deeper = truth.get(index + JUDGE_PLIES).copied();
            let found = search.value(position, index as u32 + 1, MOST_NODES);
            sums.wrong.add(found, value, deeper);
        }
        sums.wrong_positions += u64::from(sums.wrong.total() > before);
        sums.nodes.push(search.nodes());
        sums.raised += search.counts().no_progress;
    }
    depths as u64
}

impl Set {
    fn write(&self, plan: &Plan, output: &mut impl Write) -> io::Result<()> {
        let positions = self.cells.first().map_or(0, |cell| cell.wrong_positions.total);
        let (name, values, depth) = (&self.name, self.values, plan.depth);
        writeln!(
            output,
            "\n{name}: {positions} positions, {values} values, depths 1 to {depth}\n"
        )?;
        writeln!(
            output,
            "| table | rule | wrong | false draws | missed draws | positions with one, % | \
             a pawn at most / more / mates | deeper agrees / contradicts | nodes against off | \
             against the truth |\n|---|---|---|---|---|---|---|---|---|---|"
        )?;
        for cell in &self.cells {
            let wrong = &cell.wrong;
            writeln!(
                output,
                "| {} | {} | {} | {} | {} | {} | {} / {} / {} | {} / {} | {} | {} |",
                cell.table,
                cell.rule,
                wrong.total(),
                wrong.false_draws,
                wrong.missed_draws,
                cell.wrong_positions.percent(),
                wrong.up_to_a_pawn,
                wrong.more,
                wrong.mates,
                wrong.deeper_agrees,
                wrong.deeper_contradicts,
                cell.node_ratio.text(),
                cell.nodes_against_truth.text(),
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_values_are_judged_by_the_deeper_search() {
        let mut wrong = WrongValues::default();
        wrong.add(Some(50), 50, None);
        assert_eq!(wrong.total(), 0);
        wrong.add(Some(0), 100, Some(0));
        wrong.add(Some(0), 300, Some(300));
        wrong.add(Some(-100), 0, Some(50));
        wrong.add(Some(99_990), 900, None);
        assert_eq!((wrong.false_draws, wrong.missed_draws, wrong.others), (2, 1, 1));
        assert_eq!((wrong.up_to_a_pawn, wrong.more, wrong.mates), (2, 1, 1));
        let judged = (wrong.deeper_agrees, wrong.deeper_contradicts, wrong.undecided);
        assert_eq!(judged, (1, 1, 2));
    }

    #[test]
    fn a_small_experiment_is_complete() {
        let plan = Plan { seed: 1, positions: 3, depth: 8, nodes: 20_000 };
        let mut text = Vec::new();
        let factorial = run(plan, &mut text).unwrap();
        assert_eq!(factorial.sets.len(), 4);
        for set in &factorial.sets {
            let truth = &set.cells[0];
            assert_eq!((truth.wrong.total(), truth.raised), (0, 0));
            assert!((truth.node_ratio.mean - 1.0).abs() < 1e-12 && set.values > 0);
        }
        assert!(factorial.sets[0].cells.iter().any(|cell| cell.raised > 0));
        let rows = String::from_utf8(text).unwrap().lines().filter(|l| l.starts_with('|')).count();
        assert_eq!(rows, 4 * (2 + CELLS.len()));
    }
}
