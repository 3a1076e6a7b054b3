//! Floating-point types of the trainer: `f32` for speed, `f64` to check the gradients.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

/// A floating-point type. All operations of `f32` give the same bits on every machine.
pub(crate) trait Real:
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
    /// Rounds a number to this type.
    fn from_f64(value: f64) -> Self;

    /// Converts the number to 64 bits.
    fn to_f64(self) -> f64;

    /// Clamps the number to 0..=1, the activation of the neurons before squaring.
    fn clipped(self) -> Self;

    /// Returns 1 / (1 + e^-x), the expected score of a score in units of the scale.
    fn sigmoid(self) -> Self;

    /// Returns the square root.
    fn sqrt(self) -> Self;
}

impl Real for f32 {
    #[inline(always)]
    fn from_f64(value: f64) -> f32 {
        value as f32
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
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
    fn sqrt(self) -> f32 {
        f32::sqrt(self)
    }
}

impl Real for f64 {
    fn from_f64(value: f64) -> f64 {
        value
    }

    fn to_f64(self) -> f64 {
        self
    }

    fn clipped(self) -> f64 {
        self.clamp(0.0, 1.0)
    }

    fn sigmoid(self) -> f64 {
        1.0 / (1.0 + (-self).exp())
    }

    fn sqrt(self) -> f64 {
        f64::sqrt(self)
    }
}

/// Returns e^x for |x| up to 80. The exponential of the standard library differs in the last bit
/// between machines.
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
    fn the_exponential_is_close_to_that_of_the_standard_library() {
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
