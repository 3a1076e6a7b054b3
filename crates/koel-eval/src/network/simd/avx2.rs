//! Kernels written for AVX2, where that was measured to be faster.

use std::arch::x86_64::{
    __m256, __m256i, _mm_add_ss, _mm_cvtss_f32, _mm256_add_epi32, _mm256_add_ps,
    _mm256_castps256_ps128, _mm256_cvtepi32_ps, _mm256_extractf128_ps, _mm256_hadd_ps,
    _mm256_load_si256, _mm256_loadu_ps, _mm256_loadu_si256, _mm256_madd_epi16,
    _mm256_maddubs_epi16, _mm256_max_epi16, _mm256_max_ps, _mm256_min_epi16, _mm256_min_ps,
    _mm256_mul_ps, _mm256_mulhrs_epi16, _mm256_packus_epi16, _mm256_permute4x64_epi64,
    _mm256_set1_epi16, _mm256_set1_epi32, _mm256_set1_ps, _mm256_setzero_ps, _mm256_setzero_si256,
    _mm256_slli_epi16, _mm256_storeu_ps, _mm256_storeu_si256,
};

use super::super::hidden_layers::{GROUP, GroupWeights, HIDDEN1, HIDDEN2, HiddenLayers, Products};
use super::super::row::{AccumulatorRow, QA};

/// Numbers of 16 bits in a vector.
const LANES: usize = 16;

/// Numbers in floating point in a vector.
const FLOATS: usize = 8;

/// Writes the pairwise products of both perspectives. (Returned, they would be copied.)
#[target_feature(enable = "avx2")]
pub(super) fn pairwise_products<const N: usize>(
    rows: [&AccumulatorRow<N>; 2],
    products: &mut Products<N>,
) {
    let (zero, max) = (_mm256_setzero_si256(), _mm256_set1_epi16(QA));
    let clipped = |row, at| _mm256_max_epi16(_mm256_min_epi16(vector(row, at), max), zero);
    for (row, products) in rows.into_iter().zip(products.0.chunks_exact_mut(N / 2)) {
        // (a × 32 × b + 2^14) / 2^15 is the rounded a × b / 2^10.
        let product = |at| {
            let [one, other] = [clipped(row, at), clipped(row, at + N / 2)];
            _mm256_mulhrs_epi16(_mm256_slli_epi16::<5>(one), other)
        };
        for (index, products) in products.chunks_exact_mut(2 * LANES).enumerate() {
            let at = index * 2 * LANES;
            let packed = _mm256_packus_epi16(product(at), product(at + LANES));
            // Vectors are packed by halves of 128 bits.
            let ordered = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
            // SAFETY: the chunk has the length of a vector.
            unsafe { _mm256_storeu_si256(products.as_mut_ptr().cast(), ordered) }
        }
    }
}

/// Returns the sums of the first hidden layer.
#[target_feature(enable = "avx2")]
pub(super) fn hidden1_sums<const N: usize>(
    products: &Products<N>,
    weights: &[GroupWeights],
) -> [i32; HIDDEN1] {
    let ones = _mm256_set1_epi16(1);
    // Neurons 0 to 7 and 8 to 15, and groups with even and odd numbers, so that no sum waits.
    let mut sums = [[_mm256_setzero_si256(); 2]; 2];
    let groups = products.0.as_chunks::<GROUP>().0.as_chunks::<2>().0;
    for (groups, weights) in groups.iter().zip(weights.as_chunks::<2>().0) {
        for ((group, weights), sums) in groups.iter().zip(weights).zip(&mut sums) {
            let inputs = _mm256_set1_epi32(i32::from_le_bytes(*group));
            let halves = weights.0.as_chunks::<{ HIDDEN1 * GROUP / 2 }>().0;
            for (weights, sum) in halves.iter().zip(sums) {
                // SAFETY: the half has the length of a vector, and the alignment of one.
                let weights = unsafe { _mm256_load_si256(weights.as_ptr().cast()) };
                // No pair saturates: see `MAX_WEIGHT_PAIR`.
                let pairs = _mm256_maddubs_epi16(inputs, weights);
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pairs, ones));
            }
        }
    }
    let mut result = [0; HIDDEN1];
    for (half, result) in result.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let sum = _mm256_add_epi32(sums[0][half], sums[1][half]);
        // SAFETY: the half has the length of a vector.
        unsafe { _mm256_storeu_si256(result.as_mut_ptr().cast(), sum) }
    }
    result
}

/// Returns the output for the sums of the first hidden layer, by the operations of
/// [`HiddenLayers::output_of_sums`] in their order.
#[target_feature(enable = "avx2")]
pub(super) fn output_of_sums<const N: usize>(
    layers: &HiddenLayers<N>,
    sums: &[i32; HIDDEN1],
) -> f32 {
    let mut hidden1 = [0.0; HIDDEN1];
    let sums = sums.as_chunks::<FLOATS>().0.iter();
    let halves = sums.zip(floats(&layers.hidden1_units)).zip(floats(&layers.hidden1_biases));
    for (((sums, units), biases), neurons) in halves.zip(hidden1.as_chunks_mut::<FLOATS>().0) {
        // SAFETY: the half has the length of a vector.
        let sums = unsafe { _mm256_loadu_si256(sums.as_ptr().cast()) };
        let values = _mm256_add_ps(biases, _mm256_mul_ps(_mm256_cvtepi32_ps(sums), units));
        // SAFETY: as above.
        unsafe { _mm256_storeu_ps(neurons.as_mut_ptr(), screlu(values)) }
    }
    let mut hidden2 = [_mm256_setzero_ps(); HIDDEN2 / FLOATS];
    hidden2.iter_mut().zip(floats(&layers.hidden2_biases)).for_each(|(sum, bias)| *sum = bias);
    for (&neuron, weights) in hidden1.iter().zip(&layers.hidden2_weights) {
        let neuron = _mm256_set1_ps(neuron);
        for (sum, weights) in hidden2.iter_mut().zip(floats(weights)) {
            *sum = _mm256_add_ps(*sum, _mm256_mul_ps(neuron, weights));
        }
    }
    let mut lanes = _mm256_setzero_ps();
    for (values, weights) in hidden2.into_iter().zip(floats(&layers.output_weights)) {
        lanes = _mm256_add_ps(lanes, _mm256_mul_ps(screlu(values), weights));
    }
    let pairs = _mm256_hadd_ps(lanes, lanes);
    let fours = _mm256_hadd_ps(pairs, pairs);
    let [low, high] = [_mm256_castps256_ps128(fours), _mm256_extractf128_ps::<1>(fours)];
    layers.output_bias + _mm_cvtss_f32(_mm_add_ss(low, high))
}

/// The squared clipped rectified linear unit.
#[inline]
#[target_feature(enable = "avx2")]
fn screlu(values: __m256) -> __m256 {
    let (zero, one) = (_mm256_setzero_ps(), _mm256_set1_ps(1.0));
    let clipped = _mm256_max_ps(_mm256_min_ps(values, one), zero);
    _mm256_mul_ps(clipped, clipped)
}

/// Loads a list of numbers as vectors.
#[inline]
#[target_feature(enable = "avx2")]
fn floats(list: &[f32]) -> impl Iterator<Item = __m256> {
    // SAFETY: each chunk has the length of a vector.
    list.as_chunks::<FLOATS>().0.iter().map(|eight| unsafe { _mm256_loadu_ps(eight.as_ptr()) })
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
