//! Effects by least squares.

/// The effect of a change: the mean of wins less losses a game, and its standard error.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Effect {
    pub(crate) mean: f64,
    pub(crate) error: f64,
}

/// The slope of Elo near equality: a mean of wins less losses of `x` is a score of (1 + x) / 2, of
/// which the logistic function makes 400 / ln 10 * 2 x.
const ELO: f64 = 800.0 / std::f64::consts::LN_10;

impl Effect {
    /// The effect in Elo and its error (95 %).
    pub(crate) fn elo(self) -> (f64, f64) {
        (ELO * self.mean, 1.96 * ELO * self.error)
    }
}

/// Fits the effects to observations: the signs of all changes, 1 or -1, and the result. Returns
/// nothing while there are too few. (Ordinary least squares by the normal equations.)
pub(crate) fn fit(observations: &[(Vec<f64>, f64)]) -> Option<Vec<Effect>> {
    let changes = observations.first()?.0.len();
    let mut matrix = vec![vec![0.0; changes]; changes];
    let mut right = vec![0.0; changes];
    for (signs, result) in observations {
        for (row, sign) in signs.iter().enumerate() {
            right[row] += sign * result;
            for (entry, other) in matrix[row].iter_mut().zip(signs) {
                *entry += sign * other;
            }
        }
    }
    let inverse = inverse(matrix)?;
    let dot = |row: &[f64], column: &[f64]| row.iter().zip(column).map(|(a, b)| a * b).sum::<f64>();
    let means: Vec<f64> = inverse.iter().map(|row| dot(row, &right)).collect();
    let freedom = observations.len().checked_sub(changes).filter(|&freedom| freedom > 0)?;
    let squares = observations.iter().map(|(signs, result)| (result - dot(signs, &means)).powi(2));
    let variance = squares.sum::<f64>() / freedom as f64;
    let error = |at: usize| (variance * inverse[at][at]).sqrt();
    Some(means.iter().enumerate().map(|(at, &mean)| Effect { mean, error: error(at) }).collect())
}

/// Inverts a symmetric positive definite matrix by elimination; `None` if it is not regular.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    for (at, row) in matrix.iter_mut().enumerate() {
        row.extend((0..size).map(|column| f64::from(u8::from(column == at))));
    }
    for at in 0..size {
        let pivot = matrix[at][at];
        if pivot < 1e-6 {
            return None;
        }
        matrix[at].iter_mut().for_each(|entry| *entry /= pivot);
        let line = matrix[at].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|&(row, _)| row != at) {
            let factor = row[at];
            row.iter_mut().zip(&line).for_each(|(entry, value)| *entry -= factor * value);
        }
    }
    Some(matrix.into_iter().map(|row| row[size..].to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use koel_random::Rng;

    use super::*;

    /// Pairs of games whose results follow effects, with noise.
    fn observations(effects: &[f64], pairs: usize, noise: f64) -> Vec<(Vec<f64>, f64)> {
        let mut rng = Rng::new(5);
        let observe = |_| {
            let signs: Vec<f64> =
                effects.iter().map(|_| if rng.next_u64() & 1 == 0 { 1.0 } else { -1.0 }).collect();
            let expected: f64 = signs.iter().zip(effects).map(|(sign, effect)| sign * effect).sum();
            (signs, expected + noise * (2.0 * rng.next_f64() - 1.0))
        };
        (0..pairs).map(observe).collect()
    }

    #[test]
    fn effects_without_noise_are_found_exactly() {
        let effects = [0.1, -0.05, 0.0, 0.3];
        let fitted = fit(&observations(&effects, 30, 0.0)).unwrap();
        for (found, expected) in fitted.iter().zip(effects) {
            assert!((found.mean - expected).abs() < 1e-9 && found.error < 1e-6);
        }
    }

    #[test]
    fn errors_are_those_of_the_noise() {
        let fitted = fit(&observations(&[0.1, -0.05, 0.0], 3_000, 1.0)).unwrap();
        // A uniform distribution from -1 to 1 has a variance of a third.
        let expected = (1.0 / 3.0 / 3_000.0_f64).sqrt();
        for (found, effect) in fitted.iter().zip([0.1, -0.05, 0.0]) {
            assert!((found.error / expected - 1.0).abs() < 0.1, "{}", found.error / expected);
            assert!((found.mean - effect).abs() < 4.0 * expected);
        }
    }

    #[test]
    fn elo_is_that_of_the_score() {
        let (elo, error) = Effect { mean: 0.02, error: 0.01 }.elo();
        let score: f64 = 0.51;
        let expected = 400.0 * (score / (1.0 - score)).log10();
        assert!((elo / expected - 1.0).abs() < 1e-3, "{elo} {expected}");
        assert!((error / elo - 0.98).abs() < 1e-9);
    }

    #[test]
    fn too_few_pairs_fit_nothing() {
        assert_eq!(fit(&[]), None);
        assert_eq!(fit(&observations(&[0.1, 0.2], 2, 0.0)), None);
    }
}
