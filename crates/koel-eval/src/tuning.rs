//! What a tuner needs: the evaluation as a function of its weights, and the table as source.
//!
//! With the counts of a position at hand, its worth under other weights, and the slope of that in
//! each weight, take a few multiplications. (Texel's tuning method, Österlund 2014.)

use std::fmt::Write;

use koel_board::{Color, Position};

use crate::breakdown::counts;
use crate::hand_written::{FULL_PHASE, PHASES};
use crate::pair::Pair;
use crate::tally::{Counts, LINEAR_DIVISOR, SQUARE_DIVISOR, penalty};
use crate::weights::{COUNT, GROUPS, Group, Term, WEIGHTS};
use crate::{mating, scale};

/// A value for each weight, for the middlegame and for the endgame.
pub type Values = [Vec<f32>; 2];

/// A weight and how often it counts.
pub type Count = (u16, i16);

/// A position as the tuner sees it.
#[derive(Clone, Debug)]
pub struct Features {
    /// How often each weight counts, White's less Black's; those that count are named.
    score: Vec<Count>,
    /// How often each weight endangers the king of `[black, white]`.
    danger: [Vec<Count>; 2],
    /// How much of a middlegame and of an endgame it is; the scale of the endgame is in it.
    shares: [f32; 2],
    /// What is added whatever the weights are.
    fixed: f32,
}

/// The weights as they are.
#[must_use]
pub fn values() -> Values {
    let half = |of: fn(Pair) -> i32| WEIGHTS.iter().map(|&pair| of(pair) as f32).collect();
    [half(Pair::middlegame), half(Pair::endgame)]
}

impl Features {
    /// Counts the terms of a position.
    #[must_use]
    pub fn new(position: &Position) -> Features {
        let [black, white] = counts(position);
        let total = total(&white) - total(&black);
        let scale = scale::of_endgame(position, Color::from_white(total.endgame() > 0));
        let scale = scale as f32 / scale::FULL_SCALE as f32;
        let phase = phase(position) as f32 / FULL_PHASE as f32;
        let endgame = (1.0 - phase) * scale;
        let difference = |index: usize| white.score[index] - black.score[index];
        Features {
            score: pick(difference),
            danger: [pick(|index| black.danger[index]), pick(|index| white.danger[index])],
            shares: [phase, endgame],
            fixed: endgame * mating::drive(position) as f32,
        }
    }

    /// The worth of the position under these weights, in centipawns from White's view.
    #[must_use]
    pub fn worth(&self, values: &Values) -> f32 {
        let mut worth = self.fixed;
        for (half, share) in self.shares.into_iter().enumerate() {
            let [black, white] = self.dangers(values, half).map(|danger| cost(half, danger));
            worth += share * (sum(&self.score, &values[half]) - white + black);
        }
        worth
    }

    /// Adds to `gradient` the slope of the worth in each weight, times `factor`.
    pub fn add_slope(&self, values: &Values, factor: f32, gradient: &mut Values) {
        for (half, share) in self.shares.into_iter().enumerate() {
            let factor = factor * share;
            for &(weight, count) in &self.score {
                gradient[half][usize::from(weight)] += factor * f32::from(count);
            }
            let dangers = self.dangers(values, half);
            for (side, sign) in [(0, 1.0), (1, -1.0)] {
                let factor = factor * sign * slope_of_cost(half, dangers[side]);
                for &(weight, count) in &self.danger[side] {
                    gradient[half][usize::from(weight)] += factor * f32::from(count);
                }
            }
        }
    }

    fn dangers(&self, values: &Values, half: usize) -> [f32; 2] {
        [0, 1].map(|side: usize| sum(&self.danger[side], &values[half]))
    }
}

fn sum(counts: &[Count], values: &[f32]) -> f32 {
    counts.iter().map(|&(weight, count)| f32::from(count) * values[usize::from(weight)]).sum()
}

/// The penalty of the search, without its rounding.
fn cost(half: usize, danger: f32) -> f32 {
    let danger = danger.max(0.0);
    if half == 0 { danger * danger / SQUARE_DIVISOR as f32 } else { danger / LINEAR_DIVISOR as f32 }
}

fn slope_of_cost(half: usize, danger: f32) -> f32 {
    match (danger > 0.0, half) {
        (false, _) => 0.0,
        (true, 0) => 2.0 * danger / SQUARE_DIVISOR as f32,
        (true, _) => 1.0 / LINEAR_DIVISOR as f32,
    }
}

fn pick(count: impl Fn(usize) -> i32) -> Vec<Count> {
    let counted = (0..COUNT).map(|index| (index as u16, count(index) as i16));
    counted.filter(|&(_, count)| count != 0).collect()
}

fn total(counts: &Counts) -> Pair {
    let (mut score, mut danger) = (Pair::ZERO, Pair::ZERO);
    for (index, &weight) in WEIGHTS.iter().enumerate() {
        score += weight * counts.score[index];
        danger += weight * counts.danger[index];
    }
    score - penalty(danger)
}

fn phase(position: &Position) -> i32 {
    let pieces = position.occupied().into_iter().filter_map(|square| position.role_at(square));
    pieces.map(|role| PHASES[role as usize - 1]).sum::<i32>().min(FULL_PHASE)
}

/// The table of weights as Rust source, with these values in it.
#[must_use]
pub fn source(values: &Values) -> String {
    let mut text = String::from(HEAD);
    let mut last: Option<Term> = None;
    for group in GROUPS {
        if last != Some(group.term) {
            text.push_str(if last.is_some() { "    }\n" } else { "" });
            let _ = writeln!(text, "    {:?} {{", group.term);
            last = Some(group.term);
        }
        write_group(&mut text, group, values);
    }
    text + "    }\n}\n"
}

const HEAD: &str = "//! The weights, in centipawns, as `cargo xtask fit-eval` writes them.

use crate::weights::weights;

weights! {
";

/// The widest line of the source.
const WIDTH: usize = 100;

fn write_group(text: &mut String, group: &Group, values: &Values) {
    for line in group.documentation {
        let _ = writeln!(text, "        ///{line}");
    }
    let _ = writeln!(text, "        {} = [", group.name);
    let per_line = match group.length {
        length if length > 8 && length.is_multiple_of(8) => 4,
        length if length.is_multiple_of(7) => 7,
        _ => usize::MAX,
    };
    let (mut line, mut items) = (String::new(), 0);
    for weight in group.places() {
        let [middlegame, endgame] = [0, 1].map(|half: usize| values[half][weight].round() as i32);
        let item = format!(" ({middlegame}, {endgame}),");
        if items == per_line || 11 + line.len() + item.len() > WIDTH {
            let _ = writeln!(text, "           {line}");
            (line, items) = (String::new(), 0);
        }
        line += &item;
        items += 1;
    }
    let _ = writeln!(text, "           {line}");
    text.push_str("        ];\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Evaluator;
    use crate::testing::walk;

    #[test]
    fn features_are_worth_what_the_evaluation_says() {
        let values = values();
        walk(20, |position| {
            let worth = Features::new(position).worth(&values);
            let says = Evaluator::new(position).evaluate(position).0 as f32;
            let says = position.turn().fold_wb(says, -says);
            // The search rounds four times: dangers, scale, blend.
            assert!((worth - says).abs() < 4.0, "{worth} {says} {position}");
        });
    }

    #[test]
    fn slopes_are_those_of_the_worth() {
        let fen = "r1bq1rk1/pp3ppp/2n1pn2/2bp4/4P3/2NB1N2/PPPQ1PPP/R1B2RK1 w - - 0 9";
        let features = Features::new(&Position::from_fen(fen).unwrap());
        let mut values = values();
        let mut gradient = [vec![0.0; COUNT], vec![0.0; COUNT]];
        features.add_slope(&values, 1.0, &mut gradient);
        for half in 0..2 {
            for weight in 0..COUNT {
                let here = values[half][weight];
                values[half][weight] = here + 1.0;
                let above = features.worth(&values);
                values[half][weight] = here - 1.0;
                let slope = (above - features.worth(&values)) / 2.0;
                values[half][weight] = here;
                assert!((slope - gradient[half][weight]).abs() < 0.05, "{half} {weight} {slope}");
            }
        }
    }

    #[test]
    fn the_source_is_the_table() {
        assert!(source(&values()) == include_str!("table.rs"), "cargo xtask fit-eval writes it");
    }
}
