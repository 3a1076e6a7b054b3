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
    /// True while the receiver of events is told the outcome.
    is_telling: bool,
    is_infinite: bool,
    is_pondering: bool,
    is_stopped: bool,
    /// The number of threads that wait for a change: without any, to notify would be a call of the
    /// system for nothing.
    waiting: u32,
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

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.lock();
        change(&mut state);
        if state.waiting > 0 {
            self.changed.notify_all();
        }
    }

    fn wait_while(&self, condition: impl Fn(&State) -> bool) {
        let mut state = self.lock();
        while condition(&state) {
            state.waiting += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
    }

    /// Begins a search. The last one must be over.
    pub(crate) fn begin(&self, is_infinite: bool, is_pondering: bool) {
        self.change(|state| {
            (state.is_searching, state.is_stopped) = (true, false);
            (state.is_infinite, state.is_pondering) = (is_infinite, is_pondering);
        });
    }

    /// Waits until the search may be finished, and finishes it: the next one may begin.
    pub(crate) fn finish(&self) {
        self.wait_while(State::is_held);
        self.change(|state| (state.is_searching, state.is_telling) = (false, true));
    }

    /// Notes that the outcome was told.
    pub(crate) fn told(&self) {
        self.change(|state| state.is_telling = false);
    }

    pub(crate) fn stop(&self) {
        self.change(|state| state.is_stopped = true);
    }

    pub(crate) fn ponder_hit(&self) {
        self.change(|state| state.is_pondering = false);
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

    /// Waits until the search is over and its outcome told.
    pub(crate) fn wait_for_end(&self) {
        self.wait_while(|state| state.is_searching || state.is_telling);
    }
}
