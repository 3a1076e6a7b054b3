use std::sync::Arc;

use koel_board::Position;

use super::super::samples::{Random, STARTS, Step, random_parts, random_step};
use super::super::{AccumulatorStack, Network, Row};
use super::*;

/// The levels beyond the baseline; says which are not tested.
fn wider() -> Vec<Level> {
    let levels: Vec<Level> = Level::all().into_iter().filter(|&l| l != Level::BASELINE).collect();
    for name in ["AVX2", "AVX-512"] {
        if !levels.iter().any(|level| level.name() == name) {
            println!("skipped: this machine has no {name}");
        }
    }
    levels
}

/// Random numbers with extremes among them.
fn row<const N: usize>(random: &mut Random, extremes: &[i16]) -> Row<N> {
    let mut row = Row::ZERO;
    for value in &mut row.0 {
        *value = match random.below(2) {
            0 => extremes[random.below(extremes.len())],
            _ => random.draw() as i16,
        };
    }
    row
}

struct Sum<'a, const N: usize>(&'a Row<N>, &'a Row<N>);

impl<const N: usize> Kernel for Sum<'_, N> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        self.0.activated_sum(self.1, 255)
    }
}

struct Change<'a, const N: usize>(&'a [Row<N>; 5]);

impl<const N: usize> Kernel for Change<'_, N> {
    type Output = [Row<N>; 3];

    #[inline(always)]
    fn run(self) -> [Row<N>; 3] {
        let [from, a, b, c, d] = self.0;
        let mut rows = [Row::ZERO; 3];
        rows[0].set_changed(from, [a], [b]);
        rows[1].set_changed(from, [a], [b, c]);
        rows[2].set_changed(from, [a, b], [c, d]);
        rows[2].add(a);
        rows[2].subtract(b);
        rows
    }
}

fn kernels_agree<const N: usize>() {
    let extremes = [i16::MIN, i16::MIN + 1, -256, -255, -1, 0, 1, 254, 255, 256, i16::MAX];
    let mut random = Random(N as u64);
    for _ in 0..500 {
        let neurons = row::<N>(&mut random, &extremes);
        let mut weights = row::<N>(&mut random, &[-128, -127, 0, 127, 128]);
        weights.0.iter_mut().for_each(|weight| *weight = (*weight).clamp(-128, 128));
        let terms =
            neurons.0.iter().zip(&weights.0).map(|(&neuron, &weight)| {
                i64::from(neuron.clamp(0, 255)).pow(2) * i64::from(weight)
            });
        let expected = terms.sum::<i64>() as i32;
        assert_eq!(Level::BASELINE.run(Sum(&neurons, &weights)), expected);
        let rows: [Row<N>; 5] = std::array::from_fn(|_| row(&mut random, &extremes));
        let changed = Level::BASELINE.run(Change(&rows));
        for index in 0..N {
            let [from, a, b, c, d] =
                [0, 1, 2, 3, 4].map(|row: usize| i64::from(rows[row].0[index]));
            let expected = [from + a - b, from + a - b - c, from + a + b - c - d + a - b];
            assert_eq!([0, 1, 2].map(|row| changed[row].0[index]), expected.map(|sum| sum as i16));
        }
        for level in wider() {
            assert_eq!(level.run(Sum(&neurons, &weights)), expected, "{}", level.name());
            let sum = level.activated_sum(&neurons, &weights, 255);
            assert_eq!(sum, expected, "{}, by hand", level.name());
            assert_eq!(level.run(Change(&rows)), changed, "{}", level.name());
        }
    }
}

#[test]
fn kernels_agree_with_plain_sums_at_all_levels() {
    kernels_agree::<32>();
    kernels_agree::<128>();
    kernels_agree::<256>();
    kernels_agree::<512>();
}

#[test]
fn evaluations_agree_at_all_levels() {
    let network = Arc::new(Network::<4, 256>::from_parts(&random_parts::<4, 256>(9)).unwrap());
    for (game, start) in STARTS.into_iter().enumerate() {
        let mut random = Random(game as u64 + 1);
        let mut position = Position::from_fen(start).unwrap();
        let levels = [vec![Level::BASELINE], wider()].concat();
        let stack = |&level| AccumulatorStack::with_level(Arc::clone(&network), &position, level);
        let mut stacks: Vec<_> = levels.iter().map(stack).collect();
        for _ in 0..100 {
            let worths: Vec<_> = stacks.iter_mut().map(|stack| stack.evaluate(&position)).collect();
            assert!(worths.windows(2).all(|two| two[0] == two[1]), "{worths:?} in {position}");
            let before = position.clone();
            let Some(step) = random_step(&mut random, &before) else { break };
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
