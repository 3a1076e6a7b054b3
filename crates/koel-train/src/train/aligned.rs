//! Numbers in memory, as vectors like them.

use std::ops::{Deref, DerefMut};

/// Bytes of a line of the cache, and of the longest vectors.
const LINE: usize = 64;

/// A row of numbers that begins with a line of the cache. Where lines are read and written in place,
/// as the gradients are, vectors that lie across two of them cost twice.
#[derive(Debug)]
pub struct Aligned<F> {
    room: Vec<F>,
    start: usize,
    len: usize,
}

impl<F: Copy + Default> Aligned<F> {
    /// So many zeros.
    #[must_use]
    pub fn zeros(len: usize) -> Aligned<F> {
        let room = vec![F::default(); len + LINE / size_of::<F>()];
        // The system may refuse to say; then the numbers stand where they stand.
        let start = room.as_ptr().align_offset(LINE).min(room.len() - len);
        Aligned { room, start, len }
    }
}

impl<F: Copy + Default> FromIterator<F> for Aligned<F> {
    fn from_iter<I: IntoIterator<Item = F>>(numbers: I) -> Aligned<F> {
        let numbers: Vec<F> = numbers.into_iter().collect();
        let mut aligned = Aligned::zeros(numbers.len());
        aligned.copy_from_slice(&numbers);
        aligned
    }
}

impl<F> Deref for Aligned<F> {
    type Target = [F];

    #[inline(always)]
    fn deref(&self) -> &[F] {
        &self.room[self.start..][..self.len]
    }
}

impl<F> DerefMut for Aligned<F> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [F] {
        &mut self.room[self.start..][..self.len]
    }
}

impl<F: Clone> Clone for Aligned<F> {
    fn clone(&self) -> Aligned<F> {
        let mut room: Vec<F> = Vec::with_capacity(self.room.len());
        let start = room.as_ptr().align_offset(LINE).min(self.room.len() - self.len);
        room.extend_from_slice(&self.room[..start]);
        room.extend_from_slice(self);
        room.resize_with(self.room.len(), || self.room[0].clone());
        Aligned { room, start, len: self.len }
    }
}

impl<F: PartialEq> PartialEq for Aligned<F> {
    fn eq(&self, other: &Aligned<F>) -> bool {
        **self == **other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_aligned_and_equal() {
        for len in [0, 1, 63, 1_000] {
            let numbers: Aligned<f32> = (0..len).map(|number| number as f32).collect();
            let copy = numbers.clone();
            assert_eq!(copy, numbers);
            assert_eq!(copy.len(), len as usize);
            for row in [&numbers, &copy] {
                assert_eq!(row.as_ptr() as usize % LINE, 0);
            }
        }
        assert!(Aligned::<f64>::zeros(9).iter().all(|&number| number == 0.0));
    }
}
