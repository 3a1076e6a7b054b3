//! What relatives ask of a ply: the frames of the line that is being searched.

use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;
use koel_board::Move;

use crate::score::{MAX_PLY, Score};

/// A sequence of moves.
pub(crate) type Line = ArrayVec<Move, { MAX_PLY + 1 }>;

/// One ply of the present line.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// What the position looks like; `None` in check.
    pub(crate) static_eval: Option<Score>,
    /// The last quiet moves that refuted a position at this ply.
    pub(crate) killers: [Move; 2],
    /// The best line from here, of the last principal variation that came by.
    pub(crate) line: Line,
}

impl Frame {
    fn new() -> Frame {
        Frame { static_eval: None, killers: [Move::NONE; 2], line: Line::new() }
    }
}

/// Frames before the root, so that looking back never branches.
const SENTINELS: usize = 4;

/// Frames that a node at the last ply may look ahead to.
const BEYOND: usize = 3;

/// One frame for each ply.
#[derive(Clone, Debug)]
pub(crate) struct Stack {
    frames: Box<[Frame]>,
}

impl Stack {
    pub(crate) fn new() -> Stack {
        Stack { frames: vec![Frame::new(); SENTINELS + MAX_PLY + BEYOND].into() }
    }

    /// Forgets the last search.
    pub(crate) fn clear(&mut self) {
        for frame in &mut self.frames {
            *frame = Frame::new();
        }
    }

    /// The frame so many plies before `ply`, at most four.
    #[inline]
    pub(crate) fn before(&self, ply: usize, plies: usize) -> &Frame {
        &self.frames[SENTINELS + ply - plies]
    }

    /// The best line from `ply` is this move and then the best line from its child.
    pub(crate) fn set_line(&mut self, ply: usize, m: Move) {
        let (parents, children) = self.frames.split_at_mut(SENTINELS + ply + 1);
        let line = &mut parents[SENTINELS + ply].line;
        line.clear();
        line.push(m);
        line.extend(children[0].line.iter().copied().take(MAX_PLY));
    }

    /// Remembers a quiet move that refuted.
    #[inline]
    pub(crate) fn set_killer(&mut self, ply: usize, m: Move) {
        let killers = &mut self[ply].killers;
        if killers[0] != m {
            *killers = [m, killers[0]];
        }
    }
}

impl Index<usize> for Stack {
    type Output = Frame;

    #[inline]
    fn index(&self, ply: usize) -> &Frame {
        &self.frames[SENTINELS + ply]
    }
}

impl IndexMut<usize> for Stack {
    #[inline]
    fn index_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[SENTINELS + ply]
    }
}
