//! Positions set aside during a search, to be judged afterwards.

use koel_board::Position;

use super::mixed;

/// A few of the positions that are offered, not only the first: which ones depends on their keys.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample {
    /// Its capacity is reserved beforehand, and not exceeded.
    positions: Vec<Position>,
}

impl Sample {
    /// Of so many positions.
    pub(crate) fn with_room(room: usize) -> Sample {
        Sample { positions: Vec::with_capacity(room) }
    }

    /// Sets the position aside if there is room, one in sixteen.
    #[inline]
    pub(crate) fn offer(&mut self, position: &Position) {
        let has_room = self.positions.len() < self.positions.capacity();
        if has_room && mixed(position.key().0).is_multiple_of(16) {
            self.positions.push(position.clone());
        }
    }

    /// What was set aside; nothing is kept from now on.
    pub(crate) fn take(&mut self) -> Vec<Position> {
        std::mem::take(&mut self.positions)
    }
}
