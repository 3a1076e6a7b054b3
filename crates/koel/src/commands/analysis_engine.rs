//! Koel's engine as that of an analysis.

use std::sync::Arc;

use crossbeam::channel::{Receiver, unbounded};
use koel_analyze::{AnalysisEngine, EngineFailure, PositionAnalysis};
use koel_board::{CastlingNotation, Game};
use koel_engine::{Engine, Event, Line, Outcome, Request, Syzygy, check_memory};
use koel_search::{Bound, Depth, Tablebases};

use crate::uci_values::{move_text, uci_score};

/// The settings of an engine for an analysis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AnalysisSettings<'s> {
    pub(crate) threads: usize,
    pub(crate) hash_mebibytes: usize,
    /// Folders with endgame tables.
    pub(crate) syzygy: Option<&'s str>,
}

/// An engine that analyses with the limits of a request.
pub(crate) struct PositionAnalyser {
    engine: Engine,
    events: Receiver<Event>,
    limits: Request,
}

impl PositionAnalyser {
    /// Starts an engine. Each position is searched as `limits` says.
    pub(crate) fn start(
        settings: AnalysisSettings<'_>,
        limits: Request,
    ) -> Result<PositionAnalyser, EngineFailure> {
        let (sender, events) = unbounded();
        let mut engine = Engine::new(move |event| {
            if matches!(event, Event::Iteration(_) | Event::Finished(_)) {
                // An analysis that has ended needs no events.
                let _ = sender.send(event);
            }
        })?;
        check_memory((settings.hash_mebibytes as u64) << 20, 0)?;
        engine.set_hash(settings.hash_mebibytes)?;
        engine.set_threads(settings.threads)?;
        if let Some(path) = settings.syzygy {
            // A folder that is missing is passed over if there are tables in another.
            let (tables, _) = Syzygy::open(path)?;
            engine.set_tablebases(Some(Tablebases {
                source: Arc::new(tables),
                probe_depth: Depth(1),
                probe_limit: usize::MAX,
                fifty_move_rule: true,
            }));
        }
        Ok(PositionAnalyser { engine, events, limits })
    }

    /// Searches a position. Returns the outcome, and the last line with an exact score.
    fn search(&mut self, game: Game) -> Result<(Outcome, Option<Line>), EngineFailure> {
        self.engine.go(Request { game, ..self.limits.clone() });
        let mut last = None;
        for event in &self.events {
            match event {
                Event::Iteration(line) => last = Some(line),
                Event::Finished(outcome) => {
                    let new = outcome.line.clone().filter(|line| line.bound == Bound::Exact);
                    return Ok((outcome, new.or(last)));
                }
                _ => {}
            }
        }
        Err("the engine ended unexpectedly".into())
    }
}

impl AnalysisEngine for PositionAnalyser {
    fn new_game(&mut self) -> Result<(), EngineFailure> {
        self.engine.new_game();
        Ok(())
    }

    fn analyse(
        &mut self,
        game: &Game,
        plies: usize,
    ) -> Result<Option<PositionAnalysis>, EngineFailure> {
        let mut part = Game::new(game.start().clone());
        for m in game.moves().take(plies) {
            part.play(m)?;
        }
        let (outcome, line) = self.search(part)?;
        Ok(outcome.best_move.zip(line).map(|(best, line)| PositionAnalysis {
            best,
            score: uci_score(&line),
            expected: line.wdl.expected_score(),
            depth: line.depth.0.unsigned_abs(),
            nodes: line.nodes,
            // Unambiguous for standard chess and Chess960.
            line: line.pv.iter().map(|&m| move_text(m, CastlingNotation::Chess960)).collect(),
        }))
    }
}
