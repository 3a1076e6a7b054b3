//! The unit of the evaluation.

use std::fmt;
use std::ops::Neg;

/// A hundredth of the value of a pawn, from the point of view that the context names. Its negation
/// is the point of view of the other side.
///
/// ```
/// use koel_eval::Centipawns;
///
/// assert_eq!(Centipawns(-35).to_string(), "-0.35");
/// assert_eq!(-Centipawns(1200), Centipawns(-1200));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
pub struct Centipawns(pub i32);

/// Writes pawns: `+0.35`, `-12.00`.
impl fmt::Display for Centipawns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.2}", f64::from(self.0) / 100.0)
    }
}

impl Neg for Centipawns {
    type Output = Centipawns;

    fn neg(self) -> Centipawns {
        Centipawns(-self.0)
    }
}
