//! Fragments of HTML that are well-formed XML too.

use koel_arena::statistics::Estimate;
use koel_chart::{Drawing, escaped};

pub(crate) fn figure(chart: &Drawing) -> String {
    format!("<figure>{}</figure>\n", chart.inline())
}

pub(crate) fn paragraph(text: &str) -> String {
    format!("<p>{}</p>\n", escaped(text))
}

/// The commands that repeat a measurement.
pub(crate) fn code(text: &str) -> String {
    format!("<pre><code>{}</code></pre>\n", escaped(text))
}

/// A collapsible block.
pub(crate) fn folded(summary: &str, body: &str, is_open: bool) -> String {
    let open = if is_open { " open=\"open\"" } else { "" };
    format!("<details{open}><summary>{}</summary>\n{body}</details>\n", escaped(summary))
}

/// A table whose first column is text; the others are numbers.
pub(crate) fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let cell = |tag: &str, text: &str| format!("<{tag}>{}</{tag}>", escaped(text));
    let head: String = head.iter().map(|text| cell("th", text)).collect();
    let row = |row: &Vec<String>| {
        format!("<tr>{}</tr>\n", row.iter().map(|text| cell("td", text)).collect::<String>())
    };
    let rows: String = rows.iter().map(row).collect();
    format!(
        "<div class=\"scroll\"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n\
         </table></div>\n"
    )
}

/// An estimate as `+3.1 ± 4.0`.
pub(crate) fn estimate(estimate: Estimate) -> String {
    let Estimate { value, error } = estimate;
    // No sign for zero.
    let value = match value {
        value if value.abs() < 0.05 => "0.0".to_owned(),
        value if value.is_finite() => format!("{value:+.1}").replace('-', "−"),
        value => if value > 0.0 { "+∞" } else { "−∞" }.to_owned(),
    };
    let error = if error.is_finite() { format!("{error:.1}") } else { "∞".to_owned() };
    format!("{value} ± {error}")
}

/// A number with two decimal places.
pub(crate) fn ratio(value: f64) -> String {
    format!("{value:.2}").replace('-', "−")
}

/// The results of games as `+15 −4 =1`.
pub(crate) fn result(wins: u64, losses: u64, draws: u64) -> String {
    format!("+{} −{} ={}", count(wins), count(losses), count(draws))
}

/// A count with thousands separators.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A duration with a unit that suits its length.
pub(crate) fn duration(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7200 => format!("{} min", (seconds + 30) / 60),
        _ => format!("{:.1} h", seconds as f64 / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!([7, 999, 1000, 1_234_567].map(count), ["7", "999", "1,000", "1,234,567"]);
        assert_eq!([59, 600, 9000].map(duration), ["59 s", "10 min", "2.5 h"]);
        let of = |value, error| estimate(Estimate { value, error });
        assert_eq!(of(3.12, 4.0), "+3.1 ± 4.0");
        assert_eq!(of(-0.01, 12.0), "0.0 ± 12.0");
        assert_eq!(of(-5.0, 1.0), "−5.0 ± 1.0");
        assert_eq!(of(f64::INFINITY, f64::INFINITY), "+∞ ± ∞");
    }
}
