//! The table of the results in `docs/ablation.md`, between two comments.

use std::fmt::Write;

use anyhow::{Context, Result};

use super::ablation::{AblationResults, GameScore, SwitchResult};

const BEGIN: &str = "<!-- cargo xtask trial --write writes from here -->\n";
const END: &str = "<!-- to here -->";

/// Returns the page with the table of these results.
pub(crate) fn replace(page: &str, results: &AblationResults) -> Result<String> {
    let (before, rest) =
        page.split_once(BEGIN).context("the page has no comment before the table")?;
    let (_, after) = rest.split_once(END).context("the page has no comment after the table")?;
    Ok(format!("{before}{BEGIN}{}{END}{after}", table(results)))
}

fn table(results: &AblationResults) -> String {
    let mut text = String::from(
        "\n| switch | Elo | games | nodes without it | time without it |\n|---|---|---|---|---|\n",
    );
    let mut rows: Vec<_> = results.rows.iter().collect();
    rows.sort_by(|one, other| elo(other).total_cmp(&elo(one)));
    for row in rows {
        let name = if row.default { "" } else { " (off)" };
        let _ = writeln!(text, "| `{}`{name} | {} |", row.switch, cells(row).join(" | "));
    }
    text + "\n"
}

fn elo(row: &SwitchResult) -> f64 {
    row.score.as_ref().map_or(f64::NEG_INFINITY, |score| score.elo)
}

fn cells(row: &SwitchResult) -> [String; 4] {
    let unknown = || "–".to_owned();
    let ratio = |pick: fn(&super::cost::SwitchCost) -> f64| {
        row.cost.as_ref().map_or_else(unknown, |cost| format!("{:.3}", pick(cost)))
    };
    [
        row.score.as_ref().map_or_else(unknown, elo_cell),
        row.score.as_ref().map_or_else(unknown, |score| score.games.to_string()),
        ratio(|cost| cost.node_ratio),
        ratio(|cost| cost.time_ratio),
    ]
}

fn elo_cell(score: &GameScore) -> String {
    let figure = format!("{:+.1} ± {:.1}", score.elo, score.error);
    if score.is_resolved() { figure } else { format!("not resolved ({figure})") }
}

#[cfg(test)]
mod tests {
    use super::super::ablation::Conditions;
    use super::*;

    #[test]
    fn the_table_replaces_the_old_one() {
        let row = |switch: &str, default, elo| SwitchResult {
            switch: switch.to_owned(),
            default,
            conditions: Conditions::default(),
            score: Some(GameScore::of_effect(400, elo, 9.0)),
            cost: None,
        };
        let rows =
            vec![row("weak", true, 3.0), row("strong", true, 50.0), row("bad", false, -20.0)];
        let results = AblationResults { rows };
        let page = format!("head\n{BEGIN}old{END}\ntail");
        let page = replace(&page, &results).unwrap();
        let order = [
            "head",
            "`strong` | +50.0 ± 9.0 | 400 | – | –",
            "`weak` | not resolved (+3.0 ± 9.0)",
            "`bad` (off) | -20.0",
            "tail",
        ];
        let places: Vec<_> = order.map(|part| page.find(part).expect(part)).into();
        assert!(places.is_sorted() && !page.contains("old"));
        assert_eq!(replace(&page, &results).unwrap(), page);
        assert!(replace("no comments", &results).is_err());
    }
}
