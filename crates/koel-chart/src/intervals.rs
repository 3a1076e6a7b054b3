//! Charts of bars with error bars, in groups.

use crate::WIDTH;
use crate::scale::{Scale, span};
use crate::svg::Svg;

const TOP: f64 = 50.0;
const BOTTOM: f64 = 40.0;
const EDGE: f64 = 8.0;
const HEADING: f64 = 24.0;
const ROW: f64 = 22.0;
const LETTER: f64 = 6.7;

/// A value with its error.
#[derive(Clone, Debug)]
pub struct Bar {
    /// The name of the bar.
    pub name: String,
    /// The value.
    pub value: f64,
    /// The symmetric error.
    pub error: f64,
    /// True if the value differs significantly from zero; otherwise its bar is paler.
    pub is_resolved: bool,
    /// The texts beside the bar, one for each column.
    pub notes: Vec<String>,
}

/// A group of bars.
#[derive(Clone, Debug)]
pub struct BarGroup {
    /// The heading.
    pub name: String,
    /// The bars, from top to bottom.
    pub bars: Vec<Bar>,
}

/// A chart of horizontal bars with error bars.
#[derive(Clone, Debug, Default)]
pub struct IntervalChart {
    /// The title.
    pub title: String,
    /// The name of the horizontal axis, with its unit.
    pub x_name: String,
    /// The headings of the columns beside the bars.
    pub columns: Vec<String>,
    /// The groups of bars.
    pub groups: Vec<BarGroup>,
}

impl IntervalChart {
    /// Draws the chart as an SVG file.
    #[must_use]
    pub fn draw(&self) -> String {
        let rows = ROW * self.bars().count() as f64;
        let base = TOP + rows + HEADING * self.groups.len() as f64 + 6.0;
        let mut svg = Svg::new(&self.title, WIDTH, base + BOTTOM);
        let columns = self.columns();
        for (name, &right) in self.columns.iter().zip(&columns) {
            svg.text("dim end", (right, TOP - 6.0), name);
        }
        let names = longest(self.bars().map(|bar| &bar.name)) + 10.0;
        let right = columns.last().copied().unwrap_or_default();
        let x = Scale { values: self.span(), pixels: (EDGE + names, right) };
        let ticks = x.ticks(62.0);
        for (tick, text) in &ticks {
            svg.text("dim middle", (x.at(*tick), base + 16.0), text);
        }
        let middle = f64::midpoint(x.pixels.0, x.pixels.1);
        svg.text("dim middle", (middle, base + 33.0), &self.x_name);
        let mut y = TOP;
        for group in &self.groups {
            svg.text("heading", (EDGE, y + 16.0), &group.name);
            y += HEADING;
            let end = y + ROW * group.bars.len() as f64;
            let grid = ticks.iter().map(|&(tick, _)| ("grid", tick)).chain([("zero", 0.0)]);
            grid.for_each(|(class, at)| svg.line(class, (x.at(at), y), (x.at(at), end)));
            for bar in &group.bars {
                bar.draw(&mut svg, &x, &columns, y + ROW / 2.0);
                y += ROW;
            }
        }
        svg.file()
    }

    fn bars(&self) -> impl Iterator<Item = &Bar> {
        self.groups.iter().flat_map(|group| &group.bars)
    }

    /// Returns the right edges of the columns, and that of the bars.
    fn columns(&self) -> Vec<f64> {
        let width = |(index, name): (usize, &String)| {
            let notes = self.bars().filter_map(|bar| bar.notes.get(index));
            longest(notes.chain([name])) + 14.0
        };
        let widths: Vec<f64> = self.columns.iter().enumerate().map(width).collect();
        let edge = |index: usize| WIDTH - EDGE - widths[index..].iter().sum::<f64>();
        (1..=widths.len()).chain([0]).map(edge).collect()
    }

    /// Returns the range of the axis: zero, all values, and their errors as far as they do not
    /// dwarf the values.
    fn span(&self) -> (f64, f64) {
        let surest = self.bars().map(|bar| bar.error).fold(f64::INFINITY, f64::min);
        let reach = self.bars().map(|bar| bar.value.abs()).fold(2.0 * surest, f64::max);
        let ends = self.bars().flat_map(|bar| {
            let error = bar.error.min(reach);
            [bar.value - error, bar.value + error]
        });
        span(ends.chain([0.0]))
    }
}

/// Returns the width of the longest text.
fn longest<'a>(texts: impl Iterator<Item = &'a String>) -> f64 {
    LETTER * texts.map(|text| text.chars().count()).max().unwrap_or(0) as f64
}

impl Bar {
    fn draw(&self, svg: &mut Svg, x: &Scale, columns: &[f64], middle: f64) {
        svg.text("end", (x.pixels.0 - 8.0, middle + 4.0), &self.name);
        for (note, &right) in self.notes.iter().zip(columns) {
            svg.text("end", (right, middle + 4.0), note);
        }
        let class = if self.is_resolved { "bar f0" } else { "bar f0 faint" };
        svg.bar(class, (x.at(0.0), x.at(self.value)), middle);
        let (low, high) = (self.value - self.error, self.value + self.error);
        svg.line("error", (x.at_clamped(low), middle), (x.at_clamped(high), middle));
        for end in [low, high].into_iter().filter(|&end| x.contains(end)) {
            svg.line("error", (x.at(end), middle - 4.0), (x.at(end), middle + 4.0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(name: &str, value: f64, error: f64) -> Bar {
        let is_resolved = value.abs() > error;
        let notes = vec![format!("{value:+.1}"), "1.00".to_owned()];
        Bar { name: name.to_owned(), value, error, is_resolved, notes }
    }

    #[test]
    fn bars_and_error_bars_are_drawn_to_scale() {
        let bars = vec![bar("plus", 20.0, 10.0), bar("minus", -10.0, 5.0), bar("vague", 5.0, 90.0)];
        let groups = vec![BarGroup { name: "normal & odd".to_owned(), bars }];
        let columns = vec!["Elo".to_owned(), "nodes".to_owned()];
        let svg = IntervalChart { groups, columns, ..IntervalChart::default() }.draw();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let of = |class: &'static str| {
            document.descendants().filter(move |n| n.attribute("class") == Some(class))
        };
        let number = |node: roxmltree::Node<'_, '_>, name: &str| -> f64 {
            node.attribute(name).unwrap().parse().unwrap()
        };
        let near = |found: f64, due: f64| assert!((found - due).abs() < 0.21, "{found}, {due}");
        let zero = number(of("zero").next().unwrap(), "x1");
        let [plus, minus] = [0, 1].map(|index| of("bar f0").nth(index).unwrap());
        let unit = number(plus, "width") / 20.0;
        near(number(plus, "x"), zero);
        near(number(minus, "width"), 10.0 * unit);
        near(number(minus, "x"), zero - 10.0 * unit);
        let vague = of("bar f0 faint").next().unwrap();
        near(number(vague, "width"), 5.0 * unit);
        // Each bar has an error bar followed by its two caps, unless these are beyond the axis.
        let error = of("error").nth(3).unwrap();
        near(number(error, "x1"), zero - 15.0 * unit);
        near(number(error, "x2"), zero - 5.0 * unit);
        assert_eq!(of("error").count(), 7);
        assert!(svg.contains("normal &amp; odd") && svg.contains(">nodes<"));
    }

    #[test]
    fn a_chart_without_bars_has_an_axis() {
        let svg = IntervalChart::default().draw();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert!(roxmltree::Document::parse(&svg).is_ok());
    }
}
