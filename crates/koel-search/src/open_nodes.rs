//! The nodes in progress that another thread may refute.

use crate::score::{Depth, MAX_PLY, Score};
use crate::window::Window;

/// The non-PV nodes in progress of at least a certain depth, from the root on.
#[derive(Debug)]
pub(crate) struct OpenNodes {
    pub(crate) nodes: Vec<OpenNode>,
    pub(crate) min_depth: Depth,
    /// The node count at which they are polled next.
    pub(crate) next_poll: u64,
    /// The index of the node that another thread has refuted, with its score, while the subtree
    /// below it is left.
    pub(crate) refuted: Option<(usize, Score)>,
}

/// A node in progress, as its table entry is compared with it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenNode {
    pub(crate) key: u64,
    pub(crate) window: Window,
    pub(crate) depth: Depth,
    pub(crate) ply: usize,
    pub(crate) clock: u16,
}

impl OpenNodes {
    pub(crate) fn new(min_depth: Depth) -> OpenNodes {
        OpenNodes { nodes: Vec::with_capacity(MAX_PLY + 1), min_depth, next_poll: 0, refuted: None }
    }
}
