//! Chance that can be repeated.

/// A stream of random numbers that follows from its seed (SplitMix64). Not for secrets.
#[derive(Clone, Debug)]
pub struct Seed(u64);

impl Seed {
    /// The stream of this seed.
    pub fn new(seed: u64) -> Seed {
        Seed(seed)
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

    #[test]
    fn a_seed_repeats_itself() {
        let order = |seed| {
            let mut items: Vec<_> = (0..20).collect();
            Seed::new(seed).shuffle(&mut items);
            items
        };
        assert_eq!(order(7), order(7));
        assert_ne!(order(7), order(8));
        let mut sorted = order(7);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..20).collect::<Vec<_>>());
        let mut seed = Seed::new(1);
        assert!((0..1000).all(|_| seed.below(3) < 3 && seed.fraction() < 1.0));
    }
}
