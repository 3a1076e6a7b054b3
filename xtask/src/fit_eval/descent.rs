//! The way down: from weights to better weights.

use koel_eval::tuning::Values;

use super::games::Sample;

/// What is aimed at.
pub(crate) struct Goal {
    /// How fast the expected result grows with the worth; in 1 / centipawns.
    pub(crate) steepness: f32,
    /// How much of the goal is the result of the game; the rest is what the search expected.
    pub(crate) result_share: f32,
}

impl Goal {
    /// The result that a worth in centipawns promises, from 0 to 1.
    pub(crate) fn expected(&self, worth: f32) -> f32 {
        1.0 / (1.0 + (-self.steepness * worth).exp())
    }

    fn of(&self, sample: &Sample) -> f32 {
        let searched = self.expected(sample.score);
        self.result_share * sample.result + (1.0 - self.result_share) * searched
    }
}

/// The mean of the squared differences between goal and promise.
pub(crate) fn error(samples: &[Sample], values: &Values, goal: &Goal) -> f64 {
    let squares = samples.iter().map(|sample| {
        let difference = goal.of(sample) - goal.expected(sample.features.worth(values));
        f64::from(difference * difference)
    });
    squares.sum::<f64>() / samples.len() as f64
}

/// The steepness under which the worths promise the results best.
pub(crate) fn fitted_steepness(samples: &[Sample], values: &Values) -> f32 {
    let error_at = |steepness| error(samples, values, &Goal { steepness, result_share: 1.0 });
    let (mut low, mut high) = (0.0005_f32, 0.03_f32);
    // The error has one valley, so a third can go each time.
    for _ in 0..20 {
        let third = (high - low) / 3.0;
        if error_at(low + third) < error_at(high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    f32::midpoint(low, high)
}

/// How an epoch goes.
pub(crate) struct Schedule {
    /// About so many centipawns a step.
    pub(crate) rate: f32,
    /// Centipawns by which a small weight may well be wrong at the start; large ones more.
    pub(crate) doubt: f32,
}

/// Positions of a game tell much the same: so many are worth one.
const ALIKE: f32 = 10.0;

/// The variance of results around what the worth promises.
const RESIDUE: f32 = 0.125;

/// A weight that is so large is twice as doubtful as one of zero.
const DOUBLE_DOUBT: f32 = 50.0;

/// Positions for each step.
const BATCH: usize = 8192;

const MOMENTUM: f32 = 0.9;
const SQUARE_MOMENTUM: f32 = 0.999;

/// Steps down the slope, each weight with a stride of its own. (Adam, Kingma and Ba 2014.)
pub(crate) struct Descent {
    start: Values,
    mean: Values,
    square: Values,
    steps: i32,
}

impl Descent {
    pub(crate) fn new(values: &Values) -> Descent {
        let zeros = values.clone().map(|half| vec![0.0; half.len()]);
        Descent { start: values.clone(), mean: zeros.clone(), square: zeros, steps: 0 }
    }

    /// Sees every sample once. Samples of all games mix in a batch, since it takes one of each
    /// stretch.
    pub(crate) fn epoch(
        &mut self,
        samples: &[Sample],
        values: &mut Values,
        goal: &Goal,
        schedule: &Schedule,
    ) {
        let batches = samples.len().div_ceil(BATCH);
        // The slope of the logarithm of the prior, in the units of the summed slopes of a batch.
        let pull = ALIKE * RESIDUE / (goal.steepness * schedule.doubt.powi(2) * batches as f32);
        for batch in 0..batches {
            let mut slope = values.clone().map(|half| vec![0.0; half.len()]);
            for sample in samples.iter().skip(batch).step_by(batches) {
                let promise = goal.expected(sample.features.worth(values));
                let factor = (promise - goal.of(sample)) * promise * (1.0 - promise);
                sample.features.add_slope(values, factor, &mut slope);
            }
            self.pull_back(values, pull, &mut slope);
            self.step(values, &slope, schedule.rate);
        }
    }

    /// Weights that seldom count stay near where they were: a prior, with a spread that grows with
    /// the weight.
    fn pull_back(&self, values: &Values, pull: f32, slope: &mut Values) {
        for half in 0..2 {
            for (weight, slope) in slope[half].iter_mut().enumerate() {
                let start = self.start[half][weight];
                let doubt = 1.0 + start.abs() / DOUBLE_DOUBT;
                *slope += pull * (values[half][weight] - start) / doubt.powi(2);
            }
        }
    }

    fn step(&mut self, values: &mut Values, slope: &Values, rate: f32) {
        self.steps += 1;
        let bias = 1.0 - MOMENTUM.powi(self.steps);
        let square_bias = 1.0 - SQUARE_MOMENTUM.powi(self.steps);
        for half in 0..2 {
            for (weight, value) in values[half].iter_mut().enumerate() {
                let here = slope[half][weight];
                let mean = &mut self.mean[half][weight];
                let square = &mut self.square[half][weight];
                *mean = MOMENTUM * *mean + (1.0 - MOMENTUM) * here;
                *square = SQUARE_MOMENTUM * *square + (1.0 - SQUARE_MOMENTUM) * here * here;
                let stride = (*mean / bias) / ((*square / square_bias).sqrt() + 1e-8);
                *value -= rate * stride;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use koel_board::Position;
    use koel_eval::tuning::{self, Features};

    use super::*;

    fn sample(fen: &str, result: f32) -> Sample {
        let features = Features::new(&Position::from_fen(fen).unwrap());
        Sample { features, result, score: 0.0, is_held_out: false }
    }

    #[test]
    fn the_error_falls() {
        let samples = [
            sample("4k3/pppp4/8/8/8/8/PPPP4/1N2K3 w - - 0 1", 0.0),
            sample("4k3/pppp4/8/8/8/8/PPPP4/2B1K3 w - - 0 1", 1.0),
            sample("1r2k3/pppp4/8/8/8/8/PPPP4/2B1K3 w - - 0 1", 0.0),
        ];
        let goal = Goal { steepness: 0.005, result_share: 1.0 };
        let mut values = tuning::values();
        let before = error(&samples, &values, &goal);
        let mut descent = Descent::new(&values);
        for _ in 0..300 {
            descent.epoch(&samples, &mut values, &goal, &Schedule { rate: 1.0, doubt: 1000.0 });
        }
        assert!(error(&samples, &values, &goal) < before / 4.0);
    }

    #[test]
    fn the_steepness_is_found() {
        let values = tuning::values();
        let goal = Goal { steepness: 0.004, result_share: 1.0 };
        let mut samples = Vec::new();
        for fen in ["4k3/p7/8/8/8/8/PPP5/4K3 w - - 0 1", "4k3/ppp5/8/8/8/8/P7/2R1K3 w - - 0 1"] {
            let mut found = sample(fen, 0.0);
            found.result = goal.expected(found.features.worth(&values));
            samples.push(found);
        }
        assert!((fitted_steepness(&samples, &values) - 0.004).abs() < 0.0001);
    }
}
