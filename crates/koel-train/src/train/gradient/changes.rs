//! Which inputs come on and go off from one sample of a block to the next.

use super::BLOCK;
use crate::train::real::Real;
use crate::train::sample::{Inputs, MOST_PIECES, Sample};

/// An input that comes on or goes off.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Change(u16);

/// Above all numbers of inputs.
const GOES_OFF: u16 = 1 << 15;

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
    inputs: Inputs,
    /// What came on, and what went off, since the sample before; nothing for the first.
    changes: [Change; 2 * MOST_PIECES],
    count: usize,
    /// All that is on, as changes from nothing, if that is less.
    anew: [Change; MOST_PIECES],
    /// Whether it is less.
    pub(super) is_fresh: bool,
}

impl Seen {
    fn new(inputs: Inputs) -> Seen {
        let mut anew = [Change::default(); MOST_PIECES];
        for (change, &number) in anew.iter_mut().zip(inputs.numbers()) {
            *change = Change(number);
        }
        let changes = [Change::default(); 2 * MOST_PIECES];
        Seen { inputs, changes, count: 0, anew, is_fresh: false }
    }

    /// All that is on.
    #[inline(always)]
    pub(super) fn inputs(&self) -> &[u16] {
        self.inputs.numbers()
    }

    /// From the sample before to this one.
    #[inline(always)]
    pub(super) fn changes(&self) -> &[Change] {
        &self.changes[..self.count]
    }

    /// The shorter way to this one: from the sample before, or from nothing.
    #[inline(always)]
    pub(super) fn steps(&self) -> &[Change] {
        if self.is_fresh { &self.anew[..self.inputs.numbers().len()] } else { self.changes() }
    }

    #[inline(always)]
    fn push(&mut self, change: Change) {
        self.changes[self.count] = change;
        self.count += 1;
    }
}

/// The samples of one block in both views.
#[derive(Clone, Debug)]
pub(super) struct Changes {
    /// White's and Black's.
    views: [Vec<Seen>; 2],
    /// For each input, the last sample that it was on in, counted from 1.
    last_on: Vec<u16>,
}

const _: () = assert!(BLOCK < u16::MAX as usize);

impl Changes {
    /// For so many inputs.
    pub(super) fn new(inputs: usize) -> Changes {
        assert!(inputs <= usize::from(GOES_OFF), "numbers of inputs have 15 bits");
        let view = || Vec::with_capacity(BLOCK);
        Changes { views: [view(), view()], last_on: vec![0; inputs] }
    }

    #[inline(always)]
    pub(super) fn views(&self) -> &[Vec<Seen>; 2] {
        &self.views
    }

    /// Finds the changes of a block.
    #[inline(always)]
    pub(super) fn list<const K: usize>(&mut self, block: &[Sample]) {
        self.views.iter_mut().for_each(Vec::clear);
        for sample in block {
            let [ours, theirs] = sample.inputs::<K>();
            let both = if sample.is_white_to_move() { [ours, theirs] } else { [theirs, ours] };
            for (view, inputs) in self.views.iter_mut().zip(both) {
                view.push(Seen::new(inputs));
            }
        }
        for view in &mut self.views {
            self.last_on.fill(0);
            for at in 0..view.len() {
                let (before, rest) = view.split_at_mut(at);
                compare(before.last(), &mut rest[0], at as u16, &mut self.last_on);
            }
        }
    }
}

/// Notes what has changed since the sample before, the one with this number.
#[inline(always)]
fn compare(before: Option<&Seen>, here: &mut Seen, number: u16, last_on: &mut [u16]) {
    let inputs = here.inputs;
    for &input in inputs.numbers() {
        let last = &mut last_on[usize::from(input)];
        if before.is_some() && *last != number {
            here.push(Change(input));
        }
        *last = number + 1;
    }
    for &input in before.map_or(&[][..], Seen::inputs) {
        if last_on[usize::from(input)] != number + 1 {
            here.push(Change(input | GOES_OFF));
        }
    }
    here.is_fresh = before.is_none() || here.count > inputs.numbers().len();
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::train::learner::tests::dataset;

    #[test]
    fn every_way_leads_to_what_is_on() {
        let samples = &dataset().learned[..BLOCK];
        let mut changes = Changes::new(4 * koel_eval::network::FEATURES);
        let mut steps = 0;
        // Twice, since the room is used again.
        for _ in 0..2 {
            changes.list::<4>(samples);
            for view in changes.views() {
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
                    assert!(on.iter().eq(&seen.inputs().iter().copied().collect::<BTreeSet<_>>()));
                    steps += seen.steps().len();
                }
            }
        }
        assert!(steps < 4 * BLOCK * 8, "{steps} steps: hardly fewer than pieces");
    }
}
