//! Rows of numbers and what is done to them: the kernels, written once for all machines.
//!
//! They are plain loops without branches; [`Level`](super::simd::Level) compiles them for the
//! instructions that the machine has. Sums of integers come out the same in any order, so every
//! compilation gives the same bits.

/// One number for each neuron, on a cache line of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Row<const N: usize>(pub [i16; N]);

impl<const N: usize> Row<N> {
    /// All zero.
    pub const ZERO: Row<N> = {
        assert!(N > 0 && N.is_multiple_of(32), "the loops go by 32 neurons");
        Row([0; N])
    };

    /// Rows of these numbers.
    #[must_use]
    pub const fn of<const ROWS: usize>(numbers: [[i16; N]; ROWS]) -> [Row<N>; ROWS] {
        let mut rows = [const { Row::ZERO }; ROWS];
        let mut index = 0;
        while index < ROWS {
            rows[index].0 = numbers[index];
            index += 1;
        }
        rows
    }

    /// `from`, with these rows added and those taken away, in one pass: what a move does.
    #[inline(always)]
    pub fn set_changed<const ADDED: usize, const REMOVED: usize>(
        &mut self,
        from: &Row<N>,
        added: [&Row<N>; ADDED],
        removed: [&Row<N>; REMOVED],
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
    pub fn add(&mut self, row: &Row<N>) {
        for (value, &other) in self.0.iter_mut().zip(&row.0) {
            *value = value.wrapping_add(other);
        }
    }

    /// Takes a row away.
    #[inline(always)]
    pub fn subtract(&mut self, row: &Row<N>) {
        for (value, &other) in self.0.iter_mut().zip(&row.0) {
            *value = value.wrapping_sub(other);
        }
    }

    /// The weighted sum of the neurons, each clipped to 0..=`most` and squared (squared clipped
    /// ReLU).
    ///
    /// `most` times any weight must fit into 16 bits, and the sum into 32: a network is refused
    /// when it could break this.
    #[inline(always)]
    #[must_use]
    pub fn activated_sum(&self, weights: &Row<N>, most: i16) -> i32 {
        let mut sum = 0_i32;
        for index in 0..N {
            let clipped = self.0[index].clamp(0, most);
            // The square would not fit into 16 bits; neuron times weight does.
            let weighted = clipped.wrapping_mul(weights.0[index]);
            sum = sum.wrapping_add(i32::from(weighted) * i32::from(clipped));
        }
        sum
    }
}
