//! Line charts.

use crate::WIDTH;
use crate::scale::{Scale, span};
use crate::svg::{COLORS, Point, Svg};

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
    /// The points, in ascending order of x; all values are finite.
    pub points: Vec<Point>,
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
    /// The value of a horizontal reference line.
    pub mark: Option<f64>,
    /// The range of the vertical axis, from the least to the greatest value; values beyond it are
    /// drawn at its edge. `None` for all values.
    pub y_span: Option<(f64, f64)>,
}

impl LineChart {
    /// Draws the chart as an SVG file.
    #[must_use]
    pub fn draw(&self) -> String {
        let mut svg = Svg::new(&self.title, WIDTH, HEIGHT);
        let top = self.draw_legend(&mut svg);
        let (left, right, base) = (LEFT, WIDTH - RIGHT, HEIGHT - BOTTOM);
        let (x, y) = self.scales((left, right), (base, top));
        for (tick, text) in y.ticks(28.0) {
            let at = y.at(tick);
            svg.line(if tick == 0.0 { "zero" } else { "grid" }, (left, at), (right, at));
            svg.text("dim end", (left - 6.0, at + 4.0), &text);
        }
        for (tick, text) in x.ticks(78.0) {
            svg.line("grid", (x.at(tick), base), (x.at(tick), base + 4.0));
            svg.text("dim middle", (x.at(tick), base + 18.0), &text);
        }
        svg.text("dim middle", (f64::midpoint(left, right), base + 34.0), &self.x_name);
        self.draw_lines(&mut svg, &x, &y);
        svg.file()
    }

    /// Draws the lines alone, from edge to edge, as SVG for a page that has the styles.
    #[must_use]
    pub fn draw_plain(&self, width: f64, height: f64) -> String {
        let mut svg = Svg::new(&self.title, width, height);
        let (x, y) = self.scales((0.0, width), (height, 0.0));
        self.draw_lines(&mut svg, &x, &y);
        svg.inline()
    }

    /// Returns the scales of both axes: x from the first to the last point.
    fn scales(&self, x_pixels: (f64, f64), y_pixels: (f64, f64)) -> (Scale, Scale) {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let xs = || points().map(|point| point.0);
        let ends = xs().reduce(f64::min).zip(xs().reduce(f64::max));
        let x_values = ends.filter(|(first, last)| first < last).unwrap_or_else(|| span(xs()));
        let ys = points().map(|point| point.1).chain(self.mark);
        let y_values = self.y_span.unwrap_or_else(|| span(ys));
        let scale = |values, pixels| Scale { values, pixels };
        (scale(x_values, x_pixels), scale(y_values, y_pixels))
    }

    fn draw_lines(&self, svg: &mut Svg, x: &Scale, y: &Scale) {
        if let Some(mark) = self.mark {
            svg.line("mark", (x.pixels.0, y.at(mark)), (x.pixels.1, y.at(mark)));
        }
        for (index, Line { points, .. }) in self.lines.iter().enumerate() {
            let color = index % COLORS;
            let places = || points.iter().map(|&(at, value)| (x.at(at), y.at_clamped(value)));
            svg.polyline(&format!("line s{color}"), places());
            if points.len() <= MAX_DOTS {
                places().for_each(|at| svg.dot(&format!("f{color}"), at));
            }
        }
    }

    /// Draws the legend and returns the top of the plot area.
    fn draw_legend(&self, svg: &mut Svg) -> f64 {
        if self.lines.len() < 2 {
            return TOP;
        }
        let (mut x, y) = (LEFT, TOP + 6.0);
        for (index, line) in self.lines.iter().enumerate() {
            svg.line(&format!("line s{}", index % COLORS), (x, y - 4.0), (x + 16.0, y - 4.0));
            svg.text("", (x + 21.0, y), &line.name);
            x += 30.0 + 6.8 * line.name.chars().count() as f64;
        }
        y + 12.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(name: &str, points: &[Point]) -> Line {
        Line { name: name.to_owned(), points: points.to_vec() }
    }

    fn points_of(svg: &str) -> Vec<f64> {
        let document = roxmltree::Document::parse(svg).unwrap();
        let line = document.descendants().find(|node| node.has_tag_name("polyline")).unwrap();
        let numbers = line.attribute("points").unwrap().split([' ', ',']);
        numbers.map(|number| number.parse().unwrap()).collect()
    }

    #[test]
    fn lines_are_drawn_to_scale_and_beyond_it_at_its_edge() {
        let points = [(2.0, -10.0), (3.0, 5.0), (6.0, f64::INFINITY)];
        let (y_span, mark) = (Some((-10.0, 10.0)), Some(0.0));
        let chart =
            LineChart { y_span, mark, lines: vec![line("a < b", &points)], ..LineChart::default() };
        assert_eq!(
            points_of(&chart.draw_plain(400.0, 100.0)),
            [0.0, 100.0, 100.0, 25.0, 400.0, 0.0]
        );
        assert!(!chart.draw_plain(400.0, 100.0).contains("<text"));
        let (base, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
        let found = points_of(&chart.draw());
        assert_eq!([found[0], found[1], found[4], found[5]], [LEFT, base, right, TOP]);
        let mark =
            format!("class=\"mark\" x1=\"{LEFT:.1}\" y1=\"{:.1}\"", f64::midpoint(base, TOP));
        assert!(chart.draw().contains(&mark), "{}", chart.draw());
    }

    #[test]
    fn a_chart_without_points_has_axes() {
        for lines in [vec![], vec![Line::default()], vec![line("one", &[(3.0, 7.0)])]] {
            let svg = LineChart { lines, ..LineChart::default() }.draw();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            assert!(roxmltree::Document::parse(&svg).is_ok());
        }
    }

    #[test]
    fn several_lines_have_a_legend() {
        let lines = ["training", "validation"].map(|name| line(name, &[]));
        let mut chart = LineChart { lines: lines.to_vec(), ..LineChart::default() };
        let svg = chart.draw();
        assert!(svg.contains(">training<") && svg.contains(">validation<"));
        chart.lines.pop();
        assert!(!chart.draw().contains(">training<"));
    }
}
