//! The chart of the results.

use koel_chart::{Bar, BarGroup, IntervalChart};

use super::ablation::{AblationResults, SwitchResult};

/// The switches as bars, the best first; those that are off by default are a group of their own.
pub(crate) fn chart(results: &AblationResults) -> IntervalChart {
    let group = |name: &str, is_default| BarGroup {
        name: name.to_owned(),
        bars: results.sorted().filter(|row| row.default == is_default).map(bar).collect(),
    };
    let mut groups = vec![group("On by default", true), group("Off by default", false)];
    groups.retain(|group| !group.bars.is_empty());
    IntervalChart {
        title: "Elo of each switch of the search".to_owned(),
        x_name: "Elo of on against off".to_owned(),
        columns: ["Elo", "nodes", "time"].map(str::to_owned).to_vec(),
        groups,
    }
}

fn bar(row: &SwitchResult) -> Bar {
    let SwitchResult { elo, error, .. } = *row;
    // No sign for zero.
    let estimate = if elo.abs() < 0.05 { "0.0".to_owned() } else { format!("{elo:+.1}") };
    let estimate = format!("{} ± {error:.1}", estimate.replace('-', "−"));
    // Nodes and time without the switch divided by those with it.
    let [nodes, time] = [row.cost.node_ratio, row.cost.time_ratio].map(|of| format!("{of:.2}"));
    Bar {
        name: row.switch.clone(),
        value: elo,
        error,
        is_resolved: row.is_resolved(),
        notes: vec![estimate, nodes, time],
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn the_published_results_are_read_whole_and_drawn() {
        let text = include_str!("../../../../docs/data/ablation.json");
        let results: AblationResults = serde_json::from_str(text).unwrap();
        let data: Value = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_value(&results).unwrap(), data);
        assert_eq!(chart(&results).draw(), include_str!("../../../../docs/ablation.svg"));
    }
}
