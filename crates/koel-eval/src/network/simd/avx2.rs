//! Kernels written for AVX2, where that was measured to be faster.

use std::arch::x86_64::{
    __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_add_epi32,
    _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_load_si256, _mm256_madd_epi16,
    _mm256_max_epi16, _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16,
    _mm256_setzero_si256,
};

use super::super::row::AccumulatorRow;

/// Numbers of 16 bits in a vector.
const LANES: usize = 16;

/// Returns [`AccumulatorRow::screlu_dot`].
#[target_feature(enable = "avx2")]
pub(super) fn screlu_dot<const N: usize>(
    neurons: &AccumulatorRow<N>,
    weights: &AccumulatorRow<N>,
    max: i16,
) -> i32 {
    let (zero, max) = (_mm256_setzero_si256(), _mm256_set1_epi16(max));
    // Two independent sums, so that neither waits for the other.
    let mut sums = [zero; 2];
    for at in (0..N).step_by(2 * LANES) {
        for (half, sum) in sums.iter_mut().enumerate() {
            let at = at + half * LANES;
            let clipped = _mm256_max_epi16(_mm256_min_epi16(vector(neurons, at), max), zero);
            let weighted = _mm256_mullo_epi16(clipped, vector(weights, at));
            *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(weighted, clipped));
        }
    }
    let sum = _mm256_add_epi32(sums[0], sums[1]);
    let four = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
    let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
    _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two)))
}

/// Loads the vector at an index, which must be a multiple of [`LANES`] and in range.
#[inline]
#[target_feature(enable = "avx2")]
fn vector<const N: usize>(row: &AccumulatorRow<N>, at: usize) -> __m256i {
    let values: &[i16] = &row.0[at..][..LANES];
    debug_assert!(values.as_ptr().cast::<__m256i>().is_aligned());
    // SAFETY: the slice has the length of a vector; rows are aligned to 64 bytes, and the offset
    // is a multiple of 32.
    unsafe { _mm256_load_si256(values.as_ptr().cast()) }
}
