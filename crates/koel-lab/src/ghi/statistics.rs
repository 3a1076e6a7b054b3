//! Intervals of 95 % for counts and node ratios.

use serde::Serialize;

/// The standard deviations of an interval of 95 %.
const DEVIATIONS: f64 = 1.96;

/// A share of independent trials, with its Wilson interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Share {
    pub(crate) count: u64,
    pub(crate) total: u64,
    /// The lower limit of the interval, from 0 to 1.
    pub(crate) low: f64,
    /// The upper limit of the interval, from 0 to 1.
    pub(crate) high: f64,
}

impl Share {
    /// `count` of `total` trials; without a trial the interval is 0 to 1.
    pub(crate) fn of(count: u64, total: u64) -> Share {
        if total == 0 {
            return Share { count, total, low: 0.0, high: 1.0 };
        }
        let (trials, square) = (total as f64, DEVIATIONS * DEVIATIONS);
        let share = count as f64 / trials;
        let middle = share + square / (2.0 * trials);
        let half =
            DEVIATIONS * (share * (1.0 - share) / trials + square / (4.0 * trials * trials)).sqrt();
        let scale = 1.0 + square / trials;
        let limit = |limit: f64| (limit / scale).clamp(0.0, 1.0);
        Share { count, total, low: limit(middle - half), high: limit(middle + half) }
    }

    /// The share in per cent with its interval: `0.40 (0.25 to 0.65)`.
    pub(crate) fn percent(&self) -> String {
        let share = 100.0 * self.count as f64 / self.total.max(1) as f64;
        format!("{share:.2} ({:.2} to {:.2})", 100.0 * self.low, 100.0 * self.high)
    }
}

/// The geometric mean of node ratios, with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct NodeRatio {
    pub(crate) mean: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl NodeRatio {
    /// The ratios of the nodes of the same positions in two trials. Without a position it is 1.
    pub(crate) fn of(own: &[u64], other: &[u64]) -> NodeRatio {
        let logarithms: Vec<f64> = own
            .iter()
            .zip(other)
            .map(|(&own, &other)| (own.max(1) as f64 / other.max(1) as f64).ln())
            .collect();
        let count = logarithms.len().max(1) as f64;
        let mean = logarithms.iter().sum::<f64>() / count;
        let squares = logarithms.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        let error = DEVIATIONS * (squares / (count - 1.0).max(1.0) / count).sqrt();
        NodeRatio { mean: mean.exp(), low: (mean - error).exp(), high: (mean + error).exp() }
    }

    /// The ratio with its interval: `0.812 (0.805 to 0.819)`.
    pub(crate) fn text(&self) -> String {
        format!("{:.3} ({:.3} to {:.3})", self.mean, self.low, self.high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_intervals_are_those_of_the_textbook() {
        let share = Share::of(10, 100);
        assert!((share.low - 0.0552).abs() < 1e-4 && (share.high - 0.1744).abs() < 1e-4);
        let none = Share::of(0, 1000);
        assert!(none.low == 0.0 && (none.high - 0.003_827).abs() < 1e-5, "{none:?}");
        assert_eq!(Share::of(1, 200).percent(), "0.50 (0.09 to 2.78)");
        assert_eq!((Share::of(0, 0).low, Share::of(0, 0).high), (0.0, 1.0));
    }

    #[test]
    fn node_ratios_have_a_geometric_mean() {
        let ratio = NodeRatio::of(&[100, 400, 50], &[100, 100, 200]);
        assert!((ratio.mean - 1.0).abs() < 1e-12 && (ratio.low * ratio.high - 1.0).abs() < 1e-12);
        let halves = NodeRatio::of(&[50; 9], &[100; 9]);
        assert_eq!(halves.text(), "0.500 (0.500 to 0.500)");
        assert!((NodeRatio::of(&[], &[]).mean - 1.0).abs() < 1e-12);
    }
}
