//! Pairs of games of one engine, with other options for its two sides in each pair.

use std::thread;

use anyhow::{Result, ensure};
use koel_arena::cli::{interrupt_flag, is_interrupted};
use koel_arena::{Conclusion, Match, MatchScore, Opening, disable_aslr, pin_to_core};
use koel_random::Rng;

/// The UCI options of a side.
pub(crate) type Options = Vec<(String, String)>;

/// A pair of games that is to be played.
pub(crate) struct Pair<W> {
    /// Its number, which chooses the opening.
    pub(crate) number: u32,
    /// The options of the two sides, besides those of the match.
    pub(crate) sides: [Options; 2],
    /// Handed back with the result.
    pub(crate) work: W,
}

/// A player of pairs.
pub(crate) struct PairPlayer {
    config: Match,
    openings: Vec<Opening>,
    /// The order of the openings.
    order: Vec<usize>,
}

impl PairPlayer {
    /// A player of the pairs of a match, whose openings come in an order that follows from the seed.
    pub(crate) fn new(mut config: Match, seed: u64) -> PairPlayer {
        (config.state, config.pgn) = (None, None);
        let openings = std::mem::take(&mut config.openings);
        let mut order: Vec<_> = (0..openings.len()).collect();
        Rng::new(seed).shuffle(&mut order);
        PairPlayer { config, openings, order }
    }

    /// Plays pairs, several at once, until there is no next one or the user interrupts.
    pub(crate) fn play<W>(
        &self,
        next: &(dyn Fn() -> Option<Pair<W>> + Sync),
        record: &(dyn Fn(W, &MatchScore) -> Result<()> + Sync),
    ) -> Result<()> {
        thread::scope(|scope| {
            let players: Vec<_> = (0..self.config.concurrency.max(1))
                .map(|thread| scope.spawn(move || self.play_on(thread, next, record)))
                .collect();
            for player in players {
                player.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            }
            Ok(())
        })
    }

    fn play_on<W>(
        &self,
        thread: usize,
        next: &dyn Fn() -> Option<Pair<W>>,
        record: &dyn Fn(W, &MatchScore) -> Result<()>,
    ) -> Result<()> {
        if self.config.is_pinned {
            pin_to_core(thread);
            disable_aslr();
        }
        while !is_interrupted()
            && let Some(pair) = next()
        {
            let mut config = self.config.clone();
            (config.is_pinned, config.concurrency) = (false, 1);
            let opening = self.order[pair.number as usize % self.order.len()];
            config.openings = vec![self.openings[opening].clone()];
            for (contender, options) in config.contenders.iter_mut().zip(pair.sides) {
                contender.spec.options.extend(options);
            }
            let (conclusion, score) = config.run(interrupt_flag()?, &|_| {})?;
            if conclusion != Conclusion::Complete {
                return Ok(());
            }
            ensure!(score.faults() == 0, "a game ended by an engine fault");
            record(pair.work, &score)?;
        }
        Ok(())
    }
}
