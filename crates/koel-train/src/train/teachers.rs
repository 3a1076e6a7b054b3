//! Distillation: labels by networks that were trained before, the teachers.
//!
//! The mean of the evaluations of networks with different histories has a smaller error than each
//! of them. A network learns it from the positions with a score, beside that score, and from those
//! without one, of which games have more. (Hinton, Vinyals, Dean, "Distilling the Knowledge in a
//! Neural Network", 2015.)

use std::thread;

use koel_eval::network::simd::Kernel;

use super::compute::ComputeOptions;
use super::dataset::Dataset;
use super::gradient::Predictor;
use super::loss::Loss;
use super::plan::TrainingPlan;
use super::real::Real;
use super::trainable_network::TrainableNetwork;
use super::training_position::TrainingPosition;

/// Samples evaluated by one teacher before the next.
const BLOCK: usize = 1 << 14;

/// Blends the mean evaluation of the teachers, of which there is at least one, into the labels of a
/// dataset; it is the whole label of positions without a score.
pub(crate) fn blend_teachers<F: Real + Send + Sync, const K: usize, const N: usize>(
    dataset: &mut Dataset,
    teachers: &[TrainableNetwork<F, K, N>],
    plan: &TrainingPlan,
    compute: ComputeOptions,
) {
    for samples in [&mut dataset.training, &mut dataset.validation] {
        let part = samples.len().div_ceil(compute.threads.max(1)).max(1);
        thread::scope(|scope| {
            for samples in samples.chunks_mut(part) {
                scope.spawn(move || {
                    for samples in samples.chunks_mut(BLOCK) {
                        compute.instruction_set.run(TeacherPass { teachers, samples, plan });
                    }
                });
            }
        });
    }
}

/// A pass of all teachers over samples.
struct TeacherPass<'a, F, const K: usize, const N: usize> {
    teachers: &'a [TrainableNetwork<F, K, N>],
    samples: &'a mut [TrainingPosition],
    plan: &'a TrainingPlan,
}

impl<F: Real, const K: usize, const N: usize> Kernel for TeacherPass<'_, F, K, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let TeacherPass { teachers, samples, plan } = self;
        let mut sums = vec![F::default(); samples.len()];
        for teacher in teachers {
            let mut predictor = Predictor::new(teacher);
            for (sample, sum) in samples.iter().zip(&mut sums) {
                *sum += sample.for_white(predictor.predict(sample));
            }
        }
        let loss = Loss::of_plan(plan);
        let weight = F::from_f64(1.0 / teachers.len() as f64);
        for (sample, sum) in samples.iter_mut().zip(sums) {
            *sample =
                sample.with_teachers(loss.expected_score(sum * weight), plan.teacher_share, loss);
        }
    }
}

#[cfg(test)]
mod tests {
    use koel_board::Position;

    use super::*;
    use crate::training_game::{GameResult, ScoredMove};

    #[test]
    fn teachers_label_positions_with_and_without_a_score() {
        let sample = |turn: char, white_score| {
            let fen = format!("4k3/8/8/3p4/4P3/8/8/R3K3 {turn} - - 0 9");
            TrainingPosition::new(&Position::from_fen(&fen).unwrap(), white_score, GameResult::Draw)
        };
        let unscored = ScoredMove::NO_SCORE;
        let samples = [
            sample('w', 100),
            sample('b', 100),
            sample('b', 100).with_white_expected(0.75),
            sample('w', unscored),
            sample('b', unscored).with_white_expected(0.75),
        ];
        let [ahead, behind] = [0.25_f64, -0.25].map(Real::sigmoid);
        let searched = [Some(ahead), Some(behind), Some(0.25), None, None];
        let teachers = [1, 2].map(TrainableNetwork::<f64, 1, 64>::random);
        let plan = TrainingPlan { teacher_share: 0.25, wdl_blend: 0.1, ..TrainingPlan::default() };
        let loss = Loss::<f64>::of_plan(&plan);
        for threads in [1, 2, 3] {
            let training = samples.to_vec();
            let mut dataset = Dataset { training, ..Dataset::default() };
            let compute = ComputeOptions::with_threads(threads);
            blend_teachers(&mut dataset, &teachers, &plan, compute);
            for ((before, after), searched) in samples.iter().zip(&dataset.training).zip(searched) {
                let scores = teachers.each_ref().map(|model| Predictor::new(model).predict(before));
                let taught = loss.expected_score(f64::midpoint(scores[0], scores[1]));
                let expected = searched
                    .map_or(taught, |searched| 0.1 * 0.5 + 0.9 * (0.25 * taught + 0.75 * searched));
                assert!((after.label(loss) - expected).abs() < 1e-4, "{before:?}");
            }
        }
    }
}
