//! The Elo of each feature of the search, from trials and matches.

use std::collections::BTreeSet;

use koel_arena::statistics::Estimate;
use koel_chart::{Bar, BarGroup, IntervalChart};

use super::html;
use crate::trial::ablation::{AblationResults, Conditions, FeatureResult, GameScore};

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

fn estimate(score: GameScore) -> String {
    html::estimate(Estimate { value: score.elo, error: score.error })
}

/// Nodes and time without the feature divided by those with it.
fn ratios(row: &FeatureResult) -> [String; 2] {
    row.cost.map_or_else(Default::default, |cost| {
        [cost.node_ratio, cost.time_ratio].map(|ratio| format!("{ratio:.2}"))
    })
}

/// The builds and games of all rows, each once.
fn conditions(ablation: &AblationResults) -> String {
    let all: BTreeSet<_> = ablation.rows.iter().map(|row| &row.conditions).collect();
    let describe = |of: &Conditions| {
        format!("{}; commit {}, bench {}", of.settings, of.commit, html::count(of.bench))
    };
    all.into_iter().map(describe).collect::<Vec<_>>().join(" and ")
}

/// The section of the report.
pub(crate) fn section(ablation: &AblationResults) -> String {
    let rows: Vec<Vec<String>> = sorted(ablation).into_iter().map(cells).collect();
    let head = ["feature", "default", "games", "result", "Elo", "nodes", "time", "depth"];
    let played = || ablation.rows.iter().filter_map(|row| row.score);
    let text = format!(
        "Each feature of the search on against off, some alone and some in a trial of several features ({}). {} features; the Elo of {} of them differs significantly from zero. Faint bars \
         are not resolved: their 95 % interval contains zero. Nodes and time are ratios at a fixed \
         depth: without the feature divided by with it.",
        conditions(ablation),
        played().count(),
        played().filter(GameScore::is_resolved).count(),
    );
    html::paragraph(&text)
        + &html::figure(&chart(ablation).draw())
        + &html::code("cargo xtask trial --write")
        + &html::folded("As a table", &html::table(&head, &rows), false)
}

fn cells(row: &FeatureResult) -> Vec<String> {
    let games = row.score.map(|score| html::count(score.games));
    let results = row.score.and_then(|score| score.results);
    let result = results.map(|of| html::result(of.wins, of.losses, of.draws));
    let elo = row.score.map(|score| {
        let open = if score.is_resolved() { "" } else { ", not resolved" };
        estimate(score) + open
    });
    let [nodes, time] = ratios(row);
    vec![
        row.feature.clone(),
        if row.default { "on" } else { "off" }.to_owned(),
        games.unwrap_or_default(),
        result.unwrap_or_default(),
        elo.unwrap_or_default(),
        nodes,
        time,
        row.cost.map(|cost| cost.depth.to_string()).unwrap_or_default(),
    ]
}
