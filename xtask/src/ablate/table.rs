//! The table of `docs/search.md`, between two marks.

use std::fmt::Write;

use anyhow::{Context, Result};

use super::results::{Results, Row, Score};

const BEGIN: &str = "<!-- cargo xtask ablate writes from here -->\n";
const END: &str = "<!-- to here -->";

/// The page with the table as it is now.
pub(crate) fn replace(page: &str, results: &Results) -> Result<String> {
    let (before, rest) = page.split_once(BEGIN).context("the page has no place for the table")?;
    let (_, after) = rest.split_once(END).context("the place for the table has no end")?;
    Ok(format!("{before}{BEGIN}{}{END}{after}", table(results)))
}

fn table(results: &Results) -> String {
    let mut text = String::from(
        "\n| idea | Elo | games | nodes without it | time without it |\n|---|---|---|---|---|\n",
    );
    let mut rows: Vec<_> = results.rows.iter().collect();
    rows.sort_by(|one, other| worth(other).total_cmp(&worth(one)));
    for row in rows {
        let name = if row.default { "" } else { " (off)" };
        let _ = writeln!(text, "| `{}`{name} | {} |", row.feature, cells(row).join(" | "));
    }
    text + "\n"
}

fn worth(row: &Row) -> f64 {
    row.score.as_ref().map_or(f64::NEG_INFINITY, |score| score.elo)
}

fn cells(row: &Row) -> [String; 4] {
    let unknown = || "–".to_owned();
    let ratio = |pick: fn(&super::cost::Cost) -> f64| {
        row.cost.as_ref().map_or_else(unknown, |cost| format!("{:.3}", pick(cost)))
    };
    [
        row.score.as_ref().map_or_else(unknown, verdict),
        row.score.as_ref().map_or_else(unknown, |score| score.games.to_string()),
        ratio(|cost| cost.node_ratio),
        ratio(|cost| cost.time_ratio),
    ]
}

fn verdict(score: &Score) -> String {
    let figure = format!("{:+.1} ± {:.1}", score.elo, score.error);
    if score.is_resolved() { figure } else { format!("not resolved ({figure})") }
}

#[cfg(test)]
mod tests {
    use super::super::switches::Switch;
    use super::*;
    use koel_arena::MatchScore;

    #[test]
    fn the_table_takes_the_place_of_the_old_one() {
        let mut results = Results::default();
        let switch = |feature: &str, is_on| Switch { feature: feature.to_owned(), is_on };
        let score =
            |elo, error| Score { elo, error, games: 400, ..Score::of(&MatchScore::default()) };
        results.set_score(&switch("weak", true), score(3.0, 9.0));
        results.set_score(&switch("strong", true), score(50.0, 9.0));
        results.set_score(&switch("bad", false), score(-20.0, 9.0));
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
        assert!(replace("no marks", &results).is_err());
    }
}
