//! The instructions that the machine has: found once, used for whole loops.
#![allow(unsafe_code, reason = "calls of functions that are compiled for more than the baseline")]

#[cfg(target_arch = "x86_64")]
mod avx2;

use super::layer::Row;

/// A piece of work to be compiled for every [`Level`].
///
/// `run` and everything hot in it must be `#[inline(always)]`, so that it ends up inside the
/// function that is compiled for the level; what is not is right all the same, only slower.
pub trait Kernel {
    /// What comes out.
    type Output;

    /// Does the work.
    fn run(self) -> Self::Output;
}

/// A set of vector instructions that this machine has: there is no way to make one that it lacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level(Instructions);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Instructions {
    /// What every machine of the architecture has: SSE2 or NEON.
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// What every machine of this architecture has.
    pub const BASELINE: Level = Level(Instructions::Baseline);

    /// All levels of this machine, the widest last.
    #[must_use]
    pub fn all() -> Vec<Level> {
        let mut levels = vec![Level::BASELINE];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                levels.push(Level(Instructions::Avx2));
            }
            if is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
            {
                levels.push(Level(Instructions::Avx512));
            }
        }
        levels
    }

    /// The level for the network on this machine. AVX-512 is left out: at these sizes it gains
    /// nothing over AVX2.
    #[must_use]
    pub fn detect() -> Level {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            return Level(Instructions::Avx2);
        }
        Level::BASELINE
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Instructions::Baseline => "baseline",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => "AVX-512",
        }
    }

    /// Does the work with the instructions of this level.
    #[inline(always)]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Instructions::Baseline => kernel.run(),
            // SAFETY: this level is only made where the machine was found to have AVX2.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { run_avx2(kernel) },
            // SAFETY: this level is only made where the machine was found to have AVX-512 F, BW
            // and VL.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => unsafe { run_avx512(kernel) },
        }
    }

    /// [`Row::activated_sum`], which compilers turn into half as wide a loop as there could be.
    #[inline(always)]
    #[must_use]
    pub fn activated_sum<const N: usize>(
        self,
        neurons: &Row<N>,
        weights: &Row<N>,
        most: i16,
    ) -> i32 {
        match self.0 {
            Instructions::Baseline => neurons.activated_sum(weights, most),
            // SAFETY: these levels are only made where the machine was found to have AVX2.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 | Instructions::Avx512 => unsafe {
                avx2::activated_sum(neurons, weights, most)
            },
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
