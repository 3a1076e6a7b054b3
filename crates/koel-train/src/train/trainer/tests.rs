use std::sync::OnceLock;

use koel_eval::network::simd::InstructionSet;

use super::*;
use crate::kept_positions::SeenPositions;
use crate::phase_values::PhaseValues;
use crate::selfplay_settings::SelfplaySettings;
use crate::testing::play_games;
use crate::train::dataset::DatasetOptions;
use crate::train::network_optimizer::{MAX_HIDDEN1_WEIGHT, MAX_WEIGHT};

/// Returns a few thousand positions of self-play, of which a tenth of the games is for validation.
pub(crate) fn dataset() -> &'static Dataset {
    static DATASET: OnceLock<Dataset> = OnceLock::new();
    DATASET.get_or_init(|| {
        // Uneven games as well: a few thousand positions teach little but material.
        let settings = SelfplaySettings {
            run: 8,
            full_search_share: PhaseValues::Uniform(1.0),
            opening_score_bound: 600,
            wide_opening_share: 0.0,
            win_score: 2_000,
            ..SelfplaySettings::quick()
        };
        let plan = TrainingPlan::default();
        let options = DatasetOptions { validation_share: 0.1, ..DatasetOptions::of_plan(&plan) };
        let mut dataset = Dataset::default();
        let mut seen = SeenPositions::default();
        for game in play_games(&settings, 0..500) {
            dataset.add(&game, &options, &mut seen);
        }
        dataset
    })
}

/// Runs all epochs of a training.
fn train<const K: usize, const N: usize>(
    model: TrainableNetwork<f32, K, N>,
    dataset: &Dataset,
    plan: &TrainingPlan,
    compute: ComputeOptions,
) -> Training<f32, K, N> {
    let mut training = Training::new(model);
    for _ in 0..plan.epochs {
        training.run_epoch(dataset, plan, compute);
    }
    training
}

/// Returns a model after a short training.
pub(crate) fn quick_model() -> TrainableNetwork<f32, 1, 64> {
    let plan = TrainingPlan { epochs: 12, batch_size: 64, ..TrainingPlan::default() };
    train(TrainableNetwork::random(1), dataset(), &plan, ComputeOptions::default()).model
}

#[test]
fn weights_within_the_bounds_can_be_quantised() {
    let is_quantised = |excess: f32| {
        let layout = TrainableNetwork::<f32, 1, 64>::LAYOUT;
        let mut model = TrainableNetwork::<f32, 1, 64>::random(1);
        model.weights.fill(MAX_WEIGHT as f32 + excess);
        let hidden1 = layout.hidden1_weights..layout.hidden1_biases;
        model.weights[hidden1].fill(MAX_HIDDEN1_WEIGHT as f32);
        model.quantised().is_ok()
    };
    assert!(is_quantised(0.0) && !is_quantised(0.01));
}

#[test]
fn the_same_seed_gives_the_same_weights_with_any_threads_and_instruction_set() {
    let plan = TrainingPlan { epochs: 2, batch_size: 500, ..TrainingPlan::default() };
    let weights = |compute: ComputeOptions, plan: &TrainingPlan| {
        let model = TrainableNetwork::<f32, 1, 64>::random(plan.seed);
        train(model, dataset(), plan, compute).model.to_bytes()
    };
    let expected = weights(ComputeOptions::default(), &plan);
    for threads in [1, 2, 3, 4, 9] {
        assert!(
            weights(ComputeOptions { threads, ..ComputeOptions::default() }, &plan) == expected,
            "{threads} threads"
        );
    }
    for instruction_set in InstructionSet::all() {
        assert!(
            weights(ComputeOptions { threads: 2, instruction_set }, &plan) == expected,
            "{}",
            instruction_set.name()
        );
    }
    assert!(weights(ComputeOptions::default(), &TrainingPlan { seed: 2, ..plan }) != expected);
}

#[test]
fn a_thousand_positions_can_be_memorised() {
    let training = dataset().training[..1_000].to_vec();
    let few = Dataset { training, ..Dataset::default() };
    let plan =
        TrainingPlan { epochs: 400, batch_size: 100, weight_decay: 0.0, ..TrainingPlan::default() };
    let model = TrainableNetwork::<f32, 1, 64>::random(1);
    let losses = train(model, &few, &plan, ComputeOptions::default()).losses;
    let (first, last) = (losses[0].training, losses[399].training);
    assert!(last < 1e-5 && first > 1e-2, "{first} {last}");
}

#[test]
fn training_reduces_the_validation_loss() {
    let model = quick_model();
    let loss = |model: &TrainableNetwork<f32, 1, 64>| {
        mean_loss(model, &dataset().validation, Loss::new(400.0), ComputeOptions::default())
            .unwrap()
    };
    let (before, after) = (loss(&TrainableNetwork::random(1)), loss(&model));
    assert!(after < before * 0.8, "{before} {after}");
}
