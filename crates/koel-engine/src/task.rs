//! A search as its threads have it.

use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};

use koel_board::Game;
use koel_search::Limits;

use crate::event::Event;
use crate::lines::LineSettings;
use crate::strength::Strength;
use crate::time::lag::LagMeter;
use crate::time::manager::TimeLimits;

pub(crate) type OnEvent = dyn Fn(Event) + Send + Sync;

/// The largest node limit of a search that runs on the caller's own thread. The caller waits for a
/// few milliseconds then, and two thread wake-ups are saved, each of which takes as long as tens of
/// nodes.
const MAX_INLINE_NODES: u64 = 10_000;

/// A search, the same for all workers.
pub(crate) struct SearchTask {
    pub(crate) game: Game,
    pub(crate) limits: Limits,
    /// The node limit, for all workers together.
    pub(crate) nodes: Option<u64>,
    /// The search ends when it has found a mate in at most this many moves.
    pub(crate) mate: Option<NonZeroU32>,
    pub(crate) time: TimeLimits,
    /// The limit of playing strength, if one is set.
    pub(crate) strength: Option<Strength>,
    /// The number of lines to report; limited strength picks from more.
    pub(crate) reported_lines: usize,
    pub(crate) lines: LineSettings,
    pub(crate) lag_meter: Arc<Mutex<LagMeter>>,
}

impl SearchTask {
    /// Returns true if the search is so short that the caller's thread may run it.
    pub(crate) fn runs_inline(&self) -> bool {
        !self.time.control.is_held() && self.nodes.is_some_and(|nodes| nodes <= MAX_INLINE_NODES)
    }

    /// Returns true if the move of any thread may be played. A fixed depth, several lines and a
    /// search for a mate want the result of the main thread.
    pub(crate) fn selects_best_thread(&self) -> bool {
        let Limits { depth, multi_pv, .. } = self.limits;
        depth.is_none() && multi_pv <= 1 && self.mate.is_none()
    }
}
