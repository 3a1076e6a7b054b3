use std::sync::Arc;

use koel_board::Position;
use koel_random::Rng;

use super::super::testing::{STARTS, Step, random_step, random_weights};
use super::super::{AccumulatorStack, Network};
use super::*;

/// Returns the instruction sets beyond the baseline, and prints which are not tested.
fn beyond_baseline() -> Vec<InstructionSet> {
    let mut sets = InstructionSet::all();
    sets.retain(|&set| set != InstructionSet::BASELINE);
    for name in ["AVX2", "AVX-512"] {
        if !sets.iter().any(|set| set.name() == name) {
            println!("skipped: this machine has no {name}");
        }
    }
    sets
}

/// Returns a row of random numbers and of these extremes.
fn random_row<const N: usize>(rng: &mut Rng, extremes: &[i16]) -> AccumulatorRow<N> {
    let mut row = AccumulatorRow::ZERO;
    for value in &mut row.0 {
        *value = match rng.below(2) {
            0 => extremes[rng.below(extremes.len())],
            _ => rng.next_u64() as i16,
        };
    }
    row
}

struct Dot<'a, const N: usize>(&'a AccumulatorRow<N>, &'a AccumulatorRow<N>);

impl<const N: usize> Kernel for Dot<'_, N> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        self.0.screlu_dot(self.1, 255)
    }
}

struct Updates<'a, const N: usize>(&'a [AccumulatorRow<N>; 5]);

impl<const N: usize> Kernel for Updates<'_, N> {
    type Output = [AccumulatorRow<N>; 3];

    #[inline(always)]
    fn run(self) -> [AccumulatorRow<N>; 3] {
        let [from, a, b, c, d] = self.0;
        let mut rows = [const { AccumulatorRow::ZERO }; 3];
        rows[0].update_from(from, [a], [b]);
        rows[1].update_from(from, [a], [b, c]);
        rows[2].update_from(from, [a, b], [c, d]);
        rows[2].add(a);
        rows[2].subtract(b);
        rows
    }
}

fn kernels_agree<const N: usize>() {
    let extremes = [i16::MIN, i16::MIN + 1, -256, -255, -1, 0, 1, 254, 255, 256, i16::MAX];
    let mut rng = Rng::new(N as u64);
    for _ in 0..500 {
        let neurons = random_row::<N>(&mut rng, &extremes);
        let mut weights = random_row::<N>(&mut rng, &[-128, -127, 0, 127, 128]);
        weights.0.iter_mut().for_each(|weight| *weight = (*weight).clamp(-128, 128));
        let terms =
            neurons.0.iter().zip(&weights.0).map(|(&neuron, &weight)| {
                i64::from(neuron.clamp(0, 255)).pow(2) * i64::from(weight)
            });
        let expected = terms.sum::<i64>() as i32;
        assert_eq!(InstructionSet::BASELINE.run(Dot(&neurons, &weights)), expected);
        let rows: [AccumulatorRow<N>; 5] = std::array::from_fn(|_| random_row(&mut rng, &extremes));
        let updated = InstructionSet::BASELINE.run(Updates(&rows));
        for index in 0..N {
            let [from, a, b, c, d] =
                [0, 1, 2, 3, 4].map(|row: usize| i64::from(rows[row].0[index]));
            let expected = [from + a - b, from + a - b - c, from + a + b - c - d + a - b];
            assert_eq!([0, 1, 2].map(|row| updated[row].0[index]), expected.map(|sum| sum as i16));
        }
        for set in beyond_baseline() {
            assert_eq!(set.run(Dot(&neurons, &weights)), expected, "{}", set.name());
            let sum = set.screlu_dot(&neurons, &weights, 255);
            assert_eq!(sum, expected, "{}, by hand", set.name());
            assert_eq!(set.run(Updates(&rows)), updated, "{}", set.name());
        }
    }
}

#[test]
fn kernels_agree_with_plain_sums_for_all_instruction_sets() {
    kernels_agree::<32>();
    kernels_agree::<128>();
    kernels_agree::<256>();
    kernels_agree::<512>();
}

#[test]
fn evaluations_agree_for_all_instruction_sets() {
    let network =
        Arc::new(Network::<4, 512>::from_raw_weights(&random_weights::<4, 512>(9)).unwrap());
    for (game, start) in STARTS.into_iter().enumerate() {
        let mut rng = Rng::new(game as u64 + 1);
        let mut position = Position::from_fen(start).unwrap();
        let sets = [vec![InstructionSet::BASELINE], beyond_baseline()].concat();
        let stack =
            |&set| AccumulatorStack::with_instructions(Arc::clone(&network), &position, set);
        let mut stacks: Vec<_> = sets.iter().map(stack).collect();
        for _ in 0..100 {
            let evals: Vec<_> = stacks.iter_mut().map(|stack| stack.evaluate(&position)).collect();
            assert!(evals.windows(2).all(|two| two[0] == two[1]), "{evals:?} in {position}");
            let before = position.clone();
            let Some(step) = random_step(&mut rng, &before) else { break };
            for stack in &mut stacks {
                position = before.clone();
                match step {
                    Step::Play(m) => position.play_observed(m, stack.push()),
                    Step::Null => position.play_null(),
                }
            }
        }
    }
}
