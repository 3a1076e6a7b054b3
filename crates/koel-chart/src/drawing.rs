//! SVG output.

use std::fmt::{Arguments, Write};

use crate::scale::{Scale, shortened};

/// The style sheet of all charts. A page needs it once; a standalone file contains it.
///
/// It uses no CSS variables, because not every SVG viewer supports them.
pub const STYLE: &str = "\
.chart{font:12px system-ui,sans-serif}
.chart text{fill:#1f2328}
.chart .middle{text-anchor:middle}
.chart .end{text-anchor:end}
.chart .dim{fill:#59636e}
.chart .title{font-size:14px;font-weight:600}
.chart .heading{font-weight:600}
.chart .over{paint-order:stroke;stroke:#fff;stroke-width:4px}
.chart .paper{fill:#fff}
.chart .grid{stroke:#dfe3e8}
.chart .zero{stroke:#818b98}
.chart .mark{stroke:#818b98;stroke-dasharray:5 4}
.chart .line{fill:none;stroke-width:2;stroke-linejoin:round}
.chart .band{opacity:.16}
.chart .faint{opacity:.35}
.chart .error{stroke:#1f2328;stroke-width:1.5}
.chart .s0{stroke:#0b62c4}.chart .f0{fill:#0b62c4}
.chart .s1{stroke:#c2410c}.chart .f1{fill:#c2410c}
.chart .s2{stroke:#15803d}.chart .f2{fill:#15803d}
.chart .s3{stroke:#7e3fb8}.chart .f3{fill:#7e3fb8}
@media (prefers-color-scheme:dark){
.chart text{fill:#e6edf3}
.chart .dim{fill:#9aa5b1}
.chart .paper{fill:#14181d}
.chart .over{stroke:#14181d}
.chart .grid{stroke:#2b323a}
.chart .zero,.chart .mark{stroke:#7d8792}
.chart .error{stroke:#e6edf3}
.chart .s0{stroke:#58a6ff}.chart .f0{fill:#58a6ff}
.chart .s1{stroke:#ff9b5e}.chart .f1{fill:#ff9b5e}
.chart .s2{stroke:#56d06f}.chart .f2{fill:#56d06f}
.chart .s3{stroke:#c297ff}.chart .f3{fill:#c297ff}
}
";

/// The number of line colours in the style sheet.
pub(crate) const COLORS: usize = 4;

/// A finished chart.
#[derive(Clone, Debug)]
pub struct Drawing {
    title: String,
    width: f64,
    height: f64,
    body: String,
}

pub(crate) type Point = (f64, f64);

impl Drawing {
    pub(crate) fn new(title: &str, width: f64, height: f64) -> Drawing {
        let mut drawing = Drawing::empty(title, width, height);
        drawing.text("title", (8.0, 20.0), title);
        drawing
    }

    /// Creates a drawing without its title in it.
    pub(crate) fn empty(title: &str, width: f64, height: f64) -> Drawing {
        Drawing { title: escaped(title), width, height, body: String::new() }
    }

    /// Returns the SVG for an HTML page, which needs [`STYLE`] once.
    #[must_use]
    pub fn inline(&self) -> String {
        let Drawing { title, width, height, body } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\">\n{body}</svg>\n"
        )
    }

    /// Returns a complete SVG file.
    #[must_use]
    pub fn standalone(&self) -> String {
        let Drawing { width, height, .. } = self;
        let paper = format!("<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>");
        self.inline().replacen('\n', &format!("\n<style>{STYLE}</style>\n{paper}\n"), 1)
    }

    /// Draws the axes of a plot, with a horizontal line for each tick of `y`.
    pub(crate) fn axes(&mut self, x: &Scale, y: &Scale, x_name: &str) {
        let ((left, right), (base, _)) = (x.pixels, y.pixels);
        for tick in y.ticks(28.0) {
            let at = y.at(tick);
            let class = if tick == 0.0 { "zero" } else { "grid" };
            self.line(class, (left, at), (right, at));
            self.text("dim end", (left - 6.0, at + 4.0), &shortened(tick));
        }
        for tick in x.ticks(78.0) {
            self.line("grid", (x.at(tick), base), (x.at(tick), base + 4.0));
            self.text("dim middle", (x.at(tick), base + 18.0), &shortened(tick));
        }
        self.text("dim middle", (f64::midpoint(left, right), base + 34.0), x_name);
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

    /// Adds a rectangle given by two opposite corners, with a tooltip.
    pub(crate) fn rect(&mut self, class: &str, one: Point, other: Point, tip: &str) {
        self.add(format_args!(
            "<rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\">\
             <title>{}</title></rect>",
            one.0.min(other.0),
            one.1.min(other.1),
            (one.0 - other.0).abs().max(0.5),
            (one.1 - other.1).abs().max(0.5),
            escaped(tip)
        ));
    }

    /// Adds an open line (`polyline`) or a closed area (`polygon`).
    pub(crate) fn points(&mut self, tag: &str, class: &str, points: impl Iterator<Item = Point>) {
        let points: Vec<String> = points.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let points = points.join(" ");
        self.add(format_args!("<{tag} class=\"{class}\" points=\"{points}\"/>"));
    }

    pub(crate) fn dot(&mut self, class: &str, (x, y): Point) {
        self.add(format_args!("<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"/>"));
    }

    fn add(&mut self, piece: Arguments<'_>) {
        writeln!(self.body, "{piece}").expect("writing to a string cannot fail");
    }
}

/// Escapes text for HTML, XML and their attributes.
#[must_use]
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
