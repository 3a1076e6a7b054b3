//! Kernels written for AVX-512 with VNNI.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi32, _mm512_dpbusd_epi32, _mm512_load_si512, _mm512_max_epi16,
    _mm512_min_epi16, _mm512_mulhrs_epi16, _mm512_packus_epi16, _mm512_permutexvar_epi64,
    _mm512_set1_epi16, _mm512_set1_epi32, _mm512_setr_epi64, _mm512_setzero_si512,
    _mm512_slli_epi16, _mm512_storeu_si512,
};

use super::super::hidden_layers::{GROUP, GroupWeights, HIDDEN1, Products};
use super::super::row::{AccumulatorRow, QA};
use super::avx2;

/// Numbers of 16 bits in a vector.
const LANES: usize = 32;

/// Independent sums, so that none waits for another.
const SUMS: usize = 4;

/// Writes the pairwise products of both perspectives. (Returned, they would be copied.)
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
pub(super) fn pairwise_products<const N: usize>(
    rows: [&AccumulatorRow<N>; 2],
    products: &mut Products<N>,
) {
    if !N.is_multiple_of(4 * LANES) {
        return avx2::pairwise_products(rows, products);
    }
    let (zero, max) = (_mm512_setzero_si512(), _mm512_set1_epi16(QA));
    let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    let clipped = |row, at| _mm512_max_epi16(_mm512_min_epi16(vector(row, at), max), zero);
    for (row, products) in rows.into_iter().zip(products.0.chunks_exact_mut(N / 2)) {
        // (a × 32 × b + 2^14) / 2^15 is the rounded a × b / 2^10.
        let product = |at| {
            let [one, other] = [clipped(row, at), clipped(row, at + N / 2)];
            _mm512_mulhrs_epi16(_mm512_slli_epi16::<5>(one), other)
        };
        for (index, products) in products.chunks_exact_mut(2 * LANES).enumerate() {
            let at = index * 2 * LANES;
            let packed = _mm512_packus_epi16(product(at), product(at + LANES));
            // Vectors are packed by parts of 128 bits.
            let ordered = _mm512_permutexvar_epi64(order, packed);
            // SAFETY: the chunk has the length of a vector.
            unsafe { _mm512_storeu_si512(products.as_mut_ptr().cast(), ordered) }
        }
    }
}

/// Returns the sums of the first hidden layer.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
pub(super) fn hidden1_sums<const N: usize>(
    products: &Products<N>,
    weights: &[GroupWeights],
) -> [i32; HIDDEN1] {
    let mut sums = [_mm512_setzero_si512(); SUMS];
    let groups = products.0.as_chunks::<GROUP>().0.as_chunks::<SUMS>().0;
    for (groups, weights) in groups.iter().zip(weights.as_chunks::<SUMS>().0) {
        for ((group, weights), sum) in groups.iter().zip(weights).zip(&mut sums) {
            let inputs = _mm512_set1_epi32(i32::from_le_bytes(*group));
            // SAFETY: the weights of a group are a vector, aligned as one.
            let weights = unsafe { _mm512_load_si512(weights.0.as_ptr().cast()) };
            *sum = _mm512_dpbusd_epi32(*sum, inputs, weights);
        }
    }
    let [a, b, c, d] = sums;
    let sum = _mm512_add_epi32(_mm512_add_epi32(a, b), _mm512_add_epi32(c, d));
    let mut result = [0; HIDDEN1];
    // SAFETY: the array has the length of a vector.
    unsafe { _mm512_storeu_si512(result.as_mut_ptr().cast(), sum) }
    result
}

/// Loads the vector at an index, which must be a multiple of [`LANES`] and in range.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn vector<const N: usize>(row: &AccumulatorRow<N>, at: usize) -> __m512i {
    let values: &[i16] = &row.0[at..][..LANES];
    debug_assert!(values.as_ptr().cast::<__m512i>().is_aligned());
    // SAFETY: the slice has the length of a vector; rows are aligned to 64 bytes, and the offset
    // is a multiple of 64.
    unsafe { _mm512_load_si512(values.as_ptr().cast()) }
}
