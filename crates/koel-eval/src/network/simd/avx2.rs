//! What is written for AVX2 because it was measured to pay.

use std::arch::x86_64::{
    __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_add_epi32,
    _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_load_si256, _mm256_madd_epi16,
    _mm256_max_epi16, _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16,
    _mm256_setzero_si256,
};

use super::super::layer::Row;

/// Numbers in a vector.
const LANES: usize = 16;

/// The twin of [`Row::activated_sum`].
#[target_feature(enable = "avx2")]
pub(super) fn activated_sum<const N: usize>(neurons: &Row<N>, weights: &Row<N>, most: i16) -> i32 {
    let (zero, most) = (_mm256_setzero_si256(), _mm256_set1_epi16(most));
    // Two sums, so that one need not wait for the other.
    let mut sums = [zero; 2];
    for at in (0..N).step_by(2 * LANES) {
        for (half, sum) in sums.iter_mut().enumerate() {
            let at = at + half * LANES;
            let clipped = _mm256_max_epi16(_mm256_min_epi16(vector(neurons, at), most), zero);
            let weighted = _mm256_mullo_epi16(clipped, vector(weights, at));
            *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(weighted, clipped));
        }
    }
    let sum = _mm256_add_epi32(sums[0], sums[1]);
    let four = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
    let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
    _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two)))
}

/// The numbers from a multiple of [`LANES`] on, which must be there.
#[inline]
#[target_feature(enable = "avx2")]
fn vector<const N: usize>(row: &Row<N>, at: usize) -> __m256i {
    let numbers: &[i16] = &row.0[at..][..LANES];
    debug_assert!(numbers.as_ptr().cast::<__m256i>().is_aligned());
    // SAFETY: the slice has as many numbers as the vector; a row begins at a multiple of 64 bytes,
    // and the place is a multiple of 32.
    unsafe { _mm256_load_si256(numbers.as_ptr().cast()) }
}
