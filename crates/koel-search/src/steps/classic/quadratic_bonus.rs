use crate::steps::prelude::*;

declare! { quadratic_bonus = false; }

impl Search<'_> {
    /// Returns a history bonus that grows with the square of the depth, in place of the linear one
    /// and as much as that at depth 8.
    pub(crate) fn quadratic_bonus(linear: i32, slope: i32, depth: i32) -> i32 {
        if quadratic_bonus() { slope * depth * depth / 8 } else { linear }
    }
}
