//! Time-management factors: the soft limit shrinks when the search is sure of its move and grows
//! when it is not.

use koel_board::Move;
use koel_search::Report;
use koel_search::params::time_management;

/// Statistics of the last iterations, from which the factors are computed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TimeFactors {
    best_move: Option<Move>,
    /// The number of iterations since the best move changed.
    stable_iterations: u32,
    /// The share of all nodes that were searched below the best move, 0 to 1.
    best_move_effort: f64,
    /// The drop of the score below its running average, in centipawns.
    score_drop: f64,
    /// The running average of the scores: each new one counts half.
    average_score: Option<f64>,
    /// The distance of the score from the static evaluation, in centipawns; `None` where one of
    /// them is missing or decided.
    complexity: Option<f64>,
}

impl TimeFactors {
    /// Updates the statistics after a complete iteration.
    pub(crate) fn update(&mut self, report: &Report<'_>) {
        let best_move = report.pv.first().copied();
        self.stable_iterations =
            if best_move == self.best_move { self.stable_iterations + 1 } else { 0 };
        self.best_move = best_move;
        self.best_move_effort = report.move_nodes as f64 / report.nodes.max(1) as f64;
        let score = f64::from(report.score.centipawns());
        let average_score = self.average_score.unwrap_or(score);
        self.score_drop = average_score - score;
        self.average_score = Some((average_score + score) / 2.0);
        let static_eval = report.static_eval.filter(|_| !report.score.is_decided());
        self.complexity = static_eval.map(|eval| (score - f64::from(eval.centipawns())).abs());
    }

    /// Returns the factor of the soft time limit: above 1 while the best move changes (best-move
    /// stability), while the other moves take many nodes to refute (node time management), when
    /// the score falls (falling evaluation), and when it is far from the static evaluation
    /// (complexity).
    pub(crate) fn factor(&self) -> f64 {
        let factors = [
            time_management::stability_0(),
            time_management::stability_1(),
            time_management::stability_2(),
            time_management::stability_3(),
            time_management::stability_4(),
            time_management::stability_5(),
            time_management::stability_6(),
        ];
        let stability = percent(factors[(self.stable_iterations as usize).min(factors.len() - 1)]);
        let effort = percent(time_management::effort_base())
            - percent(time_management::effort_slope()) * self.best_move_effort.clamp(0.0, 1.0);
        let trend = 1.0 + self.score_drop / f64::from(time_management::trend_centipawns());
        let [min, max] = [time_management::min_trend(), time_management::max_trend()].map(percent);
        stability * effort.max(0.0) * trend.clamp(min, max) * self.complexity_factor()
    }

    /// The factor of the distance between score and static evaluation.
    fn complexity_factor(&self) -> f64 {
        self.complexity.map_or(1.0, |distance| {
            growing_factor(
                distance,
                percent(time_management::complexity_base()),
                f64::from(time_management::complexity_centipawns()),
                percent(time_management::max_complexity()),
            )
        })
    }
}

/// A factor of `base` at no distance, 1 more for each `unit` of it, and at most `max`.
fn growing_factor(distance: f64, base: f64, unit: f64, max: f64) -> f64 {
    (base + distance / unit).min(max)
}

fn percent(percent: i32) -> f64 {
    f64::from(percent) / 100.0
}

#[cfg(test)]
mod tests {
    use koel_search::{Bound, Depth, Score};

    use super::*;

    fn update(factors: &mut TimeFactors, m: u16, score: i32, move_nodes: u64) -> f64 {
        factors.update(&Report {
            multi_pv: 1,
            depth: Depth(1),
            selective_depth: 1,
            score: Score::from_centipawns(score),
            bound: Bound::Exact,
            static_eval: None,
            pv: &[Move::from_bits(m)],
            nodes: 1000,
            move_nodes,
        });
        factors.factor()
    }

    #[test]
    fn a_stable_move_takes_less_time() {
        let mut factors = TimeFactors::default();
        let unstable = update(&mut factors, 1, 20, 600);
        let mut last = unstable;
        for _ in 0..20 {
            let now = update(&mut factors, 1, 20, 600);
            assert!(now <= last);
            last = now;
        }
        assert!(last < 1.0 && unstable > 1.0);
        assert_eq!(update(&mut factors, 2, 20, 600), unstable);
    }

    #[test]
    fn uncertainty_takes_more_time() {
        let settled = |score, move_nodes| {
            let mut factors = TimeFactors::default();
            for _ in 0..10 {
                update(&mut factors, 1, 20, 600);
            }
            update(&mut factors, 1, score, move_nodes)
        };
        let baseline = settled(20, 600);
        assert!(settled(20, 100) > baseline && settled(20, 950) < baseline);
        assert!(settled(-60, 600) > baseline && settled(60, 600) < baseline);
        assert!(settled(-30_000, 0) < 2.0);
    }

    #[test]
    fn complexity_grows_with_the_distance_up_to_its_limit() {
        let factor = |distance| growing_factor(distance, 0.8, 250.0, 1.3);
        assert!((factor(0.0) - 0.8).abs() < 1e-9 && (factor(50.0) - 1.0).abs() < 1e-9);
        assert!((factor(2_000.0) - 1.3).abs() < 1e-9);
        // A score or evaluation that is missing changes nothing.
        assert!((TimeFactors::default().complexity_factor() - 1.0).abs() < 1e-9);
    }
}
