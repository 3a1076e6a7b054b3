//! The vector instructions of the machine: detected once, used for whole kernels.
#![allow(unsafe_code, reason = "calls of functions compiled for more than the baseline")]

#[cfg(target_arch = "x86_64")]
mod avx2;

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
            {
                sets.push(InstructionSet(Kind::Avx512));
            }
        }
        sets
    }

    /// Returns the instruction set for the network on this machine. AVX-512 is left out: at these
    /// sizes it gains nothing over AVX2.
    #[must_use]
    pub fn detect() -> InstructionSet {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            return InstructionSet(Kind::Avx2);
        }
        InstructionSet::BASELINE
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
            // SAFETY: this instruction set is only created where AVX-512 F, BW and VL were
            // detected.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { run_avx512(kernel) },
        }
    }

    /// Returns [`AccumulatorRow::screlu_dot`]. It has an AVX2 version written by hand, because
    /// compilers use only half the width of the vectors.
    #[inline(always)]
    #[must_use]
    pub(super) fn screlu_dot<const N: usize>(
        self,
        neurons: &AccumulatorRow<N>,
        weights: &AccumulatorRow<N>,
        max: i16,
    ) -> i32 {
        match self.0 {
            Kind::Baseline => neurons.screlu_dot(weights, max),
            // SAFETY: these instruction sets are only created where AVX2 was detected.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 | Kind::Avx512 => unsafe { avx2::screlu_dot(neurons, weights, max) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn run_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

#[cfg(test)]
mod tests;
