//! The evaluation term by term, for people.

use std::fmt;

use koel_board::{Color, Position};

use crate::evaluator::{Centipawns, Evaluator};
use crate::hand_written;
use crate::pair::Pair;
use crate::placement;
use crate::side::{Black, White};
use crate::tally::{Counts, penalty};
use crate::weights::{GROUPS, Term, WEIGHTS};

/// What each term gives to each side, and what comes of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breakdown {
    /// One row for each term.
    pub rows: Vec<Row>,
    /// The worth of the position from White's view.
    pub worth: Centipawns,
}

/// One term. Scores are centipawns in favour of the side, as `[middlegame, endgame]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// Which.
    pub term: Term,
    /// What White has of it.
    pub white: [i32; 2],
    /// What Black has of it.
    pub black: [i32; 2],
}

impl Breakdown {
    /// Takes the evaluation of a position apart.
    #[must_use]
    pub fn new(position: &Position) -> Breakdown {
        let [black, white] = counts(position);
        let row = |term| Row { term, white: sum(&white, term), black: sum(&black, term) };
        let worth = Evaluator::new(position).evaluate(position).0;
        Breakdown {
            rows: Term::ALL.map(row).to_vec(),
            worth: Centipawns(position.turn().fold_wb(worth, -worth)),
        }
    }
}

impl fmt::Display for Breakdown {
    /// A table in pawns, then the worth.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pawns = |centipawns: i32| f64::from(centipawns) / 100.0;
        writeln!(f, "{:<10}{:^16}{:^16}{:^16}", "", "White", "Black", "Total")?;
        writeln!(f, "{:<10}{}", "", "      mg      eg".repeat(3))?;
        for Row { term, white, black } in &self.rows {
            write!(f, "{:<10}", format!("{term:?}"))?;
            let total = [white[0] - black[0], white[1] - black[1]];
            for [middlegame, endgame] in [*white, *black, total] {
                write!(f, "{:>+8.2}{:>+8.2}", pawns(middlegame), pawns(endgame))?;
            }
            writeln!(f)?;
        }
        write!(f, "Blended by what is left on the board: {:+.2}", pawns(self.worth.0))
    }
}

/// How often each weight counts for `[black, white]`.
pub(crate) fn counts(position: &Position) -> [Counts; 2] {
    let mut sides = [Counts::new(), Counts::new()];
    let facts = hand_written::tally_pawns(position, &mut sides);
    hand_written::tally_rest(position, &facts, &mut sides);
    placement::tally::<Black, _>(position, &mut sides[Color::Black as usize]);
    placement::tally::<White, _>(position, &mut sides[Color::White as usize]);
    sides
}

/// What a side has of a term; the danger of its king is taken from the last.
fn sum(counts: &Counts, term: Term) -> [i32; 2] {
    let (mut score, mut danger) = (Pair::ZERO, Pair::ZERO);
    for group in GROUPS.iter().filter(|group| group.term == term) {
        for weight in group.places() {
            score += WEIGHTS[weight] * counts.score[weight];
            danger += WEIGHTS[weight] * counts.danger[weight];
        }
    }
    let total = score - penalty(danger);
    [total.middlegame(), total.endgame()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_is_even_in_every_term() {
        let breakdown = Breakdown::new(&Position::start());
        for row in breakdown.rows.iter().filter(|row| row.term != Term::Space) {
            assert_eq!(row.white, row.black, "{breakdown}");
        }
        assert_eq!(breakdown.to_string().lines().count(), 3 + Term::ALL.len());
    }
}
