use koel_board::Position;
use koel_eval::network::simd::InstructionSet;

use super::*;
use crate::record::Winner;
use crate::train::real::Real;
use koel_random::Rng;

const K: usize = 4;
const N: usize = 64;

/// Positions of random games, with scores and results that mean nothing.
fn samples(count: usize, seed: u64) -> Vec<Sample> {
    let mut seed = Rng::new(seed);
    let mut samples = Vec::new();
    while samples.len() < count {
        let mut position = Position::start();
        for _ in 0..seed.below(120) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[seed.below(moves.len())]);
        }
        let score = seed.below(2_001) as i16 - 1_000;
        samples.push(Sample::new(&position, score, Winner::Nobody));
    }
    samples
}

fn loss(model: &Model<f64, K, N>, samples: &[Sample]) -> f64 {
    let mut scratch = Scratch::new::<K, N>();
    Pass { model, samples, lambda: 0.3, scratch: &mut scratch, gradient: None }.run()
}

fn gradient<F: Real>(
    model: &Model<F, K, N>,
    samples: &[Sample],
    level: InstructionSet,
) -> (f64, Vec<F>) {
    let mut scratch = Scratch::new::<K, N>();
    let mut gradient = vec![F::default(); model.numbers.len()];
    let lambda = F::of(0.3);
    let gradients = Some(&mut gradient[..]);
    let pass = Pass { model, samples, lambda, scratch: &mut scratch, gradient: gradients };
    (level.run(pass), gradient)
}

/// Each number of the model is moved a little to both sides.
#[test]
fn gradients_equal_finite_differences() {
    let mut model = Model::<f64, K, N>::random(3);
    // More than a block, and not a whole number of them.
    let samples = samples(BLOCK + 17, 1);
    let (_, gradient) = gradient(&model, &samples, InstructionSet::BASELINE);
    let layout = Model::<f64, K, N>::LAYOUT;
    let mut seed = Rng::new(2);
    let some = (0..4_000).map(|_| seed.below(layout.start)).filter(|&at| gradient[at] != 0.0);
    let mut places: Vec<usize> = some.take(300).collect();
    assert_eq!(places.len(), 300);
    places.extend(layout.start..layout.len);
    let mut checked = 0;
    for at in places {
        let before = model.numbers[at];
        let step = 1e-6;
        let [above, below] = [step, -step].map(|step| {
            model.numbers[at] = before + step;
            loss(&model, &samples)
        });
        model.numbers[at] = before;
        let slope = (above - below) / (2.0 * step);
        let error = (slope - gradient[at]).abs();
        assert!(error < 1e-6 + 1e-5 * slope.abs(), "{at}: {slope} {}", gradient[at]);
        checked += usize::from(slope.abs() > 1e-4);
    }
    assert!(checked > 300, "{checked}");
}

/// Samples of games go through by their differences, each alone from nothing.
#[test]
fn together_samples_of_games_give_the_sum_of_each_alone() {
    let model = Model::<f64, K, N>::random(3);
    let samples = &crate::train::learner::tests::dataset().learned[..2 * BLOCK + 50];
    let (expected_loss, expected) = gradient(&model, samples, InstructionSet::detect());
    let mut sums = vec![0.0; expected.len()];
    let mut loss = 0.0;
    for sample in samples {
        let (own_loss, own) =
            gradient(&model, std::slice::from_ref(sample), InstructionSet::BASELINE);
        loss += own_loss;
        sums.iter_mut().zip(own).for_each(|(sum, slope)| *sum += slope);
    }
    assert!((loss - expected_loss).abs() < 1e-9);
    let most =
        sums.iter().zip(&expected).map(|(sum, slope)| (sum - slope).abs()).fold(0.0, f64::max);
    assert!(most < 1e-9 && sums.iter().any(|sum| sum.abs() > 1e-3), "{most}");
}

#[test]
fn inputs_that_are_off_have_no_gradient() {
    let model = Model::<f64, K, N>::random(3);
    let samples = samples(40, 5);
    let mut is_on = vec![false; K * koel_eval::network::FEATURES];
    for inputs in samples.iter().flat_map(Sample::inputs::<K>) {
        inputs.numbers().iter().for_each(|&number| is_on[usize::from(number)] = true);
    }
    let (_, gradient) = gradient(&model, &samples, InstructionSet::BASELINE);
    let rows = gradient[..Model::<f64, K, N>::LAYOUT.start].chunks(N);
    for (row, is_on) in rows.zip(is_on) {
        assert_eq!(row.iter().any(|&slope| slope != 0.0), is_on);
    }
}

#[test]
fn every_level_gives_the_same_bits() {
    let model = Model::<f32, K, N>::random(3);
    let samples = samples(300, 4);
    let expected = gradient(&model, &samples, InstructionSet::BASELINE);
    for level in InstructionSet::all() {
        assert_eq!(gradient(&model, &samples, level), expected, "{}", level.name());
    }
}
