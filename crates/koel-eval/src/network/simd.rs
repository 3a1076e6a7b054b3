//! The vector instructions of the machine: detected once, used for whole kernels.
#![allow(unsafe_code, reason = "calls of functions compiled for more than the baseline")]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

use super::hidden_layers::{self, GroupWeights, HIDDEN1, HiddenLayers, Products};
use super::row::AccumulatorRow;

/// A computation that is compiled for every [`InstructionSet`].
///
/// `run` and all hot functions that it calls must be `#[inline(always)]`, so that they become part
/// of the function that is compiled for the instruction set. Others are correct, but slower.
pub trait Kernel {
    /// The result.
    type Output;

    /// Runs the computation.
    fn run(self) -> Self::Output;
}

/// A set of vector instructions that this machine has. It cannot be created on one that has not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InstructionSet(Kind);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// The minimum of the architecture: SSE2 or NEON.
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX-512 F, BW, VL and VNNI.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl InstructionSet {
    /// The instructions of every machine of this architecture.
    pub const BASELINE: InstructionSet = InstructionSet(Kind::Baseline);

    /// Returns all instruction sets of this machine, the widest last.
    #[must_use]
    pub fn all() -> Vec<InstructionSet> {
        let mut sets = vec![InstructionSet::BASELINE];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                sets.push(InstructionSet(Kind::Avx2));
            }
            if is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vnni")
            {
                sets.push(InstructionSet(Kind::Avx512));
            }
        }
        sets
    }

    /// Returns the widest instruction set of this machine.
    #[must_use]
    pub fn detect() -> InstructionSet {
        InstructionSet::all().pop().unwrap_or(InstructionSet::BASELINE)
    }

    /// Returns the name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Baseline => "baseline",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "AVX-512",
        }
    }

    /// Runs a kernel with these instructions.
    #[inline(always)]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Kind::Baseline => kernel.run(),
            // SAFETY: this instruction set is only created where AVX2 was detected.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { run_avx2(kernel) },
            // SAFETY: this instruction set is only created where AVX-512 F, BW, VL and VNNI were
            // detected.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { run_avx512(kernel) },
        }
    }

    /// Writes [`hidden_layers::pairwise_products`].
    #[inline(always)]
    pub(super) fn pairwise_products<const N: usize>(
        self,
        rows: [&AccumulatorRow<N>; 2],
        products: &mut Products<N>,
    ) {
        match self.0 {
            Kind::Baseline => hidden_layers::pairwise_products(rows, products),
            // SAFETY: this instruction set is only created where AVX2 was detected.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { avx2::pairwise_products(rows, products) },
            // SAFETY: this instruction set is only created where AVX-512 F, BW, VL and VNNI were
            // detected.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { avx512::pairwise_products(rows, products) },
        }
    }

    /// Returns [`hidden_layers::hidden1_sums`].
    #[inline(always)]
    #[must_use]
    pub(super) fn hidden1_sums<const N: usize>(
        self,
        products: &Products<N>,
        weights: &[GroupWeights],
    ) -> [i32; HIDDEN1] {
        match self.0 {
            Kind::Baseline => hidden_layers::hidden1_sums(products, weights),
            // SAFETY: this instruction set is only created where AVX2 was detected.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { avx2::hidden1_sums(products, weights) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { avx512::hidden1_sums(products, weights) },
        }
    }

    /// Returns [`HiddenLayers::output_of_sums`], which compilers do not vectorise.
    #[inline(always)]
    #[must_use]
    pub(super) fn output_of_sums<const N: usize>(
        self,
        layers: &HiddenLayers<N>,
        sums: &[i32; HIDDEN1],
    ) -> f32 {
        match self.0 {
            Kind::Baseline => layers.output_of_sums(sums),
            // SAFETY: these instruction sets are only created where AVX2 was detected.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 | Kind::Avx512 => unsafe { avx2::output_of_sums(layers, sums) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn run_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

#[cfg(test)]
mod tests;
