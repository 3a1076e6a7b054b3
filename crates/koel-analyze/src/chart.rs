//! Charts of the evaluation by move.

use std::path::{Path, PathBuf};

use koel_chart::{Line, LineChart};

use crate::assessment::GameAnalysis;
use koel_pgn::PgnGame;

/// Draws White's expected score by move as SVG.
pub(crate) fn draw(game: &PgnGame, analysis: &GameAnalysis) -> String {
    let player = |color| game.tags.value(color).unwrap_or(color);
    let start = game.game.start();
    let first =
        f64::from(start.fullmove_number()) + if start.turn().is_white() { 0.0 } else { 0.5 };
    let first = first + analysis.first as f64 / 2.0;
    let title = format!(
        "{} - {} {}: White's expected score in percent",
        player("White"),
        player("Black"),
        game.result
    );
    chart(analysis, title, |ply| first + ply as f64 / 2.0).draw()
}

/// Draws White's expected score at each position as SVG without text, which fills a box.
pub(crate) fn draw_plain(analysis: &GameAnalysis) -> String {
    const SIZE: (f64, f64) = (1000.0, 120.0);
    let chart = chart(analysis, "White's expected score".to_owned(), |ply| ply as f64);
    chart.draw_plain(SIZE.0, SIZE.1)
}

/// Returns the chart with each position at an x.
fn chart(analysis: &GameAnalysis, title: String, x: impl Fn(usize) -> f64) -> LineChart {
    let points = analysis.expected.iter().enumerate();
    let points = points.map(|(ply, expected)| (x(ply), 100.0 * expected)).collect();
    LineChart {
        title,
        x_name: "move".to_owned(),
        lines: vec![Line { name: "White's expected score".to_owned(), points }],
        mark: Some(50.0),
        y_span: Some((0.0, 100.0)),
    }
}

/// Returns the path of the chart of a game: the given one, with the number of the game before the
/// extension if there are several games.
pub(crate) fn path(given: &Path, number: u64, is_only_game: bool) -> PathBuf {
    if is_only_game {
        return given.to_owned();
    }
    let mut name = given.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    if let Some(extension) = given.extension() {
        name.push(".");
        name.push(extension);
    }
    given.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use koel_pgn::{GameReader, PgnEntry};

    #[test]
    fn several_games_have_numbers() {
        let path = |given: &str, is_only| path(Path::new(given), 7, is_only);
        assert_eq!(path("a/b.svg", true), Path::new("a/b.svg"));
        assert_eq!(path("a/b.svg", false), Path::new("a/b-7.svg"));
        assert_eq!(path("b", false), Path::new("b-7"));
    }

    #[test]
    fn the_line_has_a_point_for_each_position() {
        let text = "[White \"A <b>\"]\n\n1. e4 e5 2. Nf3 1-0";
        let entry = GameReader::new(text.as_bytes()).next().unwrap().unwrap();
        let PgnEntry::Game(game) = entry else { panic!("{entry:?}") };
        let expected = vec![0.5, 0.6, 0.4, 0.7];
        let analysis = GameAnalysis { expected, ..GameAnalysis::default() };
        let svg = draw(&game, &analysis);
        assert!(svg.contains("A &lt;b&gt; - Black 1-0"), "{svg}");
        let points = svg.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
        assert_eq!(points.split(' ').count(), 4, "{svg}");
    }
}
