//! The normal distribution.

use std::f64::consts::PI;

/// Half the width of the two-sided 95 % interval in standard deviations.
pub(super) const TWO_SIDED_95: f64 = 1.959_963_984_540_054;

/// Standard deviations beyond which the probability is 0 or 1 within double precision.
const TAIL: f64 = 8.0;

/// Returns the probability that a standard normal variable is below `x`.
pub fn probability_below(x: f64) -> f64 {
    if x.is_nan() || x.abs() > TAIL {
        return if x.is_nan() { 0.5 } else { f64::from(u8::from(x > 0.0)) };
    }
    // Marsaglia's series: x + x^3/3 + x^5/(3 5) + ..., each term positive.
    let (mut term, mut sum, mut odd) = (x, x, 1.0);
    while term.abs() > 1e-17 * sum.abs() {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    0.5 + sum * (-0.5 * x * x).exp() / (2.0 * PI).sqrt()
}
