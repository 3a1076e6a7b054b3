//! What each idea of the search is worth.

use koel_arena::statistics::{ResultCounts, Strength};
use koel_chart::{Bar, BarGroup, IntervalChart};

use super::html;
use crate::ablate::results::{Results, Row};

/// The rows as bars, the worthiest first; what is off by default stands apart.
pub(crate) fn chart(ablation: &Results, width: f64) -> IntervalChart {
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
        title: "What each idea of the search is worth".to_owned(),
        x_name: "Elo of on against off".to_owned(),
        columns: ["Elo", "nodes", "time"].map(str::to_owned).to_vec(),
        groups,
        width,
    }
}

/// What the games say; nothing where none were played.
fn strength(row: &Row) -> Option<Strength> {
    row.score.map(|score| ResultCounts(score.pentanomial).strength())
}

fn sorted(ablation: &Results) -> Vec<&Row> {
    let worth = |row: &Row| strength(row).map_or(f64::NEG_INFINITY, |found| found.elo.value);
    let mut rows: Vec<&Row> = ablation.rows.iter().collect();
    rows.sort_by(|one, other| worth(other).total_cmp(&worth(one)));
    rows
}

fn bar(row: &Row) -> Option<Bar> {
    let strength = strength(row)?;
    let [nodes, time] = ratios(row);
    Some(Bar {
        name: row.feature.clone(),
        value: strength.elo.value,
        error: strength.elo.error,
        is_resolved: strength.is_resolved(),
        notes: vec![html::estimate(strength.elo), nodes, time],
    })
}

/// Nodes and time without it over those with it.
fn ratios(row: &Row) -> [String; 2] {
    row.cost.map_or_else(Default::default, |cost| {
        [cost.node_ratio, cost.time_ratio].map(|ratio| format!("{ratio:.2}"))
    })
}

/// The section of the page.
pub(crate) fn section(ablation: &Results) -> String {
    let rows: Vec<Vec<String>> = sorted(ablation).into_iter().map(cells).collect();
    let head = ["idea", "default", "games", "result", "Elo", "nodes", "time", "depth"];
    let played = || ablation.rows.iter().filter_map(strength);
    let text = format!(
        "Each idea of the search on against off, all others as they usually are ({}; commit {}, \
         bench {}). {} ideas, {} of them told from zero; bars in a fainter tone are not resolved: \
         their interval of 95 % contains zero. Nodes and time are those to a fixed depth without \
         the idea over those with it.",
        ablation.terms,
        ablation.commit,
        html::count(ablation.bench),
        played().count(),
        played().filter(Strength::is_resolved).count(),
    );
    html::paragraph(&text)
        + &html::figure(|width| chart(ablation, width).draw())
        + &html::code("cargo xtask ablate")
        + &html::folded("As a table", &html::table(&head, &rows), false)
}

fn cells(row: &Row) -> Vec<String> {
    let games = row.score.map(|score| html::count(score.games));
    let result = row.score.map(|score| html::result(score.wins, score.losses, score.draws));
    let elo = strength(row).map(|found| {
        let open = if found.is_resolved() { "" } else { ", not resolved" };
        html::estimate(found.elo) + open
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
