//! The Elo of each feature of the search, from trials and matches.

use koel_chart::{Bar, BarGroup, IntervalChart};

use crate::trial::ablation::{AblationResults, FeatureResult, GameScore};

/// The features as bars, sorted by Elo; features that are off by default are a group of their own.
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
        title: "Elo of each feature of the search".to_owned(),
        x_name: "Elo of on against off".to_owned(),
        columns: ["Elo", "nodes", "time"].map(str::to_owned).to_vec(),
        groups,
    }
}

fn sorted(ablation: &AblationResults) -> Vec<&FeatureResult> {
    let worth = |row: &FeatureResult| row.score.map_or(f64::NEG_INFINITY, |score| score.elo);
    let mut rows: Vec<&FeatureResult> = ablation.rows.iter().collect();
    rows.sort_by(|one, other| worth(other).total_cmp(&worth(one)));
    rows
}

fn bar(row: &FeatureResult) -> Option<Bar> {
    let score = row.score?;
    let [nodes, time] = ratios(row);
    Some(Bar {
        name: row.feature.clone(),
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

/// Nodes and time without the feature divided by those with it.
fn ratios(row: &FeatureResult) -> [String; 2] {
    row.cost.map_or_else(Default::default, |cost| {
        [cost.node_ratio, cost.time_ratio].map(|ratio| format!("{ratio:.2}"))
    })
}
