//! Axis scales and ticks.

/// A linear map from a range of values to a range of pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    pub(crate) values: (f64, f64),
    pub(crate) pixels: (f64, f64),
}

impl Scale {
    /// Returns the position of a value.
    pub(crate) fn at(&self, value: f64) -> f64 {
        let share = (value - self.values.0) / (self.values.1 - self.values.0);
        self.pixels.0 + share * (self.pixels.1 - self.pixels.0)
    }

    /// Returns the position of a value, clamped to the scale.
    pub(crate) fn at_clamped(&self, value: f64) -> f64 {
        self.at(value.clamp(self.values.0, self.values.1))
    }

    /// Returns true if a value is on the scale.
    pub(crate) fn contains(&self, value: f64) -> bool {
        (self.values.0..=self.values.1).contains(&value)
    }

    /// Returns round numbers on the scale, at least about `room` pixels apart.
    pub(crate) fn ticks(&self, room: f64) -> Vec<f64> {
        let length = (self.pixels.1 - self.pixels.0).abs();
        ticks(self.values, (length / room).clamp(2.0, 8.0))
    }
}

/// Returns the least and the largest value, or `None` if there is none.
pub(crate) fn extent(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let pair = |value| (value, value);
    values.map(pair).reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
}

/// Returns the range of the finite values with a margin, never empty.
pub(crate) fn span(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let Some((least, most)) = extent(values.filter(|value| value.is_finite())) else {
        return (0.0, 1.0);
    };
    let margin = if most > least { (most - least) * 0.05 } else { least.abs().max(1.0) * 0.05 };
    (least - margin, most + margin)
}

/// Returns about `count` round numbers within a range.
fn ticks((least, most): (f64, f64), count: f64) -> Vec<f64> {
    let rough = (most - least) / count;
    let power = 10.0_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|&step| step >= rough);
    let step = step.unwrap_or(10.0 * power);
    let first = (least / step).ceil() as i64;
    let last = (most / step).floor() as i64;
    (first..=last).map(|count| count as f64 * step).collect()
}

/// Formats a number in a few characters, with the suffixes `k` and `M`.
pub(crate) fn shortened(value: f64) -> String {
    let text = match value.abs() {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks((0.0, 10.0), 5.0), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(ticks((-0.3, 0.21), 5.0), [-0.2, 0.0, 0.2]);
        assert_eq!(ticks((3.0, 17.0), 5.0), [5.0, 10.0, 15.0]);
    }

    #[test]
    fn numbers_are_shortened() {
        let texts = [0.0, 0.0123, 7.0, 250.0, 12_000.0, 2_500_000.0].map(shortened);
        assert_eq!(texts, ["0", "0.0123", "7", "250", "12k", "2.5M"]);
    }

    #[test]
    fn values_are_mapped_linearly() {
        let scale = Scale { values: (-10.0, 30.0), pixels: (100.0, 20.0) };
        assert_eq!([-10.0, 30.0, 10.0].map(|value| scale.at(value)), [100.0, 20.0, 60.0]);
        assert_eq!(scale.at_clamped(f64::INFINITY), 20.0);
        assert!(scale.contains(30.0) && !scale.contains(30.5));
    }

    #[test]
    fn spans_are_never_empty() {
        assert_eq!(span([].into_iter()), (0.0, 1.0));
        let (least, most) = span([5.0, f64::INFINITY].into_iter());
        assert!(least < 5.0 && most > 5.0 && most < 6.0);
    }
}
