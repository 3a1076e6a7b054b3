use std::collections::BTreeSet;

use super::super::features::PieceSquare;
use super::super::hidden_layers::{HIDDEN1, HIDDEN2};
use super::super::raw_weights::RawWeights;
use super::super::testing::{apply, random_weights};
use super::*;
use crate::testing::{Step, random_game, random_step};

const N: usize = 64;

fn network<const K: usize>() -> Arc<Network<K, N>> {
    Arc::new(Network::from_raw_weights(&random_weights::<K, N>(7)).unwrap())
}

/// Evaluates from scratch, in plain 64-bit arithmetic: adds up all pieces, then applies the
/// formulas of the layers. The result has a fraction.
fn from_scratch<const K: usize>(weights: &RawWeights, position: &Position) -> f64 {
    let accumulator = |color: Color| {
        let mut sums: Vec<i64> =
            weights.feature_biases.iter().map(|&weight| i64::from(weight)).collect();
        let perspective = Perspective::of::<K>(position, color);
        for square in position.occupied() {
            let piece = position.piece_at(square).unwrap();
            let feature = perspective.feature(PieceSquare::new(piece, square));
            for (neuron, sum) in sums.iter_mut().enumerate() {
                *sum += i64::from(weights.feature_weights[feature * N + neuron]);
            }
        }
        sums
    };
    let products = [position.turn(), !position.turn()].map(accumulator).map(|sums| {
        let (first, second) = sums.split_at(N / 2);
        let products = first.iter().zip(second);
        products
            .map(|(one, other)| (one.clamp(&0, &510) * other.clamp(&0, &510) + 512) / 1_024)
            .collect::<Vec<i64>>()
    });
    let products = products.concat();
    let bucket = (position.occupied().count() - 2) / 4;
    let of_bucket = |list: &[f32], at: usize| f64::from(list[bucket * list.len() / 8 + at]);
    let screlu = |value: f64| value.clamp(0.0, 1.0).powi(2);
    let hidden1: Vec<f64> = (0..HIDDEN1)
        .map(|neuron| {
            let row = &weights.hidden1_weights[(bucket * HIDDEN1 + neuron) * N..][..N];
            let terms = row.iter().zip(&products).map(|(&weight, sum)| i64::from(weight) * sum);
            let sum = terms.sum::<i64>() as f64 * of_bucket(&weights.hidden1_units, neuron);
            screlu(of_bucket(&weights.hidden1_biases, neuron) + sum)
        })
        .collect();
    let hidden2 = (0..HIDDEN2).map(|neuron| {
        let terms = hidden1
            .iter()
            .enumerate()
            .map(|(at, value)| value * of_bucket(&weights.hidden2_weights, at * HIDDEN2 + neuron));
        screlu(of_bucket(&weights.hidden2_biases, neuron) + terms.sum::<f64>())
    });
    let terms =
        hidden2.enumerate().map(|(at, value)| value * of_bucket(&weights.output_weights, at));
    400.0 * (of_bucket(&weights.output_biases, 0) + terms.sum::<f64>())
}

/// Asserts that an evaluation is that from scratch without its fraction, which is not as exact.
#[track_caller]
fn assert_is_exact(found: Centipawns, expected: f64, position: &Position) {
    let [low, high] = [expected - 0.01, expected + 0.01].map(|value| value.trunc() as i32);
    assert!((low..=high).contains(&found.0), "{found:?}, not {expected}, in {position}");
}

/// Returns whether a step is a null move, castling, a promotion, en passant, or changes the
/// perspective.
fn kinds<const K: usize>(position: &Position, step: Step) -> [bool; 5] {
    let Step::Play(m) = step else { return [true, false, false, false, false] };
    let after = position.after(m);
    let [before, after] =
        [position, &after].map(|after| Perspective::of::<K>(after, position.turn()));
    [false, m.is_castling(), m.promotion().is_some(), m.is_en_passant(), before != after]
}

/// Walks random lines forwards and back, and compares a stack that is evaluated at every position,
/// one that is evaluated now and then, and the evaluation from scratch. Returns the number of steps
/// of each kind.
fn walk<const K: usize>(games: usize) -> [usize; 5] {
    let network = network::<K>();
    let weights = network.to_raw_weights();
    let mut counts = [0; 5];
    let mut evaluations = BTreeSet::new();
    for game in 0..games {
        let (start, mut rng) = random_game(game);
        let eager = AccumulatorStack::new(Arc::clone(&network), &start);
        let mut stacks = [eager.clone(), eager];
        let mut line = vec![start];
        for _ in 0..150 {
            let mut position = line.last().unwrap().clone();
            if line.len() > 1 && rng.below(4) == 0 {
                line.pop();
                stacks.iter_mut().for_each(AccumulatorStack::pop);
                position = line.last().unwrap().clone();
            } else {
                let Some(step) = random_step(&mut rng, &position) else { break };
                let kinds = kinds::<K>(&position, step);
                counts = std::array::from_fn(|kind| counts[kind] + usize::from(kinds[kind]));
                apply(step, &mut position, &mut stacks);
                line.push(position.clone());
            }
            let expected = network.evaluate(&position);
            assert_is_exact(expected, from_scratch::<K>(&weights, &position), &position);
            assert_eq!(stacks[0].evaluate(&position), expected, "{position}");
            evaluations.insert(expected.0);
            if rng.below(5) == 0 {
                assert_eq!(stacks[1].evaluate(&position), expected, "{position}, lazily");
            }
        }
    }
    assert!(evaluations.len() > 500, "{}", evaluations.len());
    counts
}

#[test]
fn incremental_lazy_and_refreshed_accumulators_equal_those_from_scratch() {
    let counts = walk::<1>(200);
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
}

#[test]
fn they_do_with_king_buckets() {
    let counts = walk::<4>(100);
    assert!(counts[4] > 200, "{counts:?}");
}

/// Tests the Finny table alone, with unrelated positions.
#[test]
fn a_refresh_from_any_position_is_correct() {
    let network = network::<4>();
    let mut stack = AccumulatorStack::new(Arc::clone(&network), &Position::start());
    for round in 0..400 {
        let (mut position, mut rng) = random_game(round);
        for _ in 0..rng.below(60) {
            let Some(step) = random_step(&mut rng, &position) else { break };
            step.apply(&mut position);
        }
        stack.restart(&position);
        assert_eq!(stack.evaluate(&position), network.evaluate(&position), "{position}");
    }
}

#[test]
fn more_changes_than_those_of_a_move_cause_a_refresh() {
    let network = network::<1>();
    let mut stack = AccumulatorStack::new(Arc::clone(&network), &Position::start());
    let mut position = Position::start();
    assert_eq!(stack.evaluate(&position), network.evaluate(&position));
    let dirty_pieces = stack.push();
    for text in ["e2e4", "e7e5", "g1f3", "b8c6"] {
        position.play_observed(position.parse_uci(text).unwrap(), dirty_pieces);
    }
    assert_eq!(stack.evaluate(&position), network.evaluate(&position));
}

#[test]
#[should_panic(expected = "a line has at most 255 moves")]
fn no_line_is_longer() {
    let mut stack = AccumulatorStack::new(network::<1>(), &Position::start());
    for _ in 0..=MAX_PLIES {
        stack.push();
    }
}

#[test]
#[should_panic(expected = "no move to unmake")]
fn the_first_position_stays() {
    AccumulatorStack::new(network::<1>(), &Position::start()).pop();
}
