//! Time-management factors: the soft limit shrinks when the search is sure of its move and grows
//! when it is not.

use koel_board::Move;
use koel_search::Report;
use koel_search::declare;

declare! {
    /// Shares in percent.
    time_management {
        /// The factor of the soft limit when the best move has just changed.
        stability_0 = 180 in 60..=250;
        /// The factor after one more iteration with the same best move...
        stability_1 = 140 in 60..=250;
        /// ...after two...
        stability_2 = 115 in 60..=250;
        /// ...three...
        stability_3 = 100 in 40..=250;
        /// ...four...
        stability_4 = 90 in 40..=250;
        /// ...five...
        stability_5 = 80 in 40..=250;
        /// ...and from six on.
        stability_6 = 75 in 40..=250;
        /// The factor if no nodes were searched below the best move.
        effort_base = 150 in 100..=250;
        /// The decrease of that factor if all nodes were searched below it.
        effort_slope = 80 in 0..=200;
        /// The fall of the score in centipawns that doubles the time, were it not limited.
        trend_centipawns = 120 in 10..=500;
        /// The factor for a rising score, at least.
        min_trend = 85 in 40..=100;
        /// The factor for a falling score, at most.
        max_trend = 140 in 100..=250;
    }
}

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
    }

    /// Returns the factor of the soft time limit: above 1 while the best move changes (best-move
    /// stability), while the other moves take many nodes to refute (node time management), and when
    /// the score falls (falling evaluation).
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
        stability * effort.max(0.0) * trend.clamp(min, max)
    }
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
}
