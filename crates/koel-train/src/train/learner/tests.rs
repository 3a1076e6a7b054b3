use std::sync::OnceLock;

use koel_eval::Evaluation;

use super::*;
use crate::distinct::Distinct;
use crate::player::Player;
use crate::self_game::play_game;
use crate::selfplay::Settings;
use crate::train::dataset::Selection;

/// A few thousand positions of own games; every tenth game is held out.
pub(crate) fn dataset() -> &'static Dataset {
    static DATASET: OnceLock<Dataset> = OnceLock::new();
    DATASET.get_or_init(|| {
        // One-sided games too: from a few thousand positions little but material can be learned.
        let settings = Settings {
            soft_nodes: 20,
            sane_score: 600,
            sane_nodes: 50,
            wide_share: 0.0,
            win_score: 2_000,
            ..Settings::default()
        };
        let mut player = Player::new(1, Evaluation::default()).unwrap();
        let games = (0..500).map(|number| play_game(&mut player, &settings.terms(), 8, number));
        let selection = Selection { held_out: 0.1, ..Selection::default() };
        let mut dataset = Dataset::default();
        let distinct = Distinct::new();
        games.for_each(|game| dataset.take(&game, &selection, &distinct).unwrap());
        dataset
    })
}

fn alone() -> Workforce {
    Workforce { threads: 1, level: InstructionSet::detect() }
}

/// A model that has learned a little.
pub(crate) fn quick_model() -> Model<f32, 1, 64> {
    let plan = Plan { epochs: 12, batch: 64, ..Plan::default() };
    learn(Model::random(1), dataset(), &plan, alone(), &mut |_, _, _| ()).model
}

#[test]
fn the_same_seed_gives_the_same_weights_with_any_workforce() {
    let plan = Plan { epochs: 2, batch: 500, ..Plan::default() };
    let weights = |workforce: Workforce, plan: &Plan| {
        let model = Model::<f32, 1, 64>::random(plan.seed);
        learn(model, dataset(), plan, workforce, &mut |_, _, _| ()).model.to_bytes()
    };
    let expected = weights(alone(), &plan);
    for threads in [1, 2, 3, 4, 9] {
        assert!(weights(Workforce { threads, ..alone() }, &plan) == expected, "{threads} threads");
    }
    for level in InstructionSet::all() {
        assert!(weights(Workforce { threads: 2, level }, &plan) == expected, "{}", level.name());
    }
    assert!(weights(alone(), &Plan { seed: 2, ..plan }) != expected);
}

#[test]
fn a_thousand_positions_can_be_learned_by_heart() {
    let learned = dataset().learned[..1_000].to_vec();
    let few = Dataset { learned, ..Dataset::default() };
    let plan = Plan { epochs: 400, batch: 100, decay: 0.0, ..Plan::default() };
    let losses =
        learn(Model::<f32, 1, 64>::random(1), &few, &plan, alone(), &mut |_, _, _| ()).losses;
    let (first, last) = (losses[0].learned, losses[399].learned);
    assert!(last < 1e-5 && first > 1e-2, "{first} {last}");
}

#[test]
fn what_is_learned_holds_for_what_was_held_out() {
    let model = quick_model();
    let loss = |model: &Model<f32, 1, 64>| mean_loss(model, &dataset().held_out, 0.0, alone());
    let (before, after) = (loss(&Model::random(1)), loss(&model));
    assert!(after < before * 0.8, "{before} {after}");
}
