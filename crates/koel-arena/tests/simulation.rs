//! Simulated matches: the error rates of the sequential test.

use koel_arena::statistics::{Decision, EloModel, Pentanomial, Sprt, expected_score};
use koel_random::Rng;

const MATCHES: u32 = 1_000;
/// `alpha = beta = 0.05` promises 950; three standard deviations are 21.
const AT_LEAST: u32 = 930;
const DRAWS: f64 = 0.45;

/// Simulates one game and returns its half points.
fn game(rng: &mut Rng, score: f64) -> usize {
    let chance = rng.next_f64();
    let win = score - DRAWS / 2.0;
    if chance < win {
        2
    } else if chance < win + DRAWS {
        1
    } else {
        0
    }
}

fn decide(sprt: &Sprt, rng: &mut Rng, score: f64) -> Decision {
    let mut pairs = Pentanomial::default();
    for _ in 0..100_000 {
        pairs.add(game(rng, score) + game(rng, score));
        let decision = sprt.decide(&pairs);
        if decision != Decision::Open {
            return decision;
        }
    }
    Decision::Open
}

/// Returns the mean score of a game for a difference in normalized Elo.
fn score_of_normalized(elo: f64) -> f64 {
    let difference = elo * 10f64.ln() / 800.0;
    let excess = |score: f64| {
        let win = score - DRAWS / 2.0;
        let variance = win + DRAWS / 4.0 - score * score;
        (score - 0.5) / variance.sqrt() - difference
    };
    let (mut low, mut high) = (0.3, 0.7);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        *(if excess(middle) < 0.0 { &mut low } else { &mut high }) = middle;
    }
    low
}

fn right_decisions(model: EloModel, is_elo1: bool) -> u32 {
    let sprt = Sprt { model, ..Sprt::new(0.0, 30.0) };
    let (elo, right) =
        if is_elo1 { (sprt.elo1, Decision::AcceptElo1) } else { (sprt.elo0, Decision::AcceptElo0) };
    let score = match model {
        EloModel::Logistic => expected_score(elo),
        EloModel::Normalized => score_of_normalized(elo),
    };
    let mut rng = Rng::new(2024);
    let decisions = (0..MATCHES).map(|_| decide(&sprt, &mut rng, score));
    decisions.filter(|&decision| decision == right).count() as u32
}

#[test]
fn most_decisions_are_right() {
    for model in [EloModel::Normalized, EloModel::Logistic] {
        for is_elo1 in [false, true] {
            let right = right_decisions(model, is_elo1);
            println!("{model:?}, elo1 is true: {is_elo1}: {right} of {MATCHES}");
            assert!(right >= AT_LEAST, "{model:?} {is_elo1}: {right}");
        }
    }
}
