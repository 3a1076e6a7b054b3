//! Rows of numbers and the kernels on them, written once for all instruction sets.
//!
//! The kernels are plain loops without branches; `simd` compiles them for the instructions that the
//! machine has. Wrapping sums of integers do not depend on the order of the terms, so every
//! compilation gives the same bits.

/// The quantisation factor of the feature transformer: a neuron of 1.0.
pub const QA: i16 = 510;

/// One number for each neuron of a perspective, aligned to a cache line: an accumulator, or the
/// weights of one feature.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct AccumulatorRow<const N: usize>(pub(crate) [i16; N]);

impl<const N: usize> AccumulatorRow<N> {
    /// The row of zeros.
    pub(crate) const ZERO: AccumulatorRow<N> = {
        assert!(N > 0 && N.is_multiple_of(64), "the kernels process 64 neurons at a time");
        AccumulatorRow([0; N])
    };

    /// Converts arrays to rows at compile time.
    #[must_use]
    pub(crate) const fn from_arrays<const ROWS: usize>(
        arrays: [[i16; N]; ROWS],
    ) -> [AccumulatorRow<N>; ROWS] {
        let mut rows = [const { AccumulatorRow::ZERO }; ROWS];
        let mut index = 0;
        while index < ROWS {
            rows[index].0 = arrays[index];
            index += 1;
        }
        rows
    }

    /// Sets the row to `from` plus the added rows less the removed ones, in one pass: the fused
    /// update of a move.
    #[inline(always)]
    pub(super) fn update_from<const ADDED: usize, const REMOVED: usize>(
        &mut self,
        from: &AccumulatorRow<N>,
        added: [&AccumulatorRow<N>; ADDED],
        removed: [&AccumulatorRow<N>; REMOVED],
    ) {
        for index in 0..N {
            let mut value = from.0[index];
            for row in added {
                value = value.wrapping_add(row.0[index]);
            }
            for row in removed {
                value = value.wrapping_sub(row.0[index]);
            }
            self.0[index] = value;
        }
    }

    /// Adds a row.
    #[inline(always)]
    pub(super) fn add(&mut self, row: &AccumulatorRow<N>) {
        for (value, &other) in self.0.iter_mut().zip(&row.0) {
            *value = value.wrapping_add(other);
        }
    }

    /// Subtracts a row.
    #[inline(always)]
    pub(super) fn subtract(&mut self, row: &AccumulatorRow<N>) {
        for (value, &other) in self.0.iter_mut().zip(&row.0) {
            *value = value.wrapping_sub(other);
        }
    }
}
