//! The chart of White's expected score by move.

use koel_chart::{Line, LineChart};

use crate::assessment::GameAnalysis;

/// Draws White's expected score at each position as SVG without text, which fills a box.
pub(crate) fn draw(analysis: &GameAnalysis) -> String {
    const SIZE: (f64, f64) = (1000.0, 120.0);
    let points = analysis.expected.iter().enumerate();
    let points = points.map(|(ply, expected)| (ply as f64, 100.0 * expected)).collect();
    let chart = LineChart {
        title: "White's expected score".to_owned(),
        x_name: "move".to_owned(),
        lines: vec![Line { name: "White's expected score".to_owned(), points }],
        mark: Some(50.0),
        y_span: Some((0.0, 100.0)),
    };
    chart.draw_plain(SIZE.0, SIZE.1)
}
