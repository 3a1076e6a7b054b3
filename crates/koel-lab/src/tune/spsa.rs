//! Simultaneous perturbation stochastic approximation (Spall 1992), in the parametrisation that
//! OpenBench and fishtest use.

use koel_random::Rng;

use super::parameter::Parameter;

/// Exponents of the gain sequences, close to the 0.602 and 0.101 of Spall's guidelines (1998).
const ALPHA: f64 = 0.601;
const GAMMA: f64 = 0.102;
/// The stability constant, as a share of all iterations.
const STABILITY: f64 = 0.1;

/// The perturbation of one iteration, and the step that its result causes.
#[derive(Clone, Debug)]
pub(crate) struct Perturbation {
    /// The number of the iteration.
    pub(crate) iteration: u32,
    /// The values of the two sides.
    pub(crate) sides: [Vec<i64>; 2],
    /// Added to the parameters for each game that the first side won, subtracted for each it lost.
    steps: Vec<f64>,
}

/// Returns the perturbation of an iteration, which depends on the seed and its number only.
pub(crate) fn perturb(
    parameters: &[Parameter],
    seed: u64,
    (iteration, iterations): (u32, u32),
) -> Perturbation {
    let mut rng = Rng::new(seed ^ (u64::from(iteration) << 32));
    let mut perturbation = Perturbation { iteration, sides: Default::default(), steps: Vec::new() };
    for parameter in parameters {
        let (c, rate) = gains(parameter, iteration, iterations);
        let flip = if rng.next_u64() & 1 == 0 { 1.0 } else { -1.0 };
        // Options are integers: random rounding keeps their mean.
        let rounding = rng.next_f64();
        for (side, sign) in perturbation.sides.iter_mut().zip([flip, -flip]) {
            let value = (parameter.value + sign * c).clamp(parameter.min, parameter.max);
            side.push((value + rounding).floor().clamp(parameter.min, parameter.max) as i64);
        }
        perturbation.steps.push(rate * c * flip);
    }
    perturbation
}

/// The size of the perturbation and the learning rate of an iteration.
fn gains(parameter: &Parameter, iteration: u32, iterations: u32) -> (f64, f64) {
    let (done, all) = (f64::from(iteration) + 1.0, f64::from(iterations));
    let stability = STABILITY * all;
    let a_end = parameter.r_end * parameter.c_end.powi(2);
    let c = parameter.c_end * (all / done).powf(GAMMA);
    let a = a_end * ((stability + all) / (stability + done)).powf(ALPHA);
    (c, a / c.powi(2))
}

impl Perturbation {
    /// Moves the parameters by the result: wins less losses of the first side.
    pub(crate) fn apply(&self, parameters: &mut [Parameter], result: f64) {
        for (parameter, step) in parameters.iter_mut().zip(&self.steps) {
            let moved = parameter.value + step * result;
            parameter.value = moved.clamp(parameter.min, parameter.max);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters() -> Vec<Parameter> {
        let lines = ["a, int, 20.0, 0.0, 100.0, 5.0, 0.002", "b, int, 3.0, 0.0, 8.0, 0.5, 0.002"];
        lines.iter().map(|line| line.parse().unwrap()).collect()
    }

    #[test]
    fn gains_end_where_the_lines_say() {
        let parameter = &parameters()[0];
        let (c, rate) = gains(parameter, 9_999, 10_000);
        assert!((c - 5.0).abs() < 1e-9 && (rate - 0.002).abs() < 1e-9, "{c} {rate}");
        let (first_c, first_rate) = gains(parameter, 0, 10_000);
        assert!(first_c > c && first_rate * first_c > rate * c, "steps shrink");
    }

    #[test]
    fn sides_lie_around_the_value_in_the_mean() {
        let parameters = parameters();
        let mut sums = [0.0; 2];
        for iteration in 0..4_000 {
            let perturbation = perturb(&parameters, 7, (iteration, 4_000));
            for (sum, index) in sums.iter_mut().zip(0..) {
                let of = |side: usize| perturbation.sides[side][index] as f64;
                *sum += f64::midpoint(of(0), of(1));
                assert!(of(0) >= parameters[index].min && of(1) <= parameters[index].max);
            }
        }
        assert!((sums[0] / 4_000.0 - 20.0).abs() < 0.1 && (sums[1] / 4_000.0 - 3.0).abs() < 0.1);
    }

    /// The values nearer to 60 and 5 win with a higher probability.
    #[test]
    fn the_maximum_of_a_noisy_function_is_found() {
        let mut parameters = parameters();
        for parameter in &mut parameters {
            parameter.r_end = 0.02;
        }
        let mut rng = Rng::new(3);
        let height = |side: &[i64]| {
            let [a, b] = [side[0] as f64, side[1] as f64];
            -((a - 60.0) / 40.0).powi(2) - ((b - 5.0) / 2.0).powi(2)
        };
        for iteration in 0..6_000 {
            let perturbation = perturb(&parameters, 1, (iteration, 6_000));
            let [first, second] = perturbation.sides.each_ref().map(|side| height(side));
            let winning = 1.0 / (1.0 + (second - first).exp());
            let result = if rng.next_f64() < winning { 1.0 } else { -1.0 };
            perturbation.apply(&mut parameters, result);
        }
        let [a, b] = [parameters[0].value, parameters[1].value];
        assert!((a - 60.0).abs() < 12.0 && (b - 5.0).abs() < 1.0, "{a} {b}");
    }
}
