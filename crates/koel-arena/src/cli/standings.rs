//! The cross table of a tournament.

use std::cmp::Ordering;

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
    /// The performance against the ratings of the others, known or estimated too. Without known
    /// ratings their mean is 0.
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

/// Returns the lines of the table in the order of the engines.
pub(super) fn standings(
    config: &Match,
    scores: &[MatchScore],
    known: &[Option<f64>],
) -> Vec<Standing> {
    let count = config.engines.len();
    let mut pairs = vec![vec![Pentanomial::default(); count]; count];
    let mut against = vec![vec![(0.0, 0); count]; count];
    for (&[first, second], score) in config.pairings.iter().zip(scores) {
        let ([losses, draws, wins], games) = (score.games.0, score.games.total());
        let half = draws as f64 / 2.0;
        against[first][second] = (wins as f64 + half, games);
        against[second][first] = (losses as f64 + half, games);
        let mut reversed = score.pairs;
        reversed.0.reverse();
        (pairs[first][second], pairs[second][first]) = (score.pairs, reversed);
    }
    let estimates = estimates(&pairs, known);
    let line = |(index, against): (usize, Vec<(f64, u64)>)| Standing {
        name: config.name(index).to_owned(),
        limits: config.engines[index].limits.to_string(),
        known_rating: known.get(index).copied().flatten(),
        performance: estimates[index].map(|estimate| estimate.value),
        error: estimates[index].map(|estimate| estimate.error),
        games: against.iter().map(|(_, games)| games).sum(),
        points: against.iter().map(|(points, _)| points).sum(),
        against,
    };
    against.into_iter().enumerate().map(line).collect()
}

/// Returns the performance of each engine against the ratings of the others.
fn estimates(pairs: &[Vec<Pentanomial>], known: &[Option<f64>]) -> Vec<Option<Estimate>> {
    let known = |index: usize| known.get(index).copied().flatten();
    let mut ratings: Vec<_> = (0..pairs.len()).map(|index| known(index).unwrap_or(0.0)).collect();
    let mut estimates = vec![None; pairs.len()];
    let has_known = (0..pairs.len()).any(|index| known(index).is_some());
    for _ in 0..ROUNDS {
        for (index, row) in pairs.iter().enumerate() {
            let played = row.iter().zip(&ratings);
            let played = played.map(|(&pairs, &rating)| Performance { rating, pairs });
            let met: Vec<_> = played.filter(|played| played.pairs.total() > 0).collect();
            estimates[index] = performance(&met);
            if let (Some(estimate), None) = (estimates[index], known(index)) {
                let mean = met.iter().map(|met| met.rating).sum::<f64>() / met.len() as f64;
                ratings[index] = estimate.value.clamp(mean - BEYOND, mean + BEYOND);
            }
        }
        if !has_known {
            let mean = ratings.iter().sum::<f64>() / ratings.len().max(1) as f64;
            ratings.iter_mut().for_each(|rating| *rating -= mean);
        }
    }
    estimates
}

/// Formats the table, the best engine first: performance, games, points, and the points against
/// each other engine.
pub(super) fn table(standings: &[Standing]) -> String {
    let share = |engine: &Standing| engine.points / engine.games.max(1) as f64;
    let rank = |&index: &usize| {
        let engine = &standings[index];
        (engine.performance.unwrap_or(f64::NEG_INFINITY), share(engine))
    };
    let mut order: Vec<_> = (0..standings.len()).collect();
    order.sort_by(|one, other| rank(other).partial_cmp(&rank(one)).unwrap_or(Ordering::Equal));
    let width = standings.iter().map(|engine| engine.name.chars().count()).fold(6, usize::max);
    let row = |rank: &str, name: &str, figures: &[String]| {
        let figures: String = figures.iter().map(|figure| format!(" {figure:>9}")).collect();
        format!("{rank:>2}  {name:<width$}{figures}")
    };
    let headings = ["Elo", "+/-", "games", "points", "%"].map(str::to_owned);
    let ranks = (1..=order.len()).map(|rank| rank.to_string());
    let mut lines = vec![row("", "engine", &headings.into_iter().chain(ranks).collect::<Vec<_>>())];
    for (rank, engine) in order.iter().map(|&index| &standings[index]).enumerate() {
        let figure = |value: Option<f64>| match value {
            None => "-".to_owned(),
            Some(value) if value.is_finite() => format!("{value:.0}"),
            // Nothing says how far it is from the others.
            Some(value) => if value > 0.0 { "won all" } else { "lost all" }.to_owned(),
        };
        let error = engine.error.filter(|error| error.is_finite());
        let mut figures = vec![figure(engine.performance), figure(error)];
        figures.push(engine.games.to_string());
        figures.push(format!("{:.1}", engine.points));
        figures.push(format!("{:.1}", 100.0 * share(engine)));
        figures.extend(order.iter().map(|&other| match engine.against[other] {
            (_, 0) => "-".to_owned(),
            (points, games) => format!("{points:.1}/{games}"),
        }));
        lines.push(row(&(rank + 1).to_string(), &engine.name, &figures));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_performance_without_an_end_is_said_in_words() {
        let standing = |name: &str, performance: f64, points: f64| Standing {
            name: name.to_owned(),
            limits: String::new(),
            known_rating: None,
            performance: Some(performance),
            error: Some(f64::INFINITY),
            games: 4,
            points,
            against: vec![(points, 4); 2],
        };
        let all = [standing("a", f64::NEG_INFINITY, 0.0), standing("b", f64::INFINITY, 4.0)];
        let table = table(&all);
        let lines: Vec<_> = table.lines().collect();
        assert!(lines[1].contains(" b ") && lines[1].contains(" won all "), "{table}");
        assert!(lines[2].contains(" a ") && lines[2].contains(" lost all "), "{table}");
        assert!(!table.contains("inf"), "{table}");
    }
}
