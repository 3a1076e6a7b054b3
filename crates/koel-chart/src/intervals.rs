//! Charts of bars with error bars, in groups.

use crate::WIDTH;
use crate::drawing::Drawing;
use crate::scale::{Scale, shortened};

const TOP: f64 = 34.0;
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
    /// The value; may be infinite.
    pub value: f64,
    /// The symmetric error; infinite if it is not known.
    pub error: f64,
    /// True if the value differs significantly from zero; otherwise its bar is paler.
    pub is_resolved: bool,
    /// The texts beside the bar, one for each column.
    pub notes: Vec<String>,
}

/// A group of bars.
#[derive(Clone, Debug)]
pub struct BarGroup {
    /// The heading; empty for none.
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

/// The layout of the chart.
struct Layout {
    top: f64,
    base: f64,
    x: Scale,
    /// The right edges of the columns.
    columns: Vec<f64>,
}

impl IntervalChart {
    /// Draws the chart.
    #[must_use]
    pub fn draw(&self) -> Drawing {
        let Layout { top, base, x, columns } = &self.layout();
        let mut drawing = Drawing::new(&self.title, WIDTH, base + BOTTOM);
        for (name, &right) in self.columns.iter().zip(columns) {
            drawing.text("dim end", (right, top - 6.0), name);
        }
        let ticks = x.ticks(62.0);
        for &tick in &ticks {
            drawing.text("dim middle", (x.at(tick), base + 16.0), &shortened(tick));
        }
        let middle = f64::midpoint(x.pixels.0, x.pixels.1);
        drawing.text("dim middle", (middle, base + 33.0), &self.x_name);
        let mut y = *top;
        for group in &self.groups {
            if !group.name.is_empty() {
                drawing.text("heading", (EDGE, y + 16.0), &group.name);
                y += HEADING;
            }
            let end = y + ROW * group.bars.len() as f64;
            let grid = ticks.iter().map(|&tick| ("grid", tick)).chain([("zero", 0.0)]);
            for (class, value) in grid {
                drawing.line(class, (x.at(value), y), (x.at(value), end));
            }
            for bar in &group.bars {
                bar.draw(&mut drawing, x, columns, y + ROW / 2.0);
                y += ROW;
            }
        }
        drawing
    }

    fn bars(&self) -> impl Iterator<Item = &Bar> {
        self.groups.iter().flat_map(|group| &group.bars)
    }

    fn layout(&self) -> Layout {
        let longest = |texts: &mut dyn Iterator<Item = &str>| {
            LETTER * texts.map(|text| text.chars().count()).max().unwrap_or(0) as f64
        };
        let mut right = WIDTH - EDGE;
        let mut columns = Vec::new();
        for (index, name) in self.columns.iter().enumerate().rev() {
            columns.insert(0, right);
            let notes = self.bars().filter_map(|bar| bar.notes.get(index)).map(String::as_str);
            right -= longest(&mut notes.chain([name.as_str()])) + 14.0;
        }
        let names = longest(&mut self.bars().map(|bar| bar.name.as_str())) + 10.0;
        let left = EDGE + names.min(WIDTH * 0.45);
        let headings = self.groups.iter().filter(|group| !group.name.is_empty()).count();
        let top = if columns.is_empty() { TOP } else { TOP + 16.0 };
        let base = top + ROW * self.bars().count() as f64 + HEADING * headings as f64 + 6.0;
        Layout { top, base, x: Scale { values: self.span(), pixels: (left, right) }, columns }
    }

    /// Returns the range of the axis: zero, all values with a known error, and their errors as far
    /// as they do not dwarf the values.
    fn span(&self) -> (f64, f64) {
        let known = || self.bars().filter(|bar| bar.value.is_finite() && bar.error.is_finite());
        let largest = known().map(|bar| bar.value.abs()).fold(0.0, f64::max);
        let surest = known().map(|bar| bar.error).fold(f64::INFINITY, f64::min);
        let reach = largest.max(2.0 * surest);
        let (mut least, mut most) = (0.0_f64, 0.0_f64);
        for bar in known() {
            let error = bar.error.min(reach);
            least = least.min(bar.value - error);
            most = most.max(bar.value + error);
        }
        if least == most {
            return (-1.0, 1.0);
        }
        let margin = 0.03 * (most - least);
        (least - margin, most + margin)
    }
}

impl Bar {
    fn draw(&self, drawing: &mut Drawing, x: &Scale, columns: &[f64], middle: f64) {
        drawing.text("end", (x.pixels.0 - 8.0, middle + 4.0), &self.name);
        for (note, &right) in self.notes.iter().zip(columns) {
            drawing.text("end", (right, middle + 4.0), note);
        }
        let class = if self.is_resolved { "bar f0" } else { "bar f0 faint" };
        let tip = format!("{}: {:+.1} \u{b1} {:.1}", self.name, self.value, self.error);
        let (from, to) = (x.at(0.0), x.at_clamped(self.value));
        drawing.rect(class, (from, middle - 6.0), (to, middle + 6.0), &tip);
        if !self.value.is_finite() || !self.error.is_finite() {
            return;
        }
        let (low, high) = (self.value - self.error, self.value + self.error);
        drawing.line("error", (x.at_clamped(low), middle), (x.at_clamped(high), middle));
        for end in [low, high].into_iter().filter(|&end| x.contains(end)) {
            drawing.line("error", (x.at(end), middle - 4.0), (x.at(end), middle + 4.0));
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
        let bars = vec![bar("plus", 20.0, 10.0), bar("minus", -10.0, 5.0), bar("vague", 5.0, 10.0)];
        let groups = vec![BarGroup { name: "normal & odd".to_owned(), bars }];
        let columns = vec!["Elo".to_owned(), "nodes".to_owned()];
        let chart = IntervalChart { groups, columns, ..IntervalChart::default() };
        let svg = chart.draw().standalone();
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
        // Each bar has an error bar followed by its two caps.
        let error = of("error").nth(3).unwrap();
        near(number(error, "x1"), zero - 15.0 * unit);
        near(number(error, "x2"), zero - 5.0 * unit);
        assert_eq!(of("error").count(), 9);
        assert!(svg.contains("normal &amp; odd") && svg.contains(">nodes<"));
    }

    #[test]
    fn infinite_values_end_at_the_edge() {
        let bars = vec![bar("all won", f64::INFINITY, f64::INFINITY), bar("most", 300.0, 900.0)];
        let groups = vec![BarGroup { name: String::new(), bars }];
        for groups in [groups, vec![]] {
            let svg = IntervalChart { groups, ..IntervalChart::default() }.draw().inline();
            assert!(!svg.contains("=\"NaN") && !svg.contains("=\"inf"), "{svg}");
            assert!(roxmltree::Document::parse(&svg).is_ok());
        }
    }
}
