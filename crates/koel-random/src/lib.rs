#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]
#![no_std]

/// A deterministic random number generator: SplitMix64.
///
/// The stream follows from the seed alone and stays the same in every version. Not suitable for
/// cryptography. Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
/// 2014.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// Creates a generator from a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// Creates the generator of one numbered stream of a seed, such as one game of a self-play run
    /// or one epoch of a training run. Different streams are independent of each other.
    #[must_use]
    pub const fn for_stream(seed: u64, stream: u64) -> Rng {
        let mut outer = Rng(seed);
        let mut inner = Rng(stream ^ outer.next_u64());
        Rng(inner.next_u64())
    }

    /// Returns the next number of the stream, uniform over all 64-bit values.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a uniform number below `limit`, or 0 if `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        // Lemire's multiplication without its rejection step: the bias is at most `limit` in 2^64.
        ((u128::from(self.next_u64()) * limit as u128) >> 64) as usize
    }

    /// Returns a uniform number in `0.0..1.0`, with 53 random bits.
    pub fn next_f64(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Shuffles the items (Fisher-Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// Returns the FNV-1a hash of the bytes: 64 bits that are the same on every machine and in every
/// version. Not suitable for cryptography, or against input that is made to collide.
///
/// Source: Fowler, Noll and Vo, <https://www.rfc-editor.org/rfc/rfc9923>.
pub fn fnv1a<'a>(bytes: impl IntoIterator<Item = &'a u8>) -> u64 {
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_definition() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }

    /// The first numbers of the seed 1234567, as printed by the generator's authors.
    #[test]
    fn the_stream_is_splitmix64() {
        let mut rng = Rng::new(1_234_567);
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(expected.map(|_| rng.next_u64()), expected);
    }

    #[test]
    fn a_seed_repeats_its_stream_and_streams_differ() {
        let order = |mut rng: Rng| {
            let mut items: [u32; 20] = core::array::from_fn(|index| index as u32);
            rng.shuffle(&mut items);
            items
        };
        assert_eq!(order(Rng::for_stream(7, 1)), order(Rng::for_stream(7, 1)));
        let others =
            [Rng::for_stream(7, 2), Rng::for_stream(8, 1), Rng::for_stream(1, 7), Rng::new(7)];
        assert!(others.into_iter().all(|other| order(other) != order(Rng::for_stream(7, 1))));
        let mut rng = Rng::new(1);
        assert!((0..1000).all(|_| rng.below(3) < 3 && rng.next_f64() < 1.0));
    }
}
