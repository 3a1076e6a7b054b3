//! Numbers of the command line within their ranges.

use crate::phase_values::PhaseValues;

/// Parses a finite number that is valid; `which` describes those.
fn number(text: &str, which: &str, is_valid: impl Fn(f64) -> bool) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&number: &f64| number.is_finite() && is_valid(number));
    number.ok_or_else(|| format!("`{text}` is not a number {which}"))
}

/// Parses a whole number above zero.
pub(crate) fn count(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|&count| count > 0);
    count.ok_or_else(|| format!("`{text}` is not a whole number above zero"))
}

/// Parses a number above zero.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    number(text, "above zero", |number| number > 0.0)
}

/// Parses a number that is not below zero.
pub(crate) fn not_negative(text: &str) -> Result<f64, String> {
    number(text, "of at least zero", |number| number >= 0.0)
}

/// Parses a number from 0 to 1.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    number(text, "from 0 to 1", |number| (0.0..=1.0).contains(&number))
}

/// Parses a number that is at least 0 and less than 1.
pub(crate) fn share_below_one(text: &str) -> Result<f64, String> {
    number(text, "from 0 to less than 1", |number| (0.0..1.0).contains(&number))
}

/// Parses a number from 0 to 1 for all phases, or one for each.
pub(crate) fn shares(text: &str) -> Result<PhaseValues<f64>, String> {
    text.split(',').try_for_each(|value| share(value).map(drop))?;
    text.parse()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_is_above_zero() {
        assert_eq!(positive("160"), Ok(160.0));
        for invalid in ["0", "-1", "inf", "NaN", "a"] {
            assert!(positive(invalid).is_err(), "{invalid}");
        }
    }

    #[test]
    fn numbers_are_within_their_ranges() {
        type Parser = fn(&str) -> Result<f64, String>;
        let parsers: [Parser; 3] = [not_negative, share, share_below_one];
        for (text, valid) in [
            ("0", [true, true, true]),
            ("0.99", [true, true, true]),
            ("1", [true, true, false]),
            ("1.01", [true, false, false]),
            ("-0.1", [false; 3]),
            ("nan", [false; 3]),
            ("inf", [false; 3]),
            ("", [false; 3]),
        ] {
            assert_eq!(parsers.map(|parser| parser(text).is_ok()), valid, "{text}");
        }
        assert_eq!(shares("0.4"), Ok(PhaseValues::Uniform(0.4)));
        assert_eq!(shares("0,0.5,1"), Ok(PhaseValues::Each([0.0, 0.5, 1.0])));
        for invalid in ["2", "nan", "0,1", "0,0.5,1.5", ""] {
            assert!(shares(invalid).is_err(), "{invalid}");
        }
    }
}
