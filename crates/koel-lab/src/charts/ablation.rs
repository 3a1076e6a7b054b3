//! The Elo of each switch of the search, from trials and matches.

use koel_chart::{Bar, BarGroup, IntervalChart};

use crate::trial::ablation::{AblationResults, GameScore, SwitchResult};

/// The switches as bars, sorted by Elo; switches that are off by default are a group of their own.
pub(crate) fn chart(ablation: &AblationResults) -> IntervalChart {
    let rows = sorted(ablation);
    let group = |name: &str, is_default: bool| BarGroup {
        name: name.to_owned(),
        bars: rows
            .iter()
            .filter(|row| row.default == is_default)
            .filter_map(|row| bar(row))
            .collect(),
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

fn sorted(ablation: &AblationResults) -> Vec<&SwitchResult> {
    let worth = |row: &SwitchResult| row.score.map_or(f64::NEG_INFINITY, |score| score.elo);
    let mut rows: Vec<&SwitchResult> = ablation.rows.iter().collect();
    rows.sort_by(|one, other| worth(other).total_cmp(&worth(one)));
    rows
}

fn bar(row: &SwitchResult) -> Option<Bar> {
    let score = row.score?;
    let [nodes, time] = ratios(row);
    Some(Bar {
        name: row.switch.clone(),
        value: score.elo,
        error: score.error,
        is_resolved: score.is_resolved(),
        notes: vec![estimate(score), nodes, time],
    })
}

fn estimate(GameScore { elo, error, .. }: GameScore) -> String {
    // No sign for zero.
    let elo = if elo.abs() < 0.05 { "0.0".to_owned() } else { format!("{elo:+.1}") };
    format!("{} ± {error:.1}", elo.replace('-', "−"))
}

/// Nodes and time without the switch divided by those with it.
fn ratios(row: &SwitchResult) -> [String; 2] {
    row.cost.map_or_else(Default::default, |cost| {
        [cost.node_ratio, cost.time_ratio].map(|ratio| format!("{ratio:.2}"))
    })
}
