//! The window of alpha-beta search.

use std::ops::Neg;

use koel_tt::Bound;

use crate::score::Score;

/// The scores that matter at a node: above alpha, which the side to move has already, and below
/// beta, which the opponent can avoid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Window {
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
}

impl Window {
    /// The window of all scores.
    pub(crate) fn full() -> Window {
        Window { alpha: -Score::INFINITE, beta: Score::INFINITE }
    }

    /// A window that reaches `margin` to both sides of a score, cut to the range of scores.
    pub(crate) fn around(center: Score, margin: i32) -> Window {
        let Window { alpha, beta } = Window::full();
        Window { alpha: (center - margin).max(alpha), beta: (center + margin).min(beta) }
    }

    /// The null window above alpha, which tells whether a move raises alpha.
    #[inline]
    pub(crate) fn null_window_at_alpha(self) -> Window {
        Window { alpha: self.alpha, beta: self.alpha + 1 }
    }

    /// The null window below beta, which tells whether beta is reached.
    #[inline]
    pub(crate) fn null_window_at_beta(self) -> Window {
        Window { alpha: self.beta - 1, beta: self.beta }
    }

    /// Returns true if a score with this bound lies outside the window for certain.
    #[inline]
    pub(crate) fn allows_cutoff(self, score: Score, bound: Bound) -> bool {
        (score >= self.beta && bound.is_lower()) || (score <= self.alpha && bound.is_upper())
    }

    /// The bound of a score that a search with this window returned.
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

/// Negation gives the window from the opponent's point of view.
impl Neg for Window {
    type Output = Window;

    #[inline]
    fn neg(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}
