use koel_board::Position;
use koel_eval::network::simd::InstructionSet;
use koel_random::Rng;

use super::*;
use crate::train::real::Real;

const K: usize = 4;
const N: usize = 64;

/// Returns positions of random games with random labels.
fn samples(count: usize, seed: u64) -> Vec<TrainingPosition> {
    let mut rng = Rng::new(seed);
    let mut samples = Vec::new();
    while samples.len() < count {
        let mut position = Position::start();
        for _ in 0..rng.below(120) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[rng.below(moves.len())]);
        }
        samples.push(TrainingPosition::new(&position, rng.next_f64() as f32));
    }
    samples
}

fn loss(model: &TrainableNetwork<f64, K, N>, samples: &[TrainingPosition]) -> f64 {
    let mut scratch = ScratchBuffers::new::<N>();
    GradientPass { model, samples, loss: Loss::new(250.0), scratch: &mut scratch, gradient: None }
        .run()
}

fn gradient<F: Real>(
    model: &TrainableNetwork<F, K, N>,
    samples: &[TrainingPosition],
    instruction_set: InstructionSet,
) -> (f64, Vec<F>) {
    let mut scratch = ScratchBuffers::new::<N>();
    let mut gradient = vec![F::default(); model.weights.len()];
    let loss = Loss::new(250.0);
    let gradients = Some(&mut gradient[..]);
    let pass = GradientPass { model, samples, loss, scratch: &mut scratch, gradient: gradients };
    (instruction_set.run(pass), gradient)
}

/// Changes weights of the model a little in both directions.
#[test]
fn gradients_equal_finite_differences() {
    let mut model = TrainableNetwork::<f64, K, N>::random(3);
    // More than a block, and not a whole number of blocks.
    let samples = samples(BLOCK + 17, 1);
    let (_, gradient) = gradient(&model, &samples, InstructionSet::BASELINE);
    let layout = TrainableNetwork::<f64, K, N>::LAYOUT;
    let mut rng = Rng::new(2);
    let some =
        (0..4_000).map(|_| rng.below(layout.feature_biases)).filter(|&at| gradient[at] != 0.0);
    let mut places: Vec<usize> = some.take(300).collect();
    assert_eq!(places.len(), 300);
    places.extend(layout.feature_biases..layout.len);
    let mut checked = 0;
    for at in places {
        let before = model.weights[at];
        let step = 1e-6;
        let [above, below] = [step, -step].map(|step| {
            model.weights[at] = before + step;
            loss(&model, &samples)
        });
        model.weights[at] = before;
        let slope = (above - below) / (2.0 * step);
        let error = (slope - gradient[at]).abs();
        assert!(error < 1e-6 + 1e-5 * slope.abs(), "{at}: {slope} {}", gradient[at]);
        checked += usize::from(slope.abs() > 1e-4);
    }
    assert!(checked > 300, "{checked}");
}

/// Compares samples processed in blocks with each sample processed alone.
#[test]
fn the_gradient_is_the_sum_over_the_samples() {
    let model = TrainableNetwork::<f64, K, N>::random(3);
    let samples = &crate::train::trainer::tests::dataset().training[..2 * BLOCK + 50];
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
fn inactive_features_have_no_gradient() {
    let model = TrainableNetwork::<f64, K, N>::random(3);
    let samples = samples(40, 5);
    let mut is_active = vec![false; K * koel_eval::network::FEATURES];
    for features in samples.iter().flat_map(TrainingPosition::features::<K>) {
        features.indices().iter().for_each(|&feature| is_active[usize::from(feature)] = true);
    }
    let (_, gradient) = gradient(&model, &samples, InstructionSet::BASELINE);
    let rows = gradient[..TrainableNetwork::<f64, K, N>::LAYOUT.feature_biases].chunks(N);
    for (row, is_active) in rows.zip(is_active) {
        assert_eq!(row.iter().any(|&slope| slope != 0.0), is_active);
    }
}

#[test]
fn every_instruction_set_gives_the_same_bits() {
    let model = TrainableNetwork::<f32, K, N>::random(3);
    let samples = samples(300, 4);
    let expected = gradient(&model, &samples, InstructionSet::BASELINE);
    for instruction_set in InstructionSet::all() {
        assert_eq!(
            gradient(&model, &samples, instruction_set),
            expected,
            "{}",
            instruction_set.name()
        );
    }
}
