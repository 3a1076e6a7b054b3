//! Counts of the values that differ from the truth.

use std::iter::Sum;

use serde::Serialize;

/// A value greater than this is a mate.
const MATE_FROM: i32 = 50_000;

/// Values that differ from the truth.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct WrongValues {
    /// A draw instead of another value.
    pub(crate) false_draws: u64,
    /// Another value instead of a draw.
    pub(crate) missed_draws: u64,
    pub(crate) others: u64,
    /// Differences of at most a pawn, of more, and between a mate and no mate.
    pub(crate) up_to_a_pawn: u64,
    pub(crate) more: u64,
    pub(crate) mates: u64,
    /// The truth two plies deeper is the wrong value: the rule saw it early.
    pub(crate) deeper_agrees: u64,
    /// The truth two plies deeper is the same as before.
    pub(crate) deeper_contradicts: u64,
}

impl WrongValues {
    pub(crate) fn total(&self) -> u64 {
        self.false_draws + self.missed_draws + self.others
    }

    /// Counts a value if it is wrong; `value` is `None` if the search did not end.
    pub(super) fn add(&mut self, value: Option<i32>, truth: i32, deeper: Option<i32>) {
        if value == Some(truth) {
            return;
        }
        match (value, truth) {
            (Some(0), _) => self.false_draws += 1,
            (_, 0) => self.missed_draws += 1,
            _ => self.others += 1,
        }
        let difference = value.map_or(MATE_FROM, |value| (value - truth).abs());
        match difference {
            ..=100 => self.up_to_a_pawn += 1,
            MATE_FROM.. => self.mates += 1,
            _ => self.more += 1,
        }
        if deeper.is_some() && deeper == value {
            self.deeper_agrees += 1;
        } else if deeper == Some(truth) {
            self.deeper_contradicts += 1;
        }
    }
}

impl Sum for WrongValues {
    fn sum<I: Iterator<Item = WrongValues>>(all: I) -> WrongValues {
        all.fold(WrongValues::default(), |sum, more| WrongValues {
            false_draws: sum.false_draws + more.false_draws,
            missed_draws: sum.missed_draws + more.missed_draws,
            others: sum.others + more.others,
            up_to_a_pawn: sum.up_to_a_pawn + more.up_to_a_pawn,
            more: sum.more + more.more,
            mates: sum.mates + more.mates,
            deeper_agrees: sum.deeper_agrees + more.deeper_agrees,
            deeper_contradicts: sum.deeper_contradicts + more.deeper_contradicts,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_values_are_judged_by_the_deeper_search() {
        let mut wrong = WrongValues::default();
        wrong.add(Some(50), 50, None);
        assert_eq!(wrong.total(), 0);
        wrong.add(Some(0), 100, Some(0));
        wrong.add(Some(0), 300, Some(300));
        wrong.add(Some(-100), 0, Some(50));
        wrong.add(Some(99_990), 900, None);
        assert_eq!((wrong.false_draws, wrong.missed_draws, wrong.others), (2, 1, 1));
        assert_eq!((wrong.up_to_a_pawn, wrong.more, wrong.mates), (2, 1, 1));
        assert_eq!((wrong.deeper_agrees, wrong.deeper_contradicts), (1, 1));
    }
}
