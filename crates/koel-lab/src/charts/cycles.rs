//! The charts of the page on cycles.

use koel_chart::{Bar, BarGroup, IntervalChart};

use crate::ghi::statistics::Share;
use crate::ghi::truth::{Cell, WrongValueCounts};

/// The positions in which each policy has a wrong value, of the kinds where there is one.
pub(crate) fn wrong_values(counts: &WrongValueCounts) -> IntervalChart {
    let bar = |cell: &Cell| {
        let Share { count, total, low, high } = cell.wrong_positions;
        Bar {
            name: cell.table.clone(),
            value: 100.0 * count as f64 / total.max(1) as f64,
            // Wilson's interval is nearly symmetric unless there are few.
            error: 50.0 * (high - low),
            is_resolved: count > 0,
            notes: vec![cell.wrong_positions.percent(), cell.wrong.false_draws.to_string()],
        }
    };
    let sets = counts.sets.iter().filter(|set| set.cells.iter().any(|cell| cell.wrong.total() > 0));
    let groups = sets.map(|set| BarGroup {
        name: format!("{}, {} values", set.name, set.values),
        // The first is the truth.
        bars: set.cells.iter().skip(1).map(bar).collect(),
    });
    IntervalChart {
        title: "Positions with a wrong value, by policy".to_owned(),
        x_name: "positions with at least one wrong value, %".to_owned(),
        columns: vec!["%".to_owned(), "false draws".to_owned()],
        groups: groups.collect(),
    }
}

/// The nodes that the no-progress rule saves with each kind of table.
pub(crate) fn nodes_saved(counts: &WrongValueCounts) -> IntervalChart {
    let bar = |cell: &Cell| {
        let ratio = cell.node_ratio;
        // The interval is symmetric in the logarithm, which for ratios near 1 is nearly the same.
        let (value, error) = (100.0 * (ratio.mean - 1.0), 50.0 * (ratio.high - ratio.low));
        Bar {
            name: format!("{}, {}", cell.table, cell.rule),
            value,
            error,
            is_resolved: value.abs() > error,
            notes: vec![format!("{value:+.2} ± {error:.2}"), cell.raised.to_string()],
        }
    };
    let groups = counts.sets.iter().map(|set| BarGroup {
        name: set.name.clone(),
        bars: set.cells.iter().filter(|cell| cell.rule != "off").map(bar).collect(),
    });
    IntervalChart {
        title: "Nodes of the no-progress rule, by transposition table".to_owned(),
        x_name: "nodes against the same table without the rule, difference in %".to_owned(),
        columns: vec!["%".to_owned(), "alpha raised".to_owned()],
        groups: groups.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ghi::statistics::NodeRatio;
    use crate::ghi::truth::{Plan, Set};
    use crate::ghi::wrong_values::WrongValues;

    fn counts() -> WrongValueCounts {
        let cell = |rule: &str, mean| Cell {
            table: "head".to_owned(),
            rule: rule.to_owned(),
            wrong_positions: Share::of(0, 10),
            false_draw_positions: Share::of(0, 10),
            node_ratio: NodeRatio { mean, low: mean - 0.02, high: mean + 0.02 },
            nodes_against_truth: NodeRatio { mean: 1.0, low: 1.0, high: 1.0 },
            raised: 7,
            wrong: WrongValues::default(),
        };
        let cells = vec![cell("off", 1.0), cell("on", 0.9), cell("tracked", 0.99)];
        let plan = Plan { seed: 1, positions: 10, depth: 8, nodes: 1000, moves: 1 };
        WrongValueCounts { plan, sets: vec![Set { name: "endings".to_owned(), values: 80, cells }] }
    }

    #[test]
    fn the_rule_is_compared_with_the_same_table() {
        let chart = nodes_saved(&counts());
        let bars = &chart.groups[0].bars;
        assert_eq!(bars.len(), 2, "off is the reference");
        assert!((bars[0].value + 10.0).abs() < 1e-9 && (bars[0].error - 2.0).abs() < 1e-9);
        assert_eq!(bars.iter().map(|bar| bar.is_resolved).collect::<Vec<_>>(), [true, false]);
        assert_eq!(bars[0].notes, ["-10.00 ± 2.00", "7"]);
    }

    #[test]
    fn kinds_without_a_wrong_value_are_left_out() {
        let mut counts = counts();
        assert!(wrong_values(&counts).groups.is_empty());
        let cell = &mut counts.sets[0].cells[1];
        cell.wrong_positions = Share::of(2, 10);
        cell.wrong = WrongValues { false_draws: 3, ..WrongValues::default() };
        let chart = wrong_values(&counts);
        let bar = &chart.groups[0].bars[0];
        assert!((bar.value - 20.0).abs() < 1e-9 && bar.notes[1] == "3", "{bar:?}");
    }
}
