//! SVG output.

use std::fmt::{Arguments, Write};

use crate::scale::{Scale, shortened};
use crate::style::STYLE;

/// A finished chart.
#[derive(Clone, Debug)]
pub struct Drawing {
    title: String,
    width: f64,
    height: f64,
    body: String,
}

/// The part of a text that is placed at its position.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

pub(crate) type Point = (f64, f64);

impl Drawing {
    pub(crate) fn new(title: &str, width: f64, height: f64) -> Drawing {
        let mut drawing = Drawing { title: title.to_owned(), width, height, body: String::new() };
        drawing.text("title", Anchor::Start, (8.0, 20.0), title);
        drawing
    }

    /// Returns the SVG for an HTML page, which needs [`STYLE`] once.
    #[must_use]
    pub fn inline(&self) -> String {
        self.with_head("", "")
    }

    /// Returns a complete SVG file.
    #[must_use]
    pub fn standalone(&self) -> String {
        let style = format!(
            "<style>{STYLE}</style>\n<rect class=\"paper\" width=\"{}\" height=\"{}\"/>\n",
            self.width, self.height
        );
        self.with_head(" xmlns=\"http://www.w3.org/2000/svg\"", &style)
    }

    fn with_head(&self, attributes: &str, head: &str) -> String {
        let (width, height, title) = (self.width, self.height, escaped(&self.title));
        let body = &self.body;
        format!(
            "<svg{attributes} class=\"chart\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
             aria-label=\"{title}\">\n{head}{body}</svg>\n"
        )
    }

    /// Draws the axes of a plot, with a horizontal line for each tick of `y`.
    pub(crate) fn axes(&mut self, x: &Scale, y: &Scale, x_name: &str) {
        let ((left, right), (base, _)) = (x.pixels(), y.pixels());
        for tick in y.ticks(28.0) {
            let at = y.at(tick);
            let class = if tick == 0.0 { "zero" } else { "grid" };
            self.line(class, (left, at), (right, at));
            self.text("dim", Anchor::End, (left - 6.0, at + 4.0), &shortened(tick));
        }
        for tick in x.ticks(78.0) {
            self.line("grid", (x.at(tick), base), (x.at(tick), base + 4.0));
            self.text("dim", Anchor::Middle, (x.at(tick), base + 18.0), &shortened(tick));
        }
        self.text("dim", Anchor::Middle, (f64::midpoint(left, right), base + 34.0), x_name);
    }

    pub(crate) fn text(&mut self, class: &str, anchor: Anchor, (x, y): Point, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let text = escaped(text);
        self.add(format_args!(
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\"{anchor}>{text}</text>"
        ));
    }

    pub(crate) fn line(&mut self, class: &str, from: Point, to: Point) {
        self.add(format_args!(
            "<line class=\"{class}\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>",
            from.0, from.1, to.0, to.1
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

    pub(crate) fn polyline(&mut self, class: &str, points: impl Iterator<Item = Point>) {
        let points = list(points);
        self.add(format_args!("<polyline class=\"{class}\" points=\"{points}\"/>"));
    }

    pub(crate) fn polygon(&mut self, class: &str, points: impl Iterator<Item = Point>) {
        let points = list(points);
        self.add(format_args!("<polygon class=\"{class}\" points=\"{points}\"/>"));
    }

    pub(crate) fn dot(&mut self, class: &str, (x, y): Point) {
        self.add(format_args!("<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"/>"));
    }

    fn add(&mut self, piece: Arguments<'_>) {
        writeln!(self.body, "{piece}").expect("writing to a string cannot fail");
    }
}

fn list(points: impl Iterator<Item = Point>) -> String {
    let points: Vec<String> = points.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    points.join(" ")
}

/// Escapes text for HTML, XML and their attributes.
#[must_use]
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
