//! Numbers to train with: 32 bits to be fast, 64 to check the gradients.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

/// What training asks of a number. All of it gives the same bits on every machine.
pub trait Real:
    Copy
    + Debug
    + Default
    + PartialOrd
    + Send
    + Sync
    + Add<Output = Self>
    + AddAssign
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The nearest number to this.
    fn of(value: f64) -> Self;

    /// The same number in 64 bits.
    fn wide(self) -> f64;

    /// The larger of 0 and the number, but not above 1.
    fn clipped(self) -> Self;

    /// 1 / (1 + e^-x): a score in units of the scale as a share of the points.
    fn sigmoid(self) -> Self;

    /// The square root.
    fn root(self) -> Self;
}

impl Real for f32 {
    #[inline(always)]
    fn of(value: f64) -> f32 {
        value as f32
    }

    #[inline(always)]
    fn wide(self) -> f64 {
        f64::from(self)
    }

    #[inline(always)]
    fn clipped(self) -> f32 {
        self.clamp(0.0, 1.0)
    }

    #[inline(always)]
    fn sigmoid(self) -> f32 {
        1.0 / (1.0 + exp(-self))
    }

    #[inline(always)]
    fn root(self) -> f32 {
        self.sqrt()
    }
}

impl Real for f64 {
    fn of(value: f64) -> f64 {
        value
    }

    fn wide(self) -> f64 {
        self
    }

    fn clipped(self) -> f64 {
        self.clamp(0.0, 1.0)
    }

    fn sigmoid(self) -> f64 {
        1.0 / (1.0 + (-self).exp())
    }

    fn root(self) -> f64 {
        self.sqrt()
    }
}

/// e^x for |x| up to 80. That of the standard library differs in the last bit from machine to
/// machine.
#[inline(always)]
fn exp(x: f32) -> f32 {
    let halvings = x.clamp(-80.0, 80.0) * std::f32::consts::LOG2_E;
    let whole = (halvings + if halvings < 0.0 { -0.5 } else { 0.5 }) as i32;
    let rest = (halvings - whole as f32) * std::f32::consts::LN_2;
    let mut sum = 1.0;
    for term in [7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0] {
        sum = 1.0 + rest / term * sum;
    }
    sum * f32::from_bits(((whole + 127) as u32) << 23)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_is_close_to_that_of_the_library() {
        for step in -800..=800 {
            let x = step as f32 * 0.1;
            let expected = f64::from(x).exp();
            let error = (f64::from(exp(x)) - expected).abs() / expected;
            assert!(error < 1e-5, "{x}: {error}");
            assert!((f64::from(x.sigmoid()) - f64::from(x).sigmoid()).abs() < 1e-6);
        }
        assert!(exp(-1e30) > 0.0 && exp(1e30).is_finite());
    }
}
