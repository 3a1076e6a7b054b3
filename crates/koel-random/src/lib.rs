#![doc = include_str!("../README.md")]
#![no_std]

/// A stream of random numbers that follows from its seed. Not for secrets. (SplitMix64: Steele, Lea
/// and Flood, "Fast splittable pseudorandom number generators", 2014.)
#[derive(Clone, Debug)]
pub struct Seed(u64);

impl Seed {
    /// The stream of this seed.
    #[must_use]
    pub fn new(seed: u64) -> Seed {
        Seed(seed)
    }

    /// The stream of one of the many parts of a whole: a game of a run, an epoch of a training.
    #[must_use]
    pub fn of_part(whole: u64, part: u64) -> Seed {
        let mut outer = Seed(whole);
        let mut inner = Seed(part ^ outer.draw());
        Seed(inner.draw())
    }

    /// The next number, any of 64 bits.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`, or 0 when there is none.
    pub fn below(&mut self, limit: usize) -> usize {
        // The bias of the product is `limit` in 2^64.
        ((u128::from(self.draw()) * limit as u128) >> 64) as usize
    }

    /// A number from 0 up to, not including, 1.
    pub fn fraction(&mut self) -> f64 {
        (self.draw() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Brings the items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the seed 1234567 as the generator's authors print them.
    #[test]
    fn it_is_the_generator_it_says() {
        let mut seed = Seed::new(1_234_567);
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(expected.map(|_| seed.draw()), expected);
    }

    #[test]
    fn a_seed_repeats_itself_and_parts_differ() {
        let order = |mut seed: Seed| {
            let mut items: [u32; 20] = core::array::from_fn(|index| index as u32);
            seed.shuffle(&mut items);
            items
        };
        assert_eq!(order(Seed::of_part(7, 1)), order(Seed::of_part(7, 1)));
        let others = [Seed::of_part(7, 2), Seed::of_part(8, 1), Seed::of_part(1, 7), Seed::new(7)];
        assert!(others.into_iter().all(|other| order(other) != order(Seed::of_part(7, 1))));
        let mut seed = Seed::new(1);
        assert!((0..1000).all(|_| seed.below(3) < 3 && seed.fraction() < 1.0));
    }
}
