//! The cross table of a tournament.

use serde::Serialize;

use crate::match_config::Match;
use crate::match_score::MatchScore;
use crate::statistics::{Estimate, Pentanomial, Performance, performance};

/// A line of the table.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Standing {
    name: String,
    limits: String,
    /// The rating that is known, which is taken as exact.
    known_rating: Option<f64>,
    /// The performance against the ratings of the others, known or estimated too. Without known ratings
    /// their mean is 0.
    performance: Option<f64>,
    /// Half the width of its 95 % interval.
    error: Option<f64>,
    games: u64,
    points: f64,
    /// Points and games against each engine, in the order of the engines.
    against: Vec<(f64, u64)>,
}

/// Rounds of the estimate, each of which improves the ratings one by one.
const ROUNDS: usize = 200;
/// The distance of an engine that won or lost every game from the others.
const BEYOND: f64 = 800.0;

/// The score of an engine against another: half points, games and pairs.
#[derive(Clone, Copy, Default)]
struct Cell {
    half_points: u64,
    games: u64,
    pairs: Pentanomial,
}

/// Returns the lines of the table in the order of the engines.
pub(super) fn standings(
    config: &Match,
    scores: &[MatchScore],
    known: &[Option<f64>],
) -> Vec<Standing> {
    let cells = cells(config, scores);
    let known = |index: usize| known.get(index).copied().flatten();
    let mut ratings: Vec<_> = (0..cells.len()).map(|index| known(index).unwrap_or(0.0)).collect();
    let mut estimates = vec![None; cells.len()];
    let has_known = (0..cells.len()).any(|index| known(index).is_some());
    for _ in 0..ROUNDS {
        for (index, row) in cells.iter().enumerate() {
            let played = row.iter().zip(&ratings);
            let played: Vec<_> =
                played.map(|(cell, &rating)| Performance { rating, pairs: cell.pairs }).collect();
            estimates[index] = performance(&played);
            if let (Some(estimate), None) = (estimates[index], known(index)) {
                let met = played.iter().filter(|played| played.pairs.total() > 0);
                let sum: f64 = met.clone().map(|played| played.rating).sum();
                let mean = sum / met.count() as f64;
                ratings[index] = estimate.value.clamp(mean - BEYOND, mean + BEYOND);
            }
        }
        if !has_known {
            let mean = ratings.iter().sum::<f64>() / ratings.len().max(1) as f64;
            ratings.iter_mut().for_each(|rating| *rating -= mean);
        }
    }
    let line = |(index, row): (usize, &Vec<Cell>)| {
        let estimate: Option<Estimate> = estimates[index];
        let engine = &config.contenders[index];
        Standing {
            name: engine.spec.name.clone(),
            limits: engine.limits.to_string(),
            known_rating: known(index),
            performance: estimate.map(|estimate| estimate.value),
            error: estimate.map(|estimate| estimate.error),
            games: row.iter().map(|cell| cell.games).sum(),
            points: row.iter().map(|cell| cell.half_points).sum::<u64>() as f64 / 2.0,
            against: row.iter().map(|c| (c.half_points as f64 / 2.0, c.games)).collect(),
        }
    };
    cells.iter().enumerate().map(line).collect()
}

fn cells(config: &Match, scores: &[MatchScore]) -> Vec<Vec<Cell>> {
    let count = config.contenders.len();
    let mut cells = vec![vec![Cell::default(); count]; count];
    for (&[first, second], score) in config.pairings.iter().zip(scores) {
        for (us, them, is_first) in [(first, second, true), (second, first, false)] {
            let (mut games, mut pairs) = (score.games, score.pairs);
            if !is_first {
                games.0.reverse();
                pairs.0.reverse();
            }
            let half_points = 2 * games.0[2] + games.0[1];
            cells[us][them] = Cell { half_points, games: games.total(), pairs };
        }
    }
    cells
}

/// Formats the table, the best engine first: performance, games, points, and the points against each
/// other engine.
pub(super) fn table(standings: &[Standing]) -> String {
    let mut order: Vec<_> = (0..standings.len()).collect();
    let share = |index: usize| standings[index].points / standings[index].games.max(1) as f64;
    order.sort_by(|&one, &other| {
        let by = |index: usize| standings[index].performance.unwrap_or(f64::NEG_INFINITY);
        by(other).total_cmp(&by(one)).then(share(other).total_cmp(&share(one)))
    });
    let mut heading: Vec<_> =
        ["", "engine", "Elo", "+/-", "games", "points", "%"].map(str::to_owned).into();
    heading.extend((1..=order.len()).map(|rank| rank.to_string()));
    let mut rows = vec![heading];
    for (rank, &index) in order.iter().enumerate() {
        let standing = &standings[index];
        let figure =
            |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.0}"));
        let mut row = vec![
            (rank + 1).to_string(),
            standing.name.clone(),
            figure(standing.performance),
            figure(standing.error),
            standing.games.to_string(),
            format!("{:.1}", standing.points),
            format!("{:.1}", 100.0 * share(index)),
        ];
        row.extend(order.iter().map(|&other| match standing.against[other] {
            (_, 0) => "-".to_owned(),
            (points, games) => format!("{points:.1}/{games}"),
        }));
        rows.push(row);
    }
    aligned(&rows)
}

/// Aligns the columns, the names to the left.
fn aligned(rows: &[Vec<String>]) -> String {
    let width =
        |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<_> = (0..rows[0].len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells =
            row.iter().zip(&widths).enumerate().map(|(column, (text, &width))| match column {
                1 => format!("{text:<width$}"),
                _ => format!("{text:>width$}"),
            });
        cells.collect::<Vec<_>>().join("  ")
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}
