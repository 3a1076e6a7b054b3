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
        self.at(value.max(self.values.0).min(self.values.1))
    }

    /// Returns true if a value is on the scale.
    pub(crate) fn contains(&self, value: f64) -> bool {
        (self.values.0..=self.values.1).contains(&value)
    }

    /// Returns round numbers on the scale with their texts, at least about `room` pixels apart.
    pub(crate) fn ticks(&self, room: f64) -> Vec<(f64, String)> {
        let (least, most) = self.values;
        let length = (self.pixels.1 - self.pixels.0).abs();
        let rough = (most - least) / (length / room).clamp(2.0, 8.0);
        let power = 10.0_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|&step| step >= rough);
        let step = step.unwrap_or(10.0 * power);
        let numbers = (least / step).ceil() as i64..=(most / step).floor() as i64;
        let ticks = numbers.map(|number| number as f64 * step);
        ticks.map(|tick| (tick, shortened(tick))).collect()
    }
}

/// Returns the range of the finite values with a margin, never empty.
pub(crate) fn span(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let finite = values.filter(|value| value.is_finite()).map(|value| (value, value));
    let range = finite.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
    let Some((least, most)) = range else { return (0.0, 1.0) };
    let margin = if most > least { (most - least) * 0.05 } else { least.abs().max(1.0) * 0.05 };
    (least - margin, most + margin)
}

/// Formats a number without zeros at its end.
fn shortened(value: f64) -> String {
    format!("{value:.5}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        for (values, texts) in [
            ((0.0, 10.0), &["0", "2", "4", "6", "8", "10"][..]),
            ((-0.3, 0.21), &["-0.2", "0", "0.2"]),
            ((3.0, 170.0), &["50", "100", "150"]),
        ] {
            let ticks = Scale { values, pixels: (0.0, 500.0) }.ticks(100.0);
            assert_eq!(ticks.iter().map(|(_, text)| text).collect::<Vec<_>>(), texts);
        }
    }

    #[test]
    fn values_are_mapped_linearly() {
        let scale = Scale { values: (-10.0, 30.0), pixels: (100.0, 20.0) };
        assert_eq!([-10.0, 30.0, 10.0].map(|value| scale.at(value)), [100.0, 20.0, 60.0]);
        assert_eq!(scale.at_clamped(f64::INFINITY), 20.0);
        let empty = Scale { values: (f64::NAN, 1.0), ..scale };
        assert!(empty.at_clamped(3.0).is_nan(), "and no panic");
        assert!(scale.contains(30.0) && !scale.contains(30.5));
    }

    #[test]
    fn spans_are_never_empty() {
        assert_eq!(span([].into_iter()), (0.0, 1.0));
        let (least, most) = span([5.0, f64::INFINITY].into_iter());
        assert!(least < 5.0 && most > 5.0 && most < 6.0);
    }
}
