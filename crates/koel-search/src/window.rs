//! The scores that still matter.

use std::ops::Neg;

use koel_tt::Bound;

use crate::score::Score;

/// What the side to move has already (alpha), and what the other side will not allow (beta).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Window {
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
}

impl Window {
    /// Every score.
    pub(crate) fn full() -> Window {
        Window { alpha: -Score::INFINITE, beta: Score::INFINITE }
    }

    /// So much to both sides of a score, as far as scores go.
    pub(crate) fn around(center: Score, margin: i32) -> Window {
        let Window { alpha, beta } = Window::full();
        Window { alpha: (center - margin).max(alpha), beta: (center + margin).min(beta) }
    }

    /// The narrowest window above alpha: it asks whether a move is better, not by how much.
    #[inline]
    pub(crate) fn above_alpha(self) -> Window {
        Window { alpha: self.alpha, beta: self.alpha + 1 }
    }

    /// The narrowest window below beta: it asks whether beta is reached.
    #[inline]
    pub(crate) fn below_beta(self) -> Window {
        Window { alpha: self.beta - 1, beta: self.beta }
    }

    /// Whether a bound answers the question that this window asks.
    #[inline]
    pub(crate) fn is_settled_by(self, score: Score, bound: Bound) -> bool {
        (score >= self.beta && bound.is_lower()) || (score <= self.alpha && bound.is_upper())
    }

    /// What a score says that was found with this window.
    #[inline]
    pub(crate) fn bound(self, score: Score) -> Bound {
        if score <= self.alpha {
            Bound::Upper
        } else if score >= self.beta {
            Bound::Lower
        } else {
            Bound::Exact
        }
    }
}

/// The same window from the other side's view.
impl Neg for Window {
    type Output = Window;

    #[inline]
    fn neg(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}
