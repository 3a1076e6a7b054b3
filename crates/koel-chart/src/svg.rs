//! SVG output.

use std::fmt::{Arguments, Write};

/// The style sheet of a file. It uses no CSS variables, because not every SVG viewer supports them.
const STYLE: &str = "\
.chart{font:12px system-ui,sans-serif}
.chart text{fill:#1f2328}
.chart .middle{text-anchor:middle}
.chart .end{text-anchor:end}
.chart .dim{fill:#59636e}
.chart .title{font-size:14px;font-weight:600}
.chart .heading{font-weight:600}
.chart .paper{fill:#fff}
.chart .grid{stroke:#dfe3e8}
.chart .zero{stroke:#818b98}
.chart .mark{stroke:#818b98;stroke-dasharray:5 4}
.chart .line{fill:none;stroke-width:2;stroke-linejoin:round}
.chart .faint{opacity:.35}
.chart .error{stroke:#1f2328;stroke-width:1.5}
.chart .s0{stroke:#0b62c4}.chart .f0{fill:#0b62c4}
.chart .s1{stroke:#c2410c}.chart .f1{fill:#c2410c}
@media (prefers-color-scheme:dark){
.chart text{fill:#e6edf3}
.chart .dim{fill:#9aa5b1}
.chart .paper{fill:#14181d}
.chart .grid{stroke:#2b323a}
.chart .zero,.chart .mark{stroke:#7d8792}
.chart .error{stroke:#e6edf3}
.chart .s0{stroke:#58a6ff}.chart .f0{fill:#58a6ff}
.chart .s1{stroke:#ff9b5e}.chart .f1{fill:#ff9b5e}
}
";

/// The number of colours in the style sheet.
pub(crate) const COLORS: usize = 2;

pub(crate) type Point = (f64, f64);

/// A chart that is being drawn.
pub(crate) struct Svg {
    title: String,
    width: f64,
    height: f64,
    body: String,
}

impl Svg {
    pub(crate) fn new(title: &str, width: f64, height: f64) -> Svg {
        Svg { title: escaped(title), width, height, body: String::new() }
    }

    /// Returns the SVG for an HTML page, without styles and title.
    pub(crate) fn inline(&self) -> String {
        let Svg { title, width, height, body } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\">\n{body}</svg>\n"
        )
    }

    /// Returns a complete SVG file.
    pub(crate) fn file(&self) -> String {
        let Svg { title, width, height, .. } = self;
        let head = format!(
            "\n<style>{STYLE}</style>\n<rect class=\"paper\" width=\"{width}\" \
             height=\"{height}\"/>\n<text class=\"title\" x=\"8\" y=\"20\">{title}</text>\n"
        );
        self.inline().replacen('\n', &head, 1)
    }

    /// Adds a text that begins at a point, or ends or is centred there by the class `end` or
    /// `middle`.
    pub(crate) fn text(&mut self, class: &str, (x, y): Point, text: &str) {
        let text = escaped(text);
        self.add(format_args!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>"));
    }

    pub(crate) fn line(&mut self, class: &str, (x1, y1): Point, (x2, y2): Point) {
        self.add(format_args!(
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
        ));
    }

    /// Adds a bar around a horizontal line, from one x to another.
    pub(crate) fn bar(&mut self, class: &str, (from, to): (f64, f64), middle: f64) {
        let (x, y, width) = (from.min(to), middle - 6.0, (from - to).abs().max(0.5));
        self.add(format_args!(
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"12\"/>"
        ));
    }

    pub(crate) fn polyline(&mut self, class: &str, points: impl Iterator<Item = Point>) {
        let points: Vec<String> = points.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let points = points.join(" ");
        self.add(format_args!("<polyline class=\"{class}\" points=\"{points}\"/>"));
    }

    pub(crate) fn dot(&mut self, class: &str, (x, y): Point) {
        self.add(format_args!("<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"/>"));
    }

    fn add(&mut self, piece: Arguments<'_>) {
        writeln!(self.body, "{piece}").expect("writing to a string cannot fail");
    }
}

/// Escapes text for XML and its attributes.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
