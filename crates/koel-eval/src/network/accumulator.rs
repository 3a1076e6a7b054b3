//! The first layer of the line that is being searched, brought up to date when somebody asks.

use std::sync::Arc;

use koel_board::{Color, Position};

use super::cache::Cache;
use super::deltas::Deltas;
use super::features::View;
use super::layer::Row;
use super::simd::{Kernel, Level};
use super::weights::Network;
use crate::Centipawns;

/// A network's first layer for each position of a line, from the root to the present one.
///
/// A move is only noted: [`push`](Self::push) gives the [`Deltas`] that
/// [`Position::play_observed`] fills, [`pop`](Self::pop) forgets them. The additions are done when
/// [`evaluate`](Self::evaluate) asks, for as many plies as are missing; many positions of a search
/// are never asked about. A null move changes no piece and needs neither, though it may have both.
///
/// One thread has one of these.
#[derive(Clone, Debug)]
pub struct AccumulatorStack<const K: usize, const N: usize> {
    network: Arc<Network<K, N>>,
    level: Level,
    frames: Vec<Frame<N>>,
    top: usize,
    cache: Cache<N>,
}

/// A ply: what its move changed, and the accumulators by colour, where they are computed.
#[derive(Clone, Debug)]
struct Frame<const N: usize> {
    rows: [Row<N>; 2],
    is_computed: [bool; 2],
    deltas: Deltas,
}

impl<const N: usize> Frame<N> {
    fn new(deltas: Deltas) -> Frame<N> {
        Frame { rows: [Row::ZERO, Row::ZERO], is_computed: [false; 2], deltas }
    }
}

impl<const K: usize, const N: usize> AccumulatorStack<K, N> {
    /// For a line that begins with this position.
    #[must_use]
    pub fn new(network: Arc<Network<K, N>>, position: &Position) -> AccumulatorStack<K, N> {
        AccumulatorStack::with_level(network, position, Level::detect())
    }

    /// The same, with the instructions of a level. They change nothing but the speed.
    #[must_use]
    pub fn with_level(
        network: Arc<Network<K, N>>,
        position: &Position,
        level: Level,
    ) -> AccumulatorStack<K, N> {
        let cache = Cache::new(&network);
        let frames = vec![Frame::new(Deltas::none(position))];
        AccumulatorStack { network, level, frames, top: 0, cache }
    }

    /// Begins another line, with the same network.
    pub fn restart(&mut self, position: &Position) {
        self.top = 0;
        self.frames[0].deltas = Deltas::none(position);
        self.frames[0].is_computed = [false; 2];
    }

    /// Makes room for so many moves, so that noting them allocates nothing.
    pub fn reserve(&mut self, moves: usize) {
        let deltas = self.frames[0].deltas;
        let frames = self.frames.len().max(moves + 1);
        self.frames.resize_with(frames, || Frame::new(deltas));
    }

    /// The network.
    #[must_use]
    pub fn network(&self) -> &Arc<Network<K, N>> {
        &self.network
    }

    /// Goes one ply further: the move is to be played with what this gives as the observer.
    #[inline]
    pub fn push(&mut self) -> &mut Deltas {
        let deltas = self.frames[self.top].deltas.following();
        self.top += 1;
        if self.top == self.frames.len() {
            self.frames.push(Frame::new(deltas));
        }
        let frame = &mut self.frames[self.top];
        frame.is_computed = [false; 2];
        frame.deltas = deltas;
        &mut frame.deltas
    }

    /// Goes back by one ply.
    ///
    /// # Panics
    /// There is none to go back to.
    #[inline]
    pub fn pop(&mut self) {
        self.top = self.top.checked_sub(1).expect("as many pops as pushes");
    }

    /// What the present position of the line is worth to the side to move.
    ///
    /// The position must be the one that the moves pushed lead to; nothing else is known of it
    /// here. Debug builds panic where the kings do not stand where the moves put them.
    #[inline]
    #[must_use]
    pub fn evaluate(&mut self, position: &Position) -> Centipawns {
        debug_assert!(
            [Color::White, Color::Black]
                .into_iter()
                .all(|color| position.king(color) == self.frames[self.top].deltas.king(color)),
            "{position} is not where the moves lead"
        );
        self.level.run(Evaluate { stack: self, position })
    }

    /// Computes the accumulator of a side at the top.
    #[inline(always)]
    fn bring_up_to_date(&mut self, position: &Position, color: Color) {
        let mut first = self.top;
        while !self.frames[first].is_computed[color as usize] {
            if first == 0 || !self.is_step(first, color) {
                let row = self.cache.refresh(&self.network, position, color);
                let frame = &mut self.frames[self.top];
                frame.rows[color as usize].clone_from(row);
                frame.is_computed[color as usize] = true;
                return;
            }
            first -= 1;
        }
        for ply in first + 1..=self.top {
            self.step(ply, color);
        }
    }

    /// Whether the accumulator of a ply follows from that of the ply before.
    #[inline(always)]
    fn is_step(&self, ply: usize, color: Color) -> bool {
        let [before, after] =
            [ply - 1, ply].map(|at| View::new::<K>(color, self.frames[at].deltas.king(color)));
        before == after && self.frames[ply].deltas.changes().is_some()
    }

    /// Computes the accumulator of a ply from that of the ply before.
    #[inline(always)]
    fn step(&mut self, ply: usize, color: Color) {
        let (before, after) = self.frames.split_at_mut(ply);
        let frame = &mut after[0];
        let from = &before[ply - 1].rows[color as usize];
        let row = &mut frame.rows[color as usize];
        let view = View::new::<K>(color, frame.deltas.king(color));
        let input = |seen| self.network.input(view.feature(seen));
        match frame.deltas.changes() {
            Some((&[added], &[removed])) => {
                row.set_changed(from, [input(added)], [input(removed)]);
            }
            Some((&[added], &[first, second])) => {
                row.set_changed(from, [input(added)], [input(first), input(second)]);
            }
            Some((&[a, b], &[c, d])) => {
                row.set_changed(from, [input(a), input(b)], [input(c), input(d)]);
            }
            Some((added, removed)) => {
                row.clone_from(from);
                added.iter().for_each(|&seen| row.add(input(seen)));
                removed.iter().for_each(|&seen| row.subtract(input(seen)));
            }
            None => debug_assert!(false, "asked for a step that is none"),
        }
        frame.is_computed[color as usize] = true;
    }
}

struct Evaluate<'a, const K: usize, const N: usize> {
    stack: &'a mut AccumulatorStack<K, N>,
    position: &'a Position,
}

impl<const K: usize, const N: usize> Kernel for Evaluate<'_, K, N> {
    type Output = Centipawns;

    #[inline(always)]
    fn run(self) -> Centipawns {
        let (stack, position) = (self.stack, self.position);
        stack.bring_up_to_date(position, Color::White);
        stack.bring_up_to_date(position, Color::Black);
        let turn = position.turn();
        let rows = &stack.frames[stack.top].rows;
        let views = [&rows[turn as usize], &rows[!turn as usize]];
        Centipawns(stack.network.output(stack.level, views, position.occupied().count()))
    }
}

#[cfg(test)]
mod tests;
