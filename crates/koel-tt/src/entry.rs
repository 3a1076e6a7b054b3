//! The contents of an entry, as the caller sees them.

/// The relation of a score to the true value of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Bound {
    /// The value is at most the score: no move reached alpha (a fail low, an All node).
    Upper = 1,
    /// The value is at least the score: a move reached beta (a fail high, a Cut node).
    Lower = 2,
    /// The value is the score (a PV node).
    Exact = 3,
}

impl Bound {
    /// Returns true if the value is at least the score.
    #[inline]
    #[must_use]
    pub const fn is_lower(self) -> bool {
        self as u8 & Bound::Lower as u8 != 0
    }

    /// Returns true if the value is at most the score.
    #[inline]
    #[must_use]
    pub const fn is_upper(self) -> bool {
        self as u8 & Bound::Upper as u8 != 0
    }
}

/// The result of a search of one position.
///
/// `M` is the move: 16 bits, where zero means no move. `P` is the [`Payload`](crate::Payload): bits
/// of the caller's own, by default none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Entry<M, P = ()> {
    /// The best move, or the move that caused the beta cutoff.
    pub best_move: Option<M>,
    /// The score from the point of view of the side to move, in the caller's units. It is stored as
    /// given: a search whose mate scores count plies from the root makes them relative to the node
    /// before it stores them, and turns them back after a probe.
    pub score: i16,
    /// The static evaluation, before any search. `i16::MIN` is read back as `None`.
    pub static_eval: Option<i16>,
    /// The depth to which the position was searched, in plies.
    pub depth: u8,
    /// The relation of the score to the true value.
    pub bound: Bound,
    /// True if the position is or once was on a principal variation.
    pub is_pv: bool,
    /// The caller's own bits.
    pub payload: P,
}

impl<M, P: Default> Entry<M, P> {
    /// Returns an entry with a score, without a move, a static evaluation and bits of the caller's
    /// own.
    ///
    /// ```
    /// use koel_tt::{Bound, Entry};
    ///
    /// let entry = Entry::<u16>::new(120, Bound::Lower, 7).with_move(0x1234).with_static_eval(95);
    /// assert_eq!((entry.score, entry.depth, entry.best_move), (120, 7, Some(0x1234)));
    /// assert!(!entry.is_pv);
    /// ```
    pub fn new(score: i16, bound: Bound, depth: u8) -> Entry<M, P> {
        Entry {
            best_move: None,
            score,
            static_eval: None,
            depth,
            bound,
            is_pv: false,
            payload: P::default(),
        }
    }
}

impl<M, P> Entry<M, P> {
    /// Returns the entry with this best move.
    #[must_use]
    pub fn with_move(self, best_move: impl Into<Option<M>>) -> Entry<M, P> {
        Entry { best_move: best_move.into(), ..self }
    }

    /// Returns the entry with this static evaluation.
    #[must_use]
    pub fn with_static_eval(self, static_eval: impl Into<Option<i16>>) -> Entry<M, P> {
        Entry { static_eval: static_eval.into(), ..self }
    }

    /// Returns the entry as one of a principal variation, or not.
    #[must_use]
    pub fn with_pv(self, is_pv: bool) -> Entry<M, P> {
        Entry { is_pv, ..self }
    }

    /// Returns the entry with these bits of the caller's own.
    #[must_use]
    pub fn with_payload(self, payload: P) -> Entry<M, P> {
        Entry { payload, ..self }
    }
}

#[cfg(test)]
impl<P: Default> Entry<u16, P> {
    /// An entry for tests, with the depth as its score and the default payload.
    pub(crate) fn of_move(best_move: u16, depth: u8, bound: Bound) -> Entry<u16, P> {
        Entry::new(i16::from(depth), bound, depth).with_move((best_move != 0).then_some(best_move))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exact_score_is_both_bounds() {
        assert!(Bound::Exact.is_lower() && Bound::Exact.is_upper());
        assert!(Bound::Lower.is_lower() && !Bound::Lower.is_upper());
        assert!(!Bound::Upper.is_lower() && Bound::Upper.is_upper());
    }
}
