//! A network as plain numbers, and the proof that nothing in it can overflow.

use std::num::NonZero;

use super::features::FEATURES;
use super::file::{NetworkError, Shape};
use super::layer::Row;
use super::weights::{Network, OUTPUT_BUCKETS, QA};

/// The numbers of a network in the order of its file, not yet examined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parts {
    /// A row of neurons for each input, in units of 1/[`QA`].
    pub inputs: Vec<i16>,
    /// What the neurons begin with, in the same units.
    pub start: Vec<i16>,
    /// For each output bucket the weights of the side to move, then those of the other, in units
    /// of 1/`qb`.
    pub outputs: Vec<i16>,
    /// What each output bucket begins with, in units of 1/([`QA`] `qb`).
    pub constants: Vec<i32>,
    /// An output weight of 1.0.
    pub qb: i32,
}

/// No position has more pieces.
const MOST_PIECES: usize = 32;

/// Beyond this the constants could take the output out of range.
const MOST_CONSTANT: i32 = 1 << 24;

impl<const K: usize, const N: usize> Network<K, N> {
    /// The network of these numbers.
    ///
    /// # Errors
    /// There are too many or too few of them, or some position could make a sum overflow.
    pub fn from_parts(parts: &Parts) -> Result<Network<K, N>, NetworkError> {
        let shape = Shape::of::<K, N>();
        let counts = [
            (parts.inputs.len(), K * FEATURES * N),
            (parts.start.len(), N),
            (parts.outputs.len(), OUTPUT_BUCKETS * 2 * N),
            (parts.constants.len(), OUTPUT_BUCKETS),
        ];
        if counts.iter().any(|(found, expected)| found != expected) {
            return Err(NetworkError::Counts(shape));
        }
        let qb = parts.refuse_overflow(N)?;
        let mut network = Network::zero();
        let rows = network.inputs.to_mut().iter_mut();
        for (row, numbers) in rows.zip(parts.inputs.chunks_exact(N)) {
            row.0.copy_from_slice(numbers);
        }
        network.start.0.copy_from_slice(&parts.start);
        let rows = network.outputs.iter_mut().flatten();
        for (row, numbers) in rows.zip(parts.outputs.chunks_exact(N)) {
            row.0.copy_from_slice(numbers);
        }
        network.constants.copy_from_slice(&parts.constants);
        network.qb = qb;
        Ok(network)
    }

    /// The numbers of the network.
    #[must_use]
    pub fn to_parts(&self) -> Parts {
        let flat = |rows: &[Row<N>]| rows.iter().flat_map(|row| row.0).collect();
        Parts {
            inputs: flat(&self.inputs),
            start: self.start.0.to_vec(),
            outputs: self.outputs.iter().flatten().flat_map(|row| row.0).collect(),
            constants: self.constants.to_vec(),
            qb: i32::from(self.qb.get()),
        }
    }
}

impl Parts {
    /// By the sums of all weights that could meet. Gives the output scale, which is in range.
    fn refuse_overflow(&self, neurons: usize) -> Result<NonZero<u16>, NetworkError> {
        let qb = u16::try_from(self.qb).ok().and_then(NonZero::new);
        let qb = qb.filter(|qb| qb.get() <= i16::MAX as u16);
        let qb = qb.ok_or(NetworkError::Overflow("the output scale"))?;
        let largest = i32::from(i16::MAX) / i32::from(QA);
        if self.outputs.iter().any(|&weight| i32::from(weight).abs() > largest) {
            return Err(NetworkError::Overflow("an output weight"));
        }
        // Sums may wrap on their way, but not in the end: each sign counts alone.
        let most = i64::from(i32::MAX) / i64::from(QA).pow(2);
        for bucket in self.outputs.chunks_exact(2 * neurons) {
            let sum = |sign: i64| -> i64 {
                bucket.iter().map(|&weight| (sign * i64::from(weight)).max(0)).sum()
            };
            if sum(1).max(sum(-1)) > most {
                return Err(NetworkError::Overflow("the output weights of a bucket"));
            }
        }
        if self.constants.iter().any(|constant| constant.unsigned_abs() > MOST_CONSTANT as u32) {
            return Err(NetworkError::Overflow("an output constant"));
        }
        if (0..neurons).any(|neuron| self.reach(neuron, neurons) > i64::from(i16::MAX)) {
            return Err(NetworkError::Overflow("the inputs of a neuron"));
        }
        Ok(qb)
    }

    /// How far from zero the pieces of any position could take a neuron.
    fn reach(&self, neuron: usize, neurons: usize) -> i64 {
        // A view has its king in one bucket at a time.
        let most = self.inputs.chunks_exact(FEATURES * neurons).map(|bucket| {
            let column = bucket.iter().skip(neuron).step_by(neurons);
            let mut weights: Vec<i64> = column.map(|&weight| i64::from(weight).abs()).collect();
            let cut = weights.len().saturating_sub(MOST_PIECES);
            weights.select_nth_unstable(cut);
            weights[cut..].iter().sum::<i64>()
        });
        i64::from(self.start[neuron]).abs() + most.max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::random_parts;
    use super::*;

    #[test]
    fn parts_come_back() {
        let parts = random_parts::<4, 32>(1);
        assert_eq!(Network::<4, 32>::from_parts(&parts).unwrap().to_parts(), parts);
        assert!(matches!(Network::<1, 32>::from_parts(&parts), Err(NetworkError::Counts(_))));
    }

    #[test]
    fn what_could_overflow_is_refused() {
        let refused = |change: fn(&mut Parts)| {
            let mut parts = random_parts::<1, 32>(1);
            change(&mut parts);
            matches!(Network::<1, 32>::from_parts(&parts), Err(NetworkError::Overflow(_)))
        };
        assert!(!refused(|_| ()));
        assert!(refused(|parts| parts.qb = 0));
        assert!(refused(|parts| parts.outputs[7] = 129));
        assert!(refused(|parts| parts.outputs[7] = i16::MIN));
        assert!(refused(|parts| parts.constants[7] = i32::MIN));
        assert!(refused(|parts| parts.start[3] = i16::MIN));
        // Neuron 5 of 32 inputs may just reach the limit...
        assert!(!refused(|parts| (0..768).for_each(|i| {
            parts.inputs[i * 32 + 5] = if i < 31 {
                1_000
            } else if i == 31 {
                767
            } else {
                0
            };
            parts.start[5] = 1_000;
        })));
        // ...and not go beyond.
        assert!(refused(|parts| (0..768).for_each(|i| {
            parts.inputs[i * 32 + 5] = if i < 31 {
                1_000
            } else if i == 31 {
                768
            } else {
                0
            };
            parts.start[5] = 1_000;
        })));
    }

    #[test]
    fn large_sums_of_outputs_are_refused() {
        let with = |weight| {
            let mut parts = Network::<1, 512>::zero().to_parts();
            parts.outputs[..1024].fill(weight);
            Network::<1, 512>::from_parts(&parts).is_ok()
        };
        assert!(with(32) && with(-32) && !with(33) && !with(-33));
    }
}
