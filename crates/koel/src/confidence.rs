//! How sure a search is of its move: what it gives back of its time, or asks for more.

use koel_board::Move;
use koel_search::Report;

/// What the last iterations say about the best move.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Confidence {
    best: Option<Move>,
    /// For how many iterations the best move has been the same.
    iterations: u32,
    /// The share of the nodes that were searched behind it, 0 to 1.
    effort: f64,
    /// By how many centipawns the score has fallen below that of the iterations before.
    drop: f64,
    /// The mean of the scores so far, the later ones counting more.
    mean: Option<f64>,
}

impl Confidence {
    /// Notes a complete iteration.
    pub(crate) fn note(&mut self, report: &Report<'_>) {
        let best = report.pv.first().copied();
        self.iterations = if best == self.best { self.iterations + 1 } else { 0 };
        self.best = best;
        self.effort = report.move_nodes as f64 / report.nodes.max(1) as f64;
        let score = f64::from(report.score.centipawns());
        let mean = self.mean.unwrap_or(score);
        self.drop = mean - score;
        self.mean = Some((mean + score) / 2.0);
    }

    /// What the time for a move is multiplied with: more while the best move changes, while others
    /// take many nodes to refute, and when the score falls. (Best-move stability; node time
    /// management; falling evaluation.)
    pub(crate) fn factor(&self) -> f64 {
        const STABILITY: [f64; 7] = [1.8, 1.4, 1.15, 1.0, 0.9, 0.8, 0.75];
        let stability = STABILITY[(self.iterations as usize).min(STABILITY.len() - 1)];
        let effort = 1.5 - 0.8 * self.effort.clamp(0.0, 1.0);
        let trend = (1.0 + self.drop / 120.0).clamp(0.85, 1.4);
        stability * effort * trend
    }
}

#[cfg(test)]
mod tests {
    use koel_search::{Bound, Depth, Score};

    use super::*;

    fn note(confidence: &mut Confidence, m: u16, score: i32, move_nodes: u64) -> f64 {
        confidence.note(&Report {
            multi_pv: 1,
            depth: Depth(1),
            selective_depth: 1,
            score: Score::from_centipawns(score),
            bound: Bound::Exact,
            pv: &[Move::from_bits(m)],
            nodes: 1000,
            move_nodes,
        });
        confidence.factor()
    }

    #[test]
    fn a_stable_move_takes_less_time() {
        let mut confidence = Confidence::default();
        let unstable = note(&mut confidence, 1, 20, 600);
        let mut last = unstable;
        for _ in 0..20 {
            let now = note(&mut confidence, 1, 20, 600);
            assert!(now <= last);
            last = now;
        }
        assert!(last < 1.0 && unstable > 1.0);
        assert_eq!(note(&mut confidence, 2, 20, 600), unstable);
    }

    #[test]
    fn doubts_take_more_time() {
        let settled = |score, move_nodes| {
            let mut confidence = Confidence::default();
            for _ in 0..10 {
                note(&mut confidence, 1, 20, 600);
            }
            note(&mut confidence, 1, score, move_nodes)
        };
        let usual = settled(20, 600);
        assert!(settled(20, 100) > usual && settled(20, 950) < usual);
        assert!(settled(-60, 600) > usual && settled(60, 600) < usual);
        assert!(settled(-30_000, 0) < 2.0);
    }
}
