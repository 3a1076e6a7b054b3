//! Vectors aligned to cache lines.

use std::ops::{Deref, DerefMut};

/// Bytes of a cache line, and of the widest SIMD vectors.
const LINE: usize = 64;

/// A vector of fixed length that begins at a cache line. Where values are read and written in
/// place, as in gradients, a SIMD vector that crosses two lines costs twice.
#[derive(Debug)]
pub(crate) struct AlignedVec<F> {
    buffer: Vec<F>,
    start: usize,
    len: usize,
}

impl<F: Copy + Default> AlignedVec<F> {
    /// Creates a vector of this many zeros.
    pub(crate) fn zeros(len: usize) -> AlignedVec<F> {
        let buffer = vec![F::default(); len + LINE / size_of::<F>()];
        // The offset may be unknown; then the values are not aligned.
        let start = buffer.as_ptr().align_offset(LINE).min(buffer.len() - len);
        AlignedVec { buffer, start, len }
    }
}

impl<F: Copy + Default> FromIterator<F> for AlignedVec<F> {
    fn from_iter<I: IntoIterator<Item = F>>(numbers: I) -> AlignedVec<F> {
        let numbers: Vec<F> = numbers.into_iter().collect();
        let mut aligned = AlignedVec::zeros(numbers.len());
        aligned.copy_from_slice(&numbers);
        aligned
    }
}

impl<F> Deref for AlignedVec<F> {
    type Target = [F];

    #[inline(always)]
    fn deref(&self) -> &[F] {
        &self.buffer[self.start..][..self.len]
    }
}

impl<F> DerefMut for AlignedVec<F> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [F] {
        &mut self.buffer[self.start..][..self.len]
    }
}

impl<F: Clone> Clone for AlignedVec<F> {
    fn clone(&self) -> AlignedVec<F> {
        let mut buffer: Vec<F> = Vec::with_capacity(self.buffer.len());
        let start = buffer.as_ptr().align_offset(LINE).min(self.buffer.len() - self.len);
        buffer.extend_from_slice(&self.buffer[..start]);
        buffer.extend_from_slice(self);
        buffer.resize_with(self.buffer.len(), || self.buffer[0].clone());
        AlignedVec { buffer, start, len: self.len }
    }
}

impl<F: PartialEq> PartialEq for AlignedVec<F> {
    fn eq(&self, other: &AlignedVec<F>) -> bool {
        **self == **other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_aligned_and_equal() {
        for len in [0, 1, 63, 1_000] {
            let numbers: AlignedVec<f32> = (0..len).map(|number| number as f32).collect();
            let copy = numbers.clone();
            assert_eq!(copy, numbers);
            assert_eq!(copy.len(), len as usize);
            for row in [&numbers, &copy] {
                assert_eq!(row.as_ptr() as usize % LINE, 0);
            }
        }
        assert!(AlignedVec::<f64>::zeros(9).iter().all(|&number| number == 0.0));
    }
}
