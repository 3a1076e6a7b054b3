//! A sample of the positions of a search, to be examined afterwards.

use koel_board::Position;

use super::mix;

/// A sample of positions, spread over the whole search: about one in sixteen is taken, chosen by
/// its key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample {
    /// The capacity is reserved beforehand and never exceeded.
    positions: Vec<Position>,
}

impl Sample {
    /// A sample of at most `capacity` positions.
    pub(crate) fn with_capacity(capacity: usize) -> Sample {
        Sample { positions: Vec::with_capacity(capacity) }
    }

    /// Takes the position into the sample if it is chosen and there is room.
    #[inline]
    pub(crate) fn offer(&mut self, position: &Position) {
        let has_room = self.positions.len() < self.positions.capacity();
        if has_room && mix(position.key().0).is_multiple_of(16) {
            self.positions.push(position.clone());
        }
    }

    /// Takes the positions out. The sample is closed afterwards.
    pub(crate) fn take(&mut self) -> Vec<Position> {
        std::mem::take(&mut self.positions)
    }
}
