//! Line charts.

use crate::WIDTH;
use crate::drawing::{COLORS, Drawing, Point};
use crate::scale::{Scale, extent, span};

const HEIGHT: f64 = 288.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 42.0;
const LEFT: f64 = 50.0;
const RIGHT: f64 = 14.0;

/// The largest number of points that are drawn as dots.
const MAX_DOTS: usize = 16;

/// A line of a chart.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// The name in the legend.
    pub name: String,
    /// The points, in ascending order of x.
    pub points: Vec<Point>,
    /// The lower and upper limit of the error band at each point, or empty. May be infinite.
    pub band: Vec<(f64, f64)>,
}

impl Line {
    /// Creates a line without an error band.
    #[must_use]
    pub fn new(name: &str, points: Vec<Point>) -> Line {
        Line { name: name.to_owned(), points, band: Vec::new() }
    }
}

/// A horizontal reference line.
#[derive(Clone, Debug)]
pub struct Marker {
    /// Its value.
    pub y: f64,
    /// Its label; empty for none.
    pub name: String,
}

/// A line chart.
#[derive(Clone, Debug, Default)]
pub struct LineChart {
    /// The title.
    pub title: String,
    /// The name of the horizontal axis, with its unit.
    pub x_name: String,
    /// The lines, each in its own colour. There is a legend if there are several.
    pub lines: Vec<Line>,
    /// The reference lines.
    pub markers: Vec<Marker>,
    /// The range of the vertical axis; values beyond it are drawn at its edge. `None` for all
    /// values.
    pub y_span: Option<(f64, f64)>,
}

impl LineChart {
    /// Draws the chart.
    #[must_use]
    pub fn draw(&self) -> Drawing {
        let mut drawing = Drawing::new(&self.title, WIDTH, HEIGHT);
        let top = self.draw_legend(&mut drawing);
        let xs = || self.lines.iter().flat_map(|line| &line.points).map(|point| point.0);
        let values = extent(xs()).filter(|(first, last)| first < last);
        let values = values.unwrap_or_else(|| span(xs()));
        let x = Scale { values, pixels: (LEFT, WIDTH - RIGHT) };
        let values = self.y_span.unwrap_or_else(|| self.all_y());
        let y = Scale { values, pixels: (HEIGHT - BOTTOM, top) };
        drawing.axes(&x, &y, &self.x_name);
        for marker in self.markers.iter().filter(|marker| y.contains(marker.y)) {
            let at = y.at(marker.y);
            drawing.line("mark", (LEFT, at), (WIDTH - RIGHT, at));
            drawing.text("dim over", (LEFT + 5.0, at - 4.0), &marker.name);
        }
        for (index, line) in self.lines.iter().enumerate() {
            line.draw(&mut drawing, index % COLORS, &x, &y);
        }
        drawing
    }

    /// Draws the lines and the reference lines alone, from edge to edge, for a page that has the
    /// rest.
    #[must_use]
    pub fn draw_plain(&self, width: f64, height: f64) -> Drawing {
        let mut drawing = Drawing::empty(&self.title, width, height);
        let xs = self.lines.iter().flat_map(|line| &line.points).map(|point| point.0);
        let values = extent(xs).filter(|(first, last)| first < last).unwrap_or((0.0, 1.0));
        let x = Scale { values, pixels: (0.0, width) };
        let y =
            Scale { values: self.y_span.unwrap_or_else(|| self.all_y()), pixels: (height, 0.0) };
        for marker in &self.markers {
            drawing.line("mark", (0.0, y.at(marker.y)), (width, y.at(marker.y)));
        }
        for (index, line) in self.lines.iter().enumerate() {
            line.draw(&mut drawing, index % COLORS, &x, &y);
        }
        drawing
    }

    fn all_y(&self) -> (f64, f64) {
        let of_lines = self.lines.iter().flat_map(|line| {
            let points = line.points.iter().map(|point| point.1);
            points.chain(line.band.iter().flat_map(|&(low, high)| [low, high]))
        });
        span(of_lines.chain(self.markers.iter().map(|marker| marker.y)))
    }

    /// Draws the legend and returns the top of the plot area.
    fn draw_legend(&self, drawing: &mut Drawing) -> f64 {
        if self.lines.len() < 2 {
            return TOP;
        }
        let (mut x, y) = (LEFT, TOP + 6.0);
        for (index, line) in self.lines.iter().enumerate() {
            drawing.line(&format!("line s{}", index % COLORS), (x, y - 4.0), (x + 16.0, y - 4.0));
            drawing.text("", (x + 21.0, y), &line.name);
            x += 30.0 + 6.8 * line.name.chars().count() as f64;
        }
        y + 12.0
    }
}

impl Line {
    fn draw(&self, drawing: &mut Drawing, color: usize, x: &Scale, y: &Scale) {
        let place = |x_value: f64, y_value: f64| (x.at(x_value), y.at_clamped(y_value));
        if !self.band.is_empty() {
            let ends = || self.points.iter().map(|point| point.0).zip(&self.band);
            let low = ends().map(|(at, &(low, _))| place(at, low));
            let high = ends().rev().map(|(at, &(_, high))| place(at, high));
            drawing.points("polygon", &format!("band f{color}"), low.chain(high));
        }
        let places = || self.points.iter().map(|&(at, value)| place(at, value));
        drawing.points("polyline", &format!("line s{color}"), places());
        if self.points.len() <= MAX_DOTS {
            places().for_each(|at| drawing.dot(&format!("f{color}"), at));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str) -> Vec<f64> {
        text.split([' ', ',']).map(|number| number.parse().unwrap()).collect()
    }

    #[test]
    fn bands_are_drawn_to_scale() {
        let line = Line {
            name: "a < b".to_owned(),
            points: vec![(0.0, 0.0), (10.0, 5.0)],
            band: vec![(-5.0, 5.0), (0.0, f64::INFINITY)],
        };
        let y_span = Some((-10.0, 10.0));
        let marker = Marker { y: 5.0, name: "bound".to_owned() };
        let chart =
            LineChart { lines: vec![line], y_span, markers: vec![marker], ..LineChart::default() };
        let svg = chart.draw().standalone();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let of = |tag: &str| document.descendants().find(|node| node.has_tag_name(tag)).unwrap();
        let line = numbers(of("polyline").attribute("points").unwrap());
        let band = numbers(of("polygon").attribute("points").unwrap());
        let (top, base) = (TOP, HEIGHT - BOTTOM);
        let near = |found: f64, due: f64| assert!((found - due).abs() < 0.06, "{found}, {due}");
        let at = |value: f64| base - (value + 10.0) / 20.0 * (base - top);
        near(line[1], at(0.0));
        near(line[3], at(5.0));
        near(line[2] - line[0], WIDTH - LEFT - RIGHT);
        for (index, value) in [-5.0, 0.0, 10.0, 5.0].into_iter().enumerate() {
            near(band[2 * index + 1], at(value));
        }
        let marker = document.descendants().find(|node| node.attribute("class") == Some("mark"));
        near(marker.unwrap().attribute("y1").unwrap().parse().unwrap(), at(5.0));
    }

    #[test]
    fn a_chart_without_points_has_axes() {
        for lines in [vec![], vec![Line::default()], vec![Line::new("one", vec![(3.0, 7.0)])]] {
            let svg = LineChart { lines, ..LineChart::default() }.draw().inline();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            assert!(roxmltree::Document::parse(&svg).is_ok());
        }
    }

    #[test]
    fn a_plain_chart_goes_from_edge_to_edge() {
        let chart = LineChart {
            lines: vec![Line::new("", vec![(2.0, 0.0), (3.0, 25.0), (6.0, 100.0)])],
            markers: vec![Marker { y: 50.0, name: String::new() }],
            y_span: Some((0.0, 100.0)),
            ..LineChart::default()
        };
        let svg = chart.draw_plain(400.0, 100.0).inline();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let line = document.descendants().find(|node| node.has_tag_name("polyline")).unwrap();
        let points = numbers(line.attribute("points").unwrap());
        assert_eq!(points, [0.0, 100.0, 100.0, 75.0, 400.0, 0.0]);
        assert!(!svg.contains("<text"), "{svg}");
    }

    #[test]
    fn several_lines_have_a_legend() {
        let lines = ["training", "validation"].map(|name| Line::new(name, vec![]));
        let mut chart = LineChart { lines: lines.to_vec(), ..LineChart::default() };
        let svg = chart.draw().inline();
        assert!(svg.contains(">training<") && svg.contains(">validation<"));
        chart.lines.pop();
        assert!(!chart.draw().inline().contains(">training<"));
    }
}
