//! The table of late move reductions.

use crate::score::Depth;

declare! {
    /// Late move reductions, in 1024ths of a ply.
    late_move_reduction {
        /// The base reduction.
        base = 1036 in 0..=2048;
        /// The factor of the product of the logarithms of depth and move number.
        slope = 527 in 200..=1000;
    }
}

/// The largest depth and move number of the table; it also serves as a bit mask.
const LARGEST: usize = 63;

/// The base reductions by depth and number of earlier moves, in 1024ths of a ply.
#[derive(Clone, Debug)]
pub(crate) struct Reductions(Box<[[i16; LARGEST + 1]; LARGEST + 1]>);

impl Reductions {
    /// The table for the current parameters.
    pub(crate) fn new() -> Reductions {
        let logarithms: [f64; LARGEST + 2] = std::array::from_fn(ln);
        let mut reductions = Box::new([[0; LARGEST + 1]; LARGEST + 1]);
        for (depth, row) in reductions.iter_mut().enumerate() {
            for (move_count, reduction) in row.iter_mut().enumerate() {
                let product = logarithms[depth] * logarithms[move_count + 1];
                let sloped = product * f64::from(late_move_reduction::slope());
                *reduction = (f64::from(late_move_reduction::base()) + sloped) as i16;
            }
        }
        Reductions(reductions)
    }

    /// The reduction of a move after `move_count` others.
    #[inline]
    pub(crate) fn get(&self, depth: Depth, move_count: usize) -> i32 {
        let depth = depth.0.clamp(0, LARGEST as i32) as usize & LARGEST;
        i32::from(self.0[depth][move_count.min(LARGEST)])
    }
}

/// The natural logarithm, 0 below 2, by the series of the inverse hyperbolic tangent. Unlike a
/// library's it gives the same result on every machine.
fn ln(number: usize) -> f64 {
    let mut mantissa = number as f64;
    let mut sum = 0.0;
    while mantissa >= 2.0 {
        mantissa /= 2.0;
        sum += std::f64::consts::LN_2;
    }
    if number < 2 {
        return 0.0;
    }
    let ratio = (mantissa - 1.0) / (mantissa + 1.0);
    let mut power = ratio;
    let mut term = 1;
    while term < 40 {
        sum += 2.0 * power / f64::from(term);
        power *= ratio * ratio;
        term += 2;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_agrees_with_the_library() {
        for number in 1..=64 {
            assert!((ln(number) - (number as f64).ln()).abs() < 1e-12, "{number}");
        }
    }

    #[test]
    fn reductions_grow_with_both() {
        let reductions = Reductions::new();
        for depth in 1..60 {
            for move_count in 1..60 {
                let here = reductions.get(Depth(depth), move_count);
                assert!(here <= reductions.get(Depth(depth + 1), move_count));
                assert!(here <= reductions.get(Depth(depth), move_count + 1));
                assert!((0..16 * 1024).contains(&here));
            }
        }
    }
}
