//! The table of the results in `docs/ablation.md`, between two comments.

use anyhow::{Context, Result};

use super::ablation::{AblationResults, SwitchResult};

const BEGIN: &str = "<!-- cargo xtask trial --write writes from here -->\n";
const END: &str = "<!-- to here -->";
const HEAD: &str = "\n| switch | Elo | games | nodes without it | time without it |\n\
                    |---|---|---|---|---|\n";

/// Returns the page with the table of these results.
pub(crate) fn replace(page: &str, results: &AblationResults) -> Result<String> {
    let (before, rest) =
        page.split_once(BEGIN).context("the page has no comment before the table")?;
    let (_, after) = rest.split_once(END).context("the page has no comment after the table")?;
    let rows: String = results.sorted().map(row).collect();
    Ok(format!("{before}{BEGIN}{HEAD}{rows}\n{END}{after}"))
}

fn row(row: &SwitchResult) -> String {
    let name = if row.default { "" } else { " (off)" };
    let mut elo = format!("{:+.1} ± {:.1}", row.elo, row.error);
    if !row.is_resolved() {
        elo = format!("not resolved ({elo})");
    }
    let (nodes, time) = (row.cost.node_ratio, row.cost.time_ratio);
    format!("| `{}`{name} | {elo} | {} | {nodes:.3} | {time:.3} |\n", row.switch, row.games)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_replaces_the_old_one() {
        let mut results = AblationResults::default();
        for (switch, default, elo) in
            [("weak", true, 3.0), ("strong", true, 50.0), ("bad", false, -20.0)]
        {
            let switch = switch.to_owned();
            let of_games = SwitchResult { games: 400, error: 9.0, ..SwitchResult::default() };
            results.set(SwitchResult { switch, default, elo, ..of_games });
        }
        let page = format!("head\n{BEGIN}old{END}\ntail");
        let page = replace(&page, &results).unwrap();
        let order = [
            "head",
            "`strong` | +50.0 ± 9.0 | 400 | 0.000 | 0.000 |",
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
