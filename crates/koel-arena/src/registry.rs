//! The engines that run, between their games.

use dashmap::DashMap;

use crate::call_off::CallOff;
use crate::engine::{Deadlines, Engine, EngineSpec, StartError};

/// An engine that does not start is tried again so often.
const ATTEMPTS: u32 = 3;

/// Engines waiting for their next game, by the worker they play for and their place in the match.
pub(crate) struct Registry<'s> {
    specs: [&'s EngineSpec; 2],
    deadlines: Deadlines,
    waiting: DashMap<(usize, usize), Engine>,
}

impl<'s> Registry<'s> {
    pub(crate) fn new(specs: [&'s EngineSpec; 2], deadlines: Deadlines) -> Registry<'s> {
        Registry { specs, deadlines, waiting: DashMap::new() }
    }

    /// The worker's engine; one that has died, or never lived, is started.
    pub(crate) fn take(
        &self,
        worker: usize,
        place: usize,
        call_off: CallOff<'_>,
    ) -> Result<Engine, StartError> {
        if let Some((_, engine)) = self.waiting.remove(&(worker, place)) {
            return Ok(engine);
        }
        let mut attempt = 1;
        loop {
            match Engine::start(self.specs[place], self.deadlines, call_off) {
                Err(StartError::Ended { .. } | StartError::Silent { .. })
                    if attempt < ATTEMPTS && !call_off.is_set() =>
                {
                    attempt += 1;
                }
                started => return started,
            }
        }
    }

    /// The engine waits for the worker's next game.
    pub(crate) fn put_back(&self, worker: usize, place: usize, engine: Engine) {
        self.waiting.insert((worker, place), engine);
    }
}
