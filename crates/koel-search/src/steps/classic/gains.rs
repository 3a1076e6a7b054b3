use crate::history::PieceTo;

declare! {
    switches {
        /// The gain of a quiet move in static evaluation, seen before, is added to its futility margin.
        gains = false;
    }
}

/// Gains: the greatest recent change of static evaluation by a quiet move of each piece and
/// destination, in centipawns.
#[derive(Clone, Debug)]
pub(crate) struct Gains([i16; PieceTo::COUNT]);

impl Gains {
    pub(crate) fn new() -> Gains {
        Gains([0; PieceTo::COUNT])
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill(0);
    }

    /// The gain to be expected of a move, in centipawns; 0 while the switch is off.
    #[inline]
    pub(crate) fn of(&self, m: PieceTo) -> i32 {
        if gains() { i32::from(self.0[m.index()]) } else { 0 }
    }

    /// Takes a greater gain over; otherwise the gain fades by a centipawn.
    #[inline]
    pub(crate) fn update(&mut self, m: PieceTo, gain: i32) {
        let entry = &mut self.0[m.index()];
        *entry = (i32::from(*entry) - 1).max(gain.clamp(-1000, 1000)) as i16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_gain_is_kept_and_fades() {
        let mut gains = Gains::new();
        let m = PieceTo::NONE;
        gains.update(m, 80);
        gains.update(m, 30);
        assert_eq!(gains.0[m.index()], 79);
        gains.update(m, 200);
        assert_eq!(gains.0[m.index()], 200);
    }
}
