//! Small charts as SVG: lines over numbers, bars over classes.

use std::fmt::Write;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;
const COLORS: [&str; 4] = ["#1b6ca8", "#d1495b", "#3a7d44", "#8d6a9f"];

/// A named row of points.
#[derive(Clone, Debug)]
pub struct Line {
    /// What it shows.
    pub name: String,
    /// The points, by rising x.
    pub points: Vec<(f64, f64)>,
}

/// The part of a chart that its points span.
#[derive(Clone, Copy, Debug)]
struct Frame {
    x: (f64, f64),
    y: (f64, f64),
}

impl Frame {
    fn x(&self, x: f64) -> f64 {
        LEFT + (x - self.x.0) / (self.x.1 - self.x.0) * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, y: f64) -> f64 {
        HEIGHT - BOTTOM - (y - self.y.0) / (self.y.1 - self.y.0) * (HEIGHT - TOP - BOTTOM)
    }
}

/// Draws lines over a common axis.
#[must_use]
pub fn lines(title: &str, x_name: &str, lines: &[Line]) -> String {
    let points = || lines.iter().flat_map(|line| &line.points).copied();
    let frame =
        Frame { x: span(points().map(|point| point.0)), y: span(points().map(|point| point.1)) };
    let mut svg = opening(title, x_name, frame);
    for (index, line) in lines.iter().enumerate() {
        let color = COLORS[index % COLORS.len()];
        let places =
            line.points.iter().map(|&(x, y)| format!("{:.1},{:.1}", frame.x(x), frame.y(y)));
        let places: Vec<String> = places.collect();
        add(
            &mut svg,
            format_args!(
                "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" points=\"{}\"/>",
                places.join(" ")
            ),
        );
        let at = TOP + 16.0 * (index + 1) as f64;
        add(
            &mut svg,
            format_args!(
                "<text x=\"{:.1}\" y=\"{at:.1}\" fill=\"{color}\" text-anchor=\"end\">{}</text>",
                WIDTH - RIGHT - 6.0,
                escaped(&line.name)
            ),
        );
    }
    svg + "</svg>\n"
}

/// Draws a bar for each count, over the x where its class begins. Classes are equally wide.
#[must_use]
pub fn bars(title: &str, x_name: &str, counts: &[(f64, u64)]) -> String {
    let first = counts.first().map_or(0.0, |class| class.0);
    let width = counts.get(1).map_or(1.0, |second| second.0 - first);
    let last = counts.last().map_or(1.0, |class| class.0) + width;
    let most = counts.iter().map(|class| class.1).max().unwrap_or(0).max(1);
    let frame = Frame { x: (first, last), y: (0.0, most as f64 * 1.05) };
    let mut svg = opening(title, x_name, frame);
    for &(x, count) in counts {
        let (left, right) = (frame.x(x), frame.x(x + width));
        let top = frame.y(count as f64);
        add(
            &mut svg,
            format_args!(
                "<rect x=\"{:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{}\"/>",
                left + 0.5,
                (right - left - 1.0).max(0.5),
                frame.y(0.0) - top,
                COLORS[0]
            ),
        );
    }
    svg + "</svg>\n"
}

/// The background, the title and the axes.
fn opening(title: &str, x_name: &str, frame: Frame) -> String {
    let mut svg = String::new();
    add(
        &mut svg,
        format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">"
        ),
    );
    add(&mut svg, format_args!("<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>"));
    add(
        &mut svg,
        format_args!("<text x=\"{LEFT}\" y=\"24\" font-size=\"15\">{}</text>", escaped(title)),
    );
    for tick in ticks(frame.y) {
        let at = frame.y(tick);
        add(
            &mut svg,
            format_args!(
                "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#dddddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                WIDTH - RIGHT,
                LEFT - 6.0,
                at + 4.0,
                shortened(tick)
            ),
        );
    }
    for tick in ticks(frame.x) {
        add(
            &mut svg,
            format_args!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                frame.x(tick),
                HEIGHT - BOTTOM + 18.0,
                shortened(tick)
            ),
        );
    }
    add(
        &mut svg,
        format_args!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            f64::midpoint(LEFT, WIDTH - RIGHT),
            HEIGHT - 12.0,
            escaped(x_name)
        ),
    );
    svg
}

fn add(svg: &mut String, piece: std::fmt::Arguments<'_>) {
    writeln!(svg, "{piece}").expect("a string takes everything");
}

/// From the least to the largest, never empty.
fn span(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (least, most) = values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| {
            (least.min(value), most.max(value))
        });
    if least > most {
        return (0.0, 1.0);
    }
    let margin = if most > least { (most - least) * 0.05 } else { least.abs().max(1.0) * 0.05 };
    (least - margin, most + margin)
}

/// Round numbers within a span, five or so.
fn ticks((least, most): (f64, f64)) -> Vec<f64> {
    let rough = (most - least) / 5.0;
    let power = 10.0_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|&step| step >= rough);
    let step = step.unwrap_or(10.0 * power);
    let first = (least / step).ceil() as i64;
    let last = (most / step).floor() as i64;
    (first..=last).map(|count| count as f64 * step).collect()
}

/// A number in a few letters.
fn shortened(value: f64) -> String {
    let size = value.abs();
    let text = match size {
        size if size >= 1e6 => return format!("{}M", trimmed(&format!("{:.2}", value / 1e6))),
        size if size >= 1e4 => return format!("{}k", trimmed(&format!("{:.1}", value / 1e3))),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.5}"),
    };
    trimmed(&text).to_owned()
}

fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks((0.0, 10.0)), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(ticks((-0.3, 0.21)), [-0.2, 0.0, 0.2]);
        assert_eq!(ticks((3.0, 17.0)), [5.0, 10.0, 15.0]);
    }

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, 0.0123, 7.0, 250.0, 12_000.0, 2_500_000.0].map(shortened);
        assert_eq!(texts, ["0", "0.0123", "7", "250", "12k", "2.5M"]);
    }

    #[test]
    fn charts_hold_their_points_in_the_frame() {
        let line = Line { name: "a < b".to_owned(), points: vec![(1.0, 5.0), (2.0, 5.0)] };
        let svg = lines("title", "x", &[line]);
        assert!(svg.contains("a &lt; b") && svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
        let bars = bars("title", "x", &[(0.0, 3), (1.0, 0), (2.0, 6)]);
        assert_eq!(bars.matches("<rect").count(), 4);
        for svg in [svg, bars, lines("empty", "x", &[])] {
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
