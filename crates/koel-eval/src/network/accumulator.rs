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
use crate::plies::Plies;

/// A network's first layer for each position of a line, from the root to the present one.
///
/// A move is only noted: [`push`](Self::push) gives the [`Deltas`] that
/// [`Position::play_observed`] fills, [`pop`](Self::pop) forgets them. The additions are done when
/// [`evaluate`](Self::evaluate) asks, for as many plies as are missing; many positions of a search
/// are never asked about. A null move changes no piece and needs neither, though it may have both.
///
/// A line has at most [`LineEvaluator::LONGEST_LINE`](crate::LineEvaluator::LONGEST_LINE) moves:
/// noting them allocates nothing.
///
/// One thread has one of these.
#[derive(Clone, Debug)]
pub struct AccumulatorStack<const K: usize, const N: usize> {
    network: Arc<Network<K, N>>,
    level: Level,
    frames: Plies<Frame<N>>,
    cache: Cache<K, N>,
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
        let frames = Plies::new(Frame::new(Deltas::none(position)));
        AccumulatorStack { network, level, frames, cache }
    }

    /// Begins another line, with the same network.
    pub fn restart(&mut self, position: &Position) {
        let frame = self.frames.restart();
        frame.deltas = Deltas::none(position);
        frame.is_computed = [false; 2];
    }

    /// The network.
    #[must_use]
    pub fn network(&self) -> &Arc<Network<K, N>> {
        &self.network
    }

    /// Goes one ply further: the move is to be played with what this gives as the observer.
    #[inline]
    pub fn push(&mut self) -> &mut Deltas {
        let deltas = self.frames.last().deltas.following();
        let frame = self.frames.push();
        frame.is_computed = [false; 2];
        frame.deltas = deltas;
        &mut frame.deltas
    }

    /// Goes back by one ply, where [`push`](Self::push) went one further.
    ///
    /// # Panics
    /// Debug builds, if there is none to go back to.
    #[inline]
    pub fn pop(&mut self) {
        self.frames.pop();
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
                .all(|color| position.king(color) == self.frames.last().deltas.king(color)),
            "{position} is not where the moves lead"
        );
        self.level.run(Evaluate { stack: self, position })
    }

    /// Computes the accumulator of a side at the top.
    #[inline(always)]
    fn bring_up_to_date(&mut self, position: &Position, color: Color) {
        let mut first = self.frames.now();
        while !self.frames.at(first).is_computed[color as usize] {
            if first == 0 || !self.is_step(first, color) {
                let row = self.cache.refresh(&self.network, position, color);
                let frame = self.frames.last_mut();
                frame.rows[color as usize].clone_from(row);
                frame.is_computed[color as usize] = true;
                return;
            }
            first -= 1;
        }
        for before in first..self.frames.now() {
            self.step(before + 1, color);
        }
    }

    /// Whether the accumulator of a ply follows from that of the ply before.
    #[inline(always)]
    fn is_step(&self, ply: u8, color: Color) -> bool {
        let [before, after] =
            [ply - 1, ply].map(|at| View::new::<K>(color, self.frames.at(at).deltas.king(color)));
        before == after && self.frames.at(ply).deltas.changes().is_some()
    }

    /// Computes the accumulator of a ply from that of the ply before.
    #[inline(always)]
    fn step(&mut self, ply: u8, color: Color) {
        let Some((before, frame)) = self.frames.step_to(ply) else {
            debug_assert!(false, "nothing comes before the first position");
            return;
        };
        let from = &before.rows[color as usize];
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
        let rows = &stack.frames.last().rows;
        let views = [&rows[turn as usize], &rows[!turn as usize]];
        Centipawns(stack.network.output(stack.level, views, position.occupied().count()))
    }
}

#[cfg(test)]
mod tests;
