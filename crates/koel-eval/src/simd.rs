//! The terms compiled a second time, for processors that count bits in one instruction.
//!
//! The terms count squares at every turn, which takes a dozen instructions on the oldest
//! processor that a build is for. It saves a fifth of the evaluation.

#![allow(unsafe_code, reason = "a processor has to be asked before its instructions are used")]

use koel_board::Position;

use crate::hand_written;
use crate::tally::Sum;
use crate::terms::pawns::PawnFacts;

/// As [`hand_written::tally_rest`], with what this processor has.
#[inline]
pub(crate) fn tally_rest(position: &Position, facts: &PawnFacts, sides: &mut [Sum; 2]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("popcnt") && is_x86_feature_detected!("bmi1") {
        // SAFETY: the processor has just said that it has both.
        return unsafe { with_bit_counts(position, facts, sides) };
    }
    hand_written::tally_rest(position, facts, sides);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,bmi1")]
fn with_bit_counts(position: &Position, facts: &PawnFacts, sides: &mut [Sum; 2]) {
    hand_written::tally_rest(position, facts, sides);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::walk;

    #[test]
    fn both_ways_agree() {
        walk(50, |position| {
            let facts = hand_written::tally_pawns(position, &mut [Sum::default(); 2]);
            let (mut fast, mut plain) = ([Sum::default(); 2], [Sum::default(); 2]);
            tally_rest(position, &facts, &mut fast);
            hand_written::tally_rest(position, &facts, &mut plain);
            assert_eq!(fast.map(Sum::total), plain.map(Sum::total), "{position}");
        });
    }
}
