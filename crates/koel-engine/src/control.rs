//! The control of a search from outside: whether it runs, and whether it may be finished.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The state of the search that runs, shared with the thread that searches.
#[derive(Default)]
pub(crate) struct Control {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    is_searching: bool,
    is_infinite: bool,
    is_pondering: bool,
    is_stopped: bool,
}

impl State {
    /// Returns true if only `stop`, or `ponderhit`, lets the search be finished.
    fn is_held(&self) -> bool {
        self.is_searching && !self.is_stopped && (self.is_infinite || self.is_pondering)
    }
}

impl Control {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a search. The last one must be over.
    pub(crate) fn begin(&self, is_infinite: bool, is_pondering: bool) {
        let is_stopped = false;
        *self.lock() = State { is_searching: true, is_infinite, is_pondering, is_stopped };
    }

    /// Ends the search: its outcome is known to everybody.
    pub(crate) fn end(&self) {
        self.lock().is_searching = false;
        self.changed.notify_all();
    }

    pub(crate) fn stop(&self) {
        self.lock().is_stopped = true;
        self.changed.notify_all();
    }

    pub(crate) fn ponder_hit(&self) {
        self.lock().is_pondering = false;
        self.changed.notify_all();
    }

    pub(crate) fn is_searching(&self) -> bool {
        self.lock().is_searching
    }

    pub(crate) fn is_pondering(&self) -> bool {
        self.lock().is_pondering
    }

    pub(crate) fn is_held(&self) -> bool {
        self.lock().is_held()
    }

    /// Waits until the search may be finished.
    pub(crate) fn wait_for_release(&self) {
        let state = self.changed.wait_while(self.lock(), |state| state.is_held());
        drop(state.unwrap_or_else(PoisonError::into_inner));
    }

    /// Waits for the end of the search, if one runs.
    pub(crate) fn wait_for_end(&self) {
        let state = self.changed.wait_while(self.lock(), |state| state.is_searching);
        drop(state.unwrap_or_else(PoisonError::into_inner));
    }
}
