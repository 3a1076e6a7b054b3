//! Which inputs come on and go off from one sample of a block to the next.

use koel_eval::network::{FEATURES, Perspective};

use super::BLOCK;
use crate::train::real::Real;
use crate::train::sample::{Board, MOST_PIECES, Sample};

/// An input that comes on or goes off.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Change(u16);

/// Above all numbers of inputs.
const GOES_OFF: u16 = 1 << 15;
const COMES_ON: u16 = 0;

impl Change {
    #[inline(always)]
    pub(super) fn input(self) -> usize {
        usize::from(self.0 & !GOES_OFF)
    }

    /// 1 if it comes on, -1 if it goes off.
    #[inline(always)]
    pub(super) fn sign<F: Real>(self) -> F {
        F::of(if self.0 & GOES_OFF == 0 { 1.0 } else { -1.0 })
    }
}

/// A sample in one view.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    /// What came on, and what went off, since the sample before; nothing for the first.
    changes: [Change; 2 * MOST_PIECES],
    count: usize,
    /// All that is on, as changes from nothing: only where it is wanted.
    anew: [Change; MOST_PIECES],
    pieces: usize,
    /// Whether the way from nothing is shorter.
    pub(super) is_fresh: bool,
}

impl Seen {
    const NOTHING: Seen = Seen {
        changes: [Change(0); 2 * MOST_PIECES],
        count: 0,
        anew: [Change(0); MOST_PIECES],
        pieces: 0,
        is_fresh: false,
    };

    /// All that is on, of the last sample of a block.
    #[inline(always)]
    pub(super) fn inputs(&self) -> &[Change] {
        &self.anew[..self.pieces]
    }

    /// From the sample before to this one.
    #[inline(always)]
    pub(super) fn changes(&self) -> &[Change] {
        &self.changes[..self.count]
    }

    /// The shorter way to this one: from the sample before, or from nothing.
    #[inline(always)]
    pub(super) fn steps(&self) -> &[Change] {
        if self.is_fresh { self.inputs() } else { self.changes() }
    }

    #[inline(always)]
    fn push(&mut self, input: u16, sign: u16) {
        self.changes[self.count % (2 * MOST_PIECES)] = Change(input | sign);
        self.count += 1;
    }

    /// Notes what differs on these squares, seen in the same way.
    #[inline(always)]
    fn compare(&mut self, view: Perspective, boards: [&Board; 2], squares: &[u8]) {
        for (board, sign) in boards.into_iter().zip([COMES_ON, GOES_OFF]) {
            for seen in squares.iter().filter_map(|&square| board.seen(square)) {
                self.push(view.feature(seen) as u16, sign);
            }
        }
    }

    /// Notes what differs where the king's move changed the view: all but what the other board has
    /// on the mirrored square, if that is the same input.
    #[inline(always)]
    fn compare_views(&mut self, side: usize, boards: [&Board; 2]) {
        let [here, before] = boards;
        for (board, other, sign) in [(here, before, COMES_ON), (before, here, GOES_OFF)] {
            let (view, other_view) = (board.views[side], other.views[side]);
            for &square in board.occupied(&mut [0; 64]) {
                let Some(seen) = board.seen(square) else { continue };
                let input = view.feature(seen);
                let mirrored = square ^ 7;
                let is_shared = board.has(square, other, mirrored)
                    && other.seen(mirrored).is_some_and(|seen| other_view.feature(seen) == input);
                if !is_shared {
                    self.push(input as u16, sign);
                }
            }
        }
    }

    /// Notes all that is on.
    #[inline(always)]
    fn list(&mut self, view: Perspective, board: &Board) {
        let mut room = [0; 64];
        let all = board.occupied(&mut room).iter().filter_map(|&square| board.seen(square));
        for (change, seen) in self.anew.iter_mut().zip(all) {
            *change = Change(view.feature(seen) as u16);
        }
    }
}

/// The samples of one block in both views.
#[derive(Clone, Debug)]
pub(super) struct Changes {
    /// White's and Black's.
    views: [Vec<Seen>; 2],
    /// Samples of the block.
    len: usize,
}

impl Changes {
    pub(super) fn new<const K: usize>() -> Changes {
        const { assert!(K * FEATURES <= GOES_OFF as usize, "numbers of inputs have 15 bits") };
        let view = || vec![Seen::NOTHING; BLOCK];
        Changes { views: [view(), view()], len: 0 }
    }

    #[inline(always)]
    pub(super) fn views(&self) -> [&[Seen]; 2] {
        self.views.each_ref().map(|view| &view[..self.len])
    }

    /// Finds the changes of a block.
    #[inline(always)]
    pub(super) fn list<const K: usize>(&mut self, block: &[Sample]) {
        self.len = block.len();
        let mut before: Option<Board> = None;
        let mut room = [0; 64];
        for (at, sample) in block.iter().enumerate() {
            let here = sample.board::<K>();
            let squares = match &before {
                Some(board) => here.differing(board, &mut room),
                None => &[],
            };
            for (side, view) in self.views.iter_mut().enumerate() {
                let seen = &mut view[at];
                (seen.count, seen.pieces) = (0, sample.piece_count());
                match &before {
                    None => {}
                    Some(board) if board.views[side] == here.views[side] => {
                        seen.compare(here.views[side], [&here, board], squares);
                    }
                    Some(board) => seen.compare_views(side, [&here, board]),
                }
                seen.is_fresh = before.is_none() || seen.count > seen.pieces;
                if seen.is_fresh || at + 1 == block.len() {
                    seen.list(here.views[side], &here);
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
    use crate::train::learner::tests::dataset;

    #[test]
    fn every_way_leads_to_what_is_on() {
        let samples = &dataset().learned[..BLOCK];
        let mut changes = Changes::new::<4>();
        let mut steps = 0;
        // Twice, since the room is used again.
        for _ in 0..2 {
            changes.list::<4>(samples);
            for (side, view) in changes.views().into_iter().enumerate() {
                let mut expected = samples.iter().map(|sample| {
                    let inputs =
                        sample.inputs::<4>()[side ^ usize::from(!sample.is_white_to_move())];
                    BTreeSet::from_iter(inputs.numbers().to_vec())
                });
                let mut on = BTreeSet::new();
                for seen in view {
                    if seen.is_fresh {
                        on.clear();
                    }
                    for change in seen.steps() {
                        let is_new = change.sign::<f64>() > 0.0;
                        let input = change.input() as u16;
                        assert!(if is_new { on.insert(input) } else { on.remove(&input) });
                    }
                    assert_eq!(on, expected.next().unwrap());
                    steps += seen.steps().len();
                }
            }
        }
        assert!(steps < 4 * BLOCK * 8, "{steps} steps: hardly fewer than pieces");
    }
}
