use crate::history::PieceTo;
use crate::steps::prelude::*;

declare! { gains = false; }

impl Search<'_> {
    /// Returns the gain to be expected of a move, in centipawns.
    pub(crate) fn gain(&self, node: &Node<'_>, m: Move) -> i32 {
        let slot = PieceTo::new(node.position, m).index();
        if gains() { i32::from(self.worker.histories.gains[slot]) } else { 0 }
    }

    /// Takes a greater gain over; otherwise the gain fades by a centipawn.
    pub(crate) fn update_gain(&mut self, m: PieceTo, gain: i32) {
        let entry = &mut self.worker.histories.gains[m.index()];
        *entry = (i32::from(*entry) - 1).max(gain.clamp(-1000, 1000)) as i16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn the_greatest_gain_is_kept_and_fades() {
        in_a_node(START_FEN, cut_node(3, 0), |search, node| {
            let m = move_of(node, "e2e4");
            let mut gain = |gain| {
                search.update_gain(PieceTo::new(node.position, m), gain);
                search.gain(node, m)
            };
            assert_eq!(gain(80), 0, "off");
            turn("gains", true);
            assert_eq!([30, 200].map(gain), [79, 200]);
        });
    }
}
