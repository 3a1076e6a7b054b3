use std::sync::Arc;

use koel_random::Rng;

use super::super::hidden_layers::GROUP;
use super::super::testing::{apply, random_weight_pair, random_weights};
use super::super::{AccumulatorStack, Network, OUTPUT_BUCKETS};
use super::*;
use crate::testing::{STARTS, random_game, random_step};

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

/// Returns random weights of groups, about half of the pairs as large as they may be.
fn random_weights_of_groups(rng: &mut Rng, groups: usize) -> Vec<GroupWeights> {
    let pair = |rng: &mut Rng| match rng.below(2) {
        0 => [[-128, -1], [127, 2], [-128, 127], [64, 65], [-65, -64]][rng.below(5)],
        _ => random_weight_pair(rng),
    };
    let mut weights = GroupWeights([0; HIDDEN1 * GROUP]);
    let group = |_| {
        weights.0.as_chunks_mut().0.iter_mut().for_each(|weights| *weights = pair(rng));
        weights
    };
    (0..groups).map(group).collect()
}

fn kernels_agree<const N: usize>() {
    let extremes = [i16::MIN, i16::MIN + 1, -511, -510, -1, 0, 1, 256, 509, 510, 511, i16::MAX];
    let mut rng = Rng::new(N as u64);
    let network = Network::<1, N>::from_raw_weights(&random_weights::<1, N>(N as u64)).unwrap();
    for _ in 0..500 {
        let neurons: [AccumulatorRow<N>; 2] =
            std::array::from_fn(|_| random_row(&mut rng, &extremes));
        let rows = neurons.each_ref();
        let products: [u8; N] = std::array::from_fn(|at| {
            let (row, at) = (&rows[at / (N / 2)].0, at % (N / 2));
            let [one, other] =
                [row[at], row[at + N / 2]].map(|value| f64::from(value.clamp(0, 510)));
            (one * other / 1_024.0).round() as u8
        });
        let weights = random_weights_of_groups(&mut rng, N / GROUP);
        let sums: [i32; HIDDEN1] = std::array::from_fn(|neuron| {
            let terms = products.iter().enumerate().map(|(at, &product)| {
                let weight = weights[at / GROUP].0[neuron * GROUP + at % GROUP];
                i32::from(product) * i32::from(weight)
            });
            terms.sum()
        });
        let updated_rows: [AccumulatorRow<N>; 5] =
            std::array::from_fn(|_| random_row(&mut rng, &extremes));
        let updated = InstructionSet::BASELINE.run(Updates(&updated_rows));
        for index in 0..N {
            let [from, a, b, c, d] =
                [0, 1, 2, 3, 4].map(|row: usize| i64::from(updated_rows[row].0[index]));
            let expected = [from + a - b, from + a - b - c, from + a + b - c - d + a - b];
            assert_eq!([0, 1, 2].map(|row| updated[row].0[index]), expected.map(|sum| sum as i16));
        }
        let layers = &network.layers[rng.below(OUTPUT_BUCKETS)];
        // Most neurons are between the bounds of their clipping.
        let small_sums = std::array::from_fn(|_| rng.below(10_001) as i32 - 5_000);
        let outputs = [sums, small_sums].map(|sums| (sums, layers.output_of_sums(&sums).to_bits()));
        for set in [vec![InstructionSet::BASELINE], beyond_baseline()].concat() {
            for (sums, expected) in &outputs {
                assert_eq!(set.output_of_sums(layers, sums).to_bits(), *expected, "{}", set.name());
            }
            let mut found = Products([0; N]);
            set.pairwise_products(rows, &mut found);
            assert_eq!(found, Products(products), "{}", set.name());
            assert_eq!(set.hidden1_sums(&found, &weights), sums, "{}", set.name());
            assert_eq!(set.run(Updates(&updated_rows)), updated, "{}", set.name());
        }
    }
}

#[test]
fn kernels_agree_with_plain_sums_for_all_instruction_sets() {
    kernels_agree::<64>();
    kernels_agree::<128>();
    kernels_agree::<256>();
    kernels_agree::<512>();
}

#[test]
fn evaluations_agree_for_all_instruction_sets() {
    let network =
        Arc::new(Network::<4, 512>::from_raw_weights(&random_weights::<4, 512>(9)).unwrap());
    for game in 0..STARTS.len() {
        let (mut position, mut rng) = random_game(game);
        let sets = [vec![InstructionSet::BASELINE], beyond_baseline()].concat();
        let stack =
            |&set| AccumulatorStack::with_instructions(Arc::clone(&network), &position, set);
        let mut stacks: Vec<_> = sets.iter().map(stack).collect();
        for _ in 0..100 {
            let evals: Vec<_> = stacks.iter_mut().map(|stack| stack.evaluate(&position)).collect();
            assert!(evals.windows(2).all(|two| two[0] == two[1]), "{evals:?} in {position}");
            let Some(step) = random_step(&mut rng, &position) else { break };
            apply(step, &mut position, &mut stacks);
        }
    }
}
