//! The features that become active or inactive from one sample of a block to the next.

use koel_eval::network::{FEATURES, Perspective};

use crate::train::real::Real;
use crate::train::training_position::{Board, MAX_PIECES, TrainingPosition};

/// Samples processed together.
pub(super) const BLOCK: usize = 128;

/// A feature that becomes active or inactive.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct FeatureChange(u16);

/// The bit of a feature that becomes inactive, above all feature indices.
const REMOVED: u16 = 1 << 15;
const ADDED: u16 = 0;

impl FeatureChange {
    #[inline(always)]
    pub(super) fn feature(self) -> usize {
        usize::from(self.0 & !REMOVED)
    }

    /// Returns 1 for a feature that becomes active, -1 for one that becomes inactive.
    #[inline(always)]
    pub(super) fn sign<F: Real>(self) -> F {
        F::from_f64(if self.0 & REMOVED == 0 { 1.0 } else { -1.0 })
    }
}

/// The feature changes of a sample in one perspective.
#[derive(Clone, Debug)]
pub(super) struct PerspectiveChanges {
    /// The changes since the sample before; none for the first.
    changes: [FeatureChange; 2 * MAX_PIECES],
    count: usize,
    /// All active features as additions; filled only for a refresh and the last sample.
    active: [FeatureChange; MAX_PIECES],
    pieces: usize,
    /// True if the accumulator is computed from the biases, because that takes fewer additions.
    pub(super) is_refresh: bool,
}

impl PerspectiveChanges {
    const EMPTY: PerspectiveChanges = PerspectiveChanges {
        changes: [FeatureChange(0); 2 * MAX_PIECES],
        count: 0,
        active: [FeatureChange(0); MAX_PIECES],
        pieces: 0,
        is_refresh: false,
    };

    /// Returns all active features.
    #[inline(always)]
    pub(super) fn active(&self) -> &[FeatureChange] {
        &self.active[..self.pieces]
    }

    /// Returns the changes since the sample before.
    #[inline(always)]
    pub(super) fn changes(&self) -> &[FeatureChange] {
        &self.changes[..self.count]
    }

    /// Returns the updates of the accumulator: the changes since the sample before, or all features
    /// for a refresh.
    #[inline(always)]
    pub(super) fn updates(&self) -> &[FeatureChange] {
        if self.is_refresh { self.active() } else { self.changes() }
    }

    #[inline(always)]
    fn push(&mut self, feature: u16, sign: u16) {
        self.changes[self.count % (2 * MAX_PIECES)] = FeatureChange(feature | sign);
        self.count += 1;
    }

    /// Adds the changes on these squares, where the perspective is the same.
    #[inline(always)]
    fn compare(&mut self, perspective: Perspective, boards: [&Board; 2], squares: &[u8]) {
        for (board, sign) in boards.into_iter().zip([ADDED, REMOVED]) {
            for piece in squares.iter().filter_map(|&square| board.piece_at(square)) {
                self.push(perspective.feature(piece) as u16, sign);
            }
        }
    }

    /// Adds the changes where a king move changed the perspective: all pieces but those that the
    /// other board has on the mirrored square, if that is the same feature.
    #[inline(always)]
    fn compare_perspectives(&mut self, side: usize, boards: [&Board; 2]) {
        let [here, before] = boards;
        for (board, other, sign) in [(here, before, ADDED), (before, here, REMOVED)] {
            let (perspective, other_perspective) =
                (board.perspectives[side], other.perspectives[side]);
            for &square in board.occupied(&mut [0; 64]) {
                let Some(piece) = board.piece_at(square) else { continue };
                let feature = perspective.feature(piece);
                let mirrored = square ^ 7;
                let is_shared = board.is_same_on(square, other, mirrored)
                    && other
                        .piece_at(mirrored)
                        .is_some_and(|piece| other_perspective.feature(piece) == feature);
                if !is_shared {
                    self.push(feature as u16, sign);
                }
            }
        }
    }

    /// Lists all active features.
    #[inline(always)]
    fn list_active(&mut self, perspective: Perspective, board: &Board) {
        let mut buffer = [0; 64];
        let all = board.occupied(&mut buffer).iter().filter_map(|&square| board.piece_at(square));
        for (change, piece) in self.active.iter_mut().zip(all) {
            *change = FeatureChange(perspective.feature(piece) as u16);
        }
    }
}

/// The feature changes of one block in both perspectives.
#[derive(Clone, Debug)]
pub(super) struct FeatureChanges {
    /// Those of White and of Black.
    perspectives: [Vec<PerspectiveChanges>; 2],
    /// Samples of the block.
    len: usize,
}

impl FeatureChanges {
    pub(super) fn new<const K: usize>() -> FeatureChanges {
        const { assert!(K * FEATURES <= REMOVED as usize, "feature indices have 15 bits") };
        let samples = || vec![PerspectiveChanges::EMPTY; BLOCK];
        FeatureChanges { perspectives: [samples(), samples()], len: 0 }
    }

    #[inline(always)]
    pub(super) fn perspectives(&self) -> [&[PerspectiveChanges]; 2] {
        self.perspectives.each_ref().map(|samples| &samples[..self.len])
    }

    /// Finds the changes of a block.
    #[inline(always)]
    pub(super) fn find<const K: usize>(&mut self, block: &[TrainingPosition]) {
        self.len = block.len();
        let mut before: Option<Board> = None;
        let mut buffer = [0; 64];
        for (at, sample) in block.iter().enumerate() {
            let here = sample.board::<K>();
            let squares = match &before {
                Some(board) => here.differing(board, &mut buffer),
                None => &[],
            };
            for (side, samples) in self.perspectives.iter_mut().enumerate() {
                let changes = &mut samples[at];
                (changes.count, changes.pieces) = (0, sample.piece_count());
                match &before {
                    None => {}
                    Some(board) if board.perspectives[side] == here.perspectives[side] => {
                        changes.compare(here.perspectives[side], [&here, board], squares);
                    }
                    Some(board) => changes.compare_perspectives(side, [&here, board]),
                }
                changes.is_refresh = before.is_none() || changes.count > changes.pieces;
                if changes.is_refresh || at + 1 == block.len() {
                    changes.list_active(here.perspectives[side], &here);
                }
            }
            before = Some(here);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::train::trainer::tests::dataset;

    #[test]
    fn updates_lead_to_the_active_features() {
        let samples = &dataset().training[..BLOCK];
        let mut changes = FeatureChanges::new::<4>();
        let mut updates = 0;
        // Twice, since the buffers are reused.
        for _ in 0..2 {
            changes.find::<4>(samples);
            for (side, perspective) in changes.perspectives().into_iter().enumerate() {
                let mut expected = samples.iter().map(|sample| {
                    let features =
                        sample.features::<4>()[side ^ usize::from(!sample.is_white_to_move())];
                    BTreeSet::from_iter(features.indices().to_vec())
                });
                let mut active = BTreeSet::new();
                for changes in perspective {
                    if changes.is_refresh {
                        active.clear();
                    }
                    for change in changes.updates() {
                        let is_added = change.sign::<f64>() > 0.0;
                        let feature = change.feature() as u16;
                        let is_change =
                            if is_added { active.insert(feature) } else { active.remove(&feature) };
                        assert!(is_change);
                    }
                    assert_eq!(active, expected.next().unwrap());
                    updates += changes.updates().len();
                }
            }
        }
        assert!(updates < 4 * BLOCK * 8, "{updates} updates: hardly fewer than pieces");
    }
}
