//! The accumulators of the current line, updated lazily.

use std::sync::Arc;

use koel_board::{Color, Position};

use super::dirty_pieces::DirtyPieces;
use super::features::Perspective;
use super::finny_table::FinnyTable;
use super::row::AccumulatorRow;
use super::simd::{InstructionSet, Kernel};
use super::weights::{Network, output_bucket};
use crate::centipawns::Centipawns;

/// The number of positions of a line: as many as a `u8` can index, so that no access needs a bounds
/// check and no line needs an allocation.
const CAPACITY: usize = 1 << u8::BITS;

/// The maximum number of moves in a line. A longer one wraps around; debug builds panic.
pub(crate) const MAX_PLIES: usize = CAPACITY - 1;

/// The accumulators of a network for each position of a line, from the root to the current one.
///
/// A move is only recorded: [`push`](Self::push) returns the [`DirtyPieces`] that
/// [`Position::play_observed`](koel_board::Position::play_observed) fills, [`pop`](Self::pop)
/// discards them. The accumulators are computed by [`evaluate`](Self::evaluate), for as many plies
/// as are missing: many positions of a search are never evaluated. A null move changes no piece
/// and needs neither, though it may have both.
///
/// A line has at most 255 moves; recording them allocates nothing. Each thread has its own stack.
#[derive(Clone, Debug)]
pub struct AccumulatorStack<const K: usize, const N: usize> {
    network: Arc<Network<K, N>>,
    instructions: InstructionSet,
    /// By ply. Those beyond the current one are left over from other lines.
    states: Box<[AccumulatorState<N>; CAPACITY]>,
    ply: u8,
    finny_table: FinnyTable<K, N>,
}

/// The accumulators of a ply by colour, if they are computed, and the pieces that its move changed.
#[derive(Clone, Debug)]
struct AccumulatorState<const N: usize> {
    rows: [AccumulatorRow<N>; 2],
    is_computed: [bool; 2],
    dirty_pieces: DirtyPieces,
}

impl<const N: usize> AccumulatorState<N> {
    fn new(dirty_pieces: DirtyPieces) -> AccumulatorState<N> {
        AccumulatorState {
            rows: [AccumulatorRow::ZERO, AccumulatorRow::ZERO],
            is_computed: [false; 2],
            dirty_pieces,
        }
    }
}

impl<const K: usize, const N: usize> AccumulatorStack<K, N> {
    /// Creates the stack for a line that begins with this position.
    #[must_use]
    pub fn new(network: Arc<Network<K, N>>, position: &Position) -> AccumulatorStack<K, N> {
        AccumulatorStack::with_instructions(network, position, InstructionSet::detect())
    }

    /// Creates the stack with a given instruction set. It affects the speed alone.
    #[must_use]
    pub fn with_instructions(
        network: Arc<Network<K, N>>,
        position: &Position,
        instructions: InstructionSet,
    ) -> AccumulatorStack<K, N> {
        let finny_table = FinnyTable::new(&network);
        // Through a vector, since an array would be built on the call stack.
        let states = vec![AccumulatorState::new(DirtyPieces::none(position)); CAPACITY];
        let states = states.into_boxed_slice().try_into().expect("the length is the capacity");
        AccumulatorStack { network, instructions, states, ply: 0, finny_table }
    }

    /// Begins a new line with the same network.
    pub fn restart(&mut self, position: &Position) {
        self.ply = 0;
        let state = &mut self.states[0];
        state.dirty_pieces = DirtyPieces::none(position);
        state.is_computed = [false; 2];
    }

    /// Returns the network.
    #[must_use]
    pub fn network(&self) -> &Arc<Network<K, N>> {
        &self.network
    }

    /// Adds a ply, whose move is then to be played with the returned observer.
    #[inline]
    pub fn push(&mut self) -> &mut DirtyPieces {
        debug_assert!(self.ply < u8::MAX, "a line has at most {MAX_PLIES} moves");
        let dirty_pieces = self.top().dirty_pieces.next();
        self.ply = self.ply.wrapping_add(1);
        let state = &mut self.states[usize::from(self.ply)];
        state.is_computed = [false; 2];
        state.dirty_pieces = dirty_pieces;
        &mut state.dirty_pieces
    }

    /// Removes the last ply.
    ///
    /// # Panics
    /// Debug builds, if there is none.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.ply > 0, "there is no move to unmake");
        self.ply = self.ply.wrapping_sub(1);
    }

    /// Returns the state of the current ply.
    #[inline(always)]
    fn top(&self) -> &AccumulatorState<N> {
        &self.states[usize::from(self.ply)]
    }

    /// Returns the evaluation of the current position for the side to move.
    ///
    /// The position must be the one that the recorded moves lead to. Debug builds panic if its
    /// kings are on other squares.
    #[inline]
    #[must_use]
    pub fn evaluate(&mut self, position: &Position) -> Centipawns {
        debug_assert!(
            [Color::White, Color::Black]
                .into_iter()
                .all(|color| position.king(color) == self.top().dirty_pieces.king(color)),
            "{position} is not where the moves lead"
        );
        self.instructions.run(Evaluate { stack: self, position })
    }

    /// Computes the accumulator of a side in the current position.
    #[inline(always)]
    fn update(&mut self, position: &Position, color: Color) {
        let mut computed = self.ply;
        while !self.states[usize::from(computed)].is_computed[color as usize] {
            if computed == 0 || !self.is_incremental(computed, color) {
                let row = self.finny_table.refresh(&self.network, position, color);
                let state = &mut self.states[usize::from(self.ply)];
                state.rows[color as usize].clone_from(row);
                state.is_computed[color as usize] = true;
                return;
            }
            computed -= 1;
        }
        for before in computed..self.ply {
            self.update_ply(before + 1, color);
        }
    }

    /// Returns true if the accumulator of a ply can be computed from that of the ply before.
    #[inline(always)]
    fn is_incremental(&self, ply: u8, color: Color) -> bool {
        let [before, after] = [ply - 1, ply].map(|ply| &self.states[usize::from(ply)].dirty_pieces);
        let perspective = |pieces: &DirtyPieces| Perspective::new::<K>(color, pieces.king(color));
        perspective(before) == perspective(after) && after.changes().is_some()
    }

    /// Computes the accumulator of a ply from that of the ply before.
    #[inline(always)]
    fn update_ply(&mut self, ply: u8, color: Color) {
        let states = self.states.split_at_mut_checked(usize::from(ply));
        let Some(([.., before], [state, ..])) = states else {
            debug_assert!(false, "the first position has no predecessor");
            return;
        };
        let from = &before.rows[color as usize];
        let row = &mut state.rows[color as usize];
        let perspective = Perspective::new::<K>(color, state.dirty_pieces.king(color));
        let weights = |piece| self.network.feature_row(perspective.feature(piece));
        match state.dirty_pieces.changes() {
            Some((&[added], &[removed])) => {
                row.update_from(from, [weights(added)], [weights(removed)]);
            }
            Some((&[added], &[first, second])) => {
                row.update_from(from, [weights(added)], [weights(first), weights(second)]);
            }
            Some((&[a, b], &[c, d])) => {
                row.update_from(from, [weights(a), weights(b)], [weights(c), weights(d)]);
            }
            Some((added, removed)) => {
                row.clone_from(from);
                added.iter().for_each(|&piece| row.add(weights(piece)));
                removed.iter().for_each(|&piece| row.subtract(weights(piece)));
            }
            None => debug_assert!(false, "the ply is not incremental"),
        }
        state.is_computed[color as usize] = true;
    }
}

/// The kernel of [`AccumulatorStack::evaluate`].
struct Evaluate<'a, const K: usize, const N: usize> {
    stack: &'a mut AccumulatorStack<K, N>,
    position: &'a Position,
}

impl<const K: usize, const N: usize> Kernel for Evaluate<'_, K, N> {
    type Output = Centipawns;

    #[inline(always)]
    fn run(self) -> Centipawns {
        let (stack, position) = (self.stack, self.position);
        stack.update(position, Color::White);
        stack.update(position, Color::Black);
        let turn = position.turn();
        let rows = &stack.top().rows;
        let accumulators = [&rows[turn as usize], &rows[!turn as usize]];
        let bucket = output_bucket(position.occupied().count());
        Centipawns(stack.network.output_of_bucket(stack.instructions, accumulators, bucket))
    }
}

#[cfg(test)]
mod tests;
