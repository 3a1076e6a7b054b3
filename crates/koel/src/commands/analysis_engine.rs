//! Koel's engine as that of an analysis.

use std::sync::Arc;

use crossbeam::channel::{Receiver, unbounded};
use koel_analyze::{AnalysedLine, AnalysisEngine, EngineFailure, Moment, PositionAnalysis};
use koel_board::{Game, Move};
use koel_engine::{Engine, Event, Line, Request, Syzygy, check_memory};
use koel_search::{Bound, Depth, Tablebases};

use crate::uci_values::uci_score;

/// An engine that analyses with the limits of a request.
pub(crate) struct PositionAnalyser {
    engine: Engine,
    events: Receiver<Event>,
    limits: Request,
}

impl PositionAnalyser {
    /// Starts an engine with endgame tables, if there are any. Each position is searched as
    /// `limits` says.
    pub(crate) fn start(
        threads: usize,
        hash_mebibytes: usize,
        syzygy: Option<&Arc<Syzygy>>,
        limits: Request,
    ) -> Result<PositionAnalyser, EngineFailure> {
        let (sender, events) = unbounded();
        let mut engine = Engine::new(move |event| {
            if matches!(event, Event::Iteration(_) | Event::Finished(_)) {
                // An analysis that has ended needs no events.
                let _ = sender.send(event);
            }
        })?;
        check_memory((hash_mebibytes as u64) << 20, 0)?;
        engine.set_hash(hash_mebibytes)?;
        engine.set_threads(threads)?;
        if let Some(tables) = syzygy {
            engine.set_tablebases(Some(Tablebases {
                source: Arc::<Syzygy>::clone(tables),
                probe_depth: Depth(1),
                probe_limit: usize::MAX,
                fifty_move_rule: true,
            }));
        }
        Ok(PositionAnalyser { engine, events, limits })
    }

    /// Searches a position. Returns the last lines with exact scores, the best first, and the
    /// moment from which on the best move was that.
    fn search(&mut self, game: Game) -> Result<(Vec<Line>, Option<Moment>), EngineFailure> {
        self.engine.go(Request { game, ..self.limits.clone() });
        let mut lines: Vec<Line> = Vec::new();
        // The best move of the last iteration, and the first one from which on it was that.
        let mut best: Option<(Move, Moment)> = None;
        let mut note = |line: &Line| {
            let first = line.pv.first().copied();
            if let Some(first) = first.filter(|&m| best.is_none_or(|(known, _)| known != m)) {
                let depth = line.depth.0.unsigned_abs();
                best = Some((first, Moment { time: line.elapsed, nodes: line.nodes, depth }));
            }
        };
        for event in &self.events {
            match event {
                Event::Iteration(line) => {
                    // The lines of an iteration come in their order.
                    if line.multi_pv == 1 {
                        note(&line);
                    }
                    lines.truncate(line.multi_pv - 1);
                    lines.push(line);
                }
                Event::Finished(outcome) => {
                    let Some(mut new) = outcome.line else { return Ok((Vec::new(), None)) };
                    if let Some(last) = lines.first().filter(|_| new.bound != Bound::Exact) {
                        // A bound is no score: that of the last iteration stands.
                        (new.score, new.centipawns, new.wdl) =
                            (last.score, last.centipawns, last.wdl);
                        new.depth = last.depth;
                    }
                    note(&new);
                    lines.retain(|line| line.multi_pv > 1 && line.pv.first() != new.pv.first());
                    lines.insert(0, new);
                    return Ok((lines, best.map(|(_, since)| since)));
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
        let (lines, since) = self.search(part)?;
        let Some((expected, nodes)) =
            lines.first().map(|best| (best.wdl.expected_score(), best.nodes))
        else {
            return Ok(None);
        };
        let mut lines = lines.iter().filter_map(analysed_line);
        Ok(lines.next().map(|best| PositionAnalysis {
            best,
            others: lines.collect(),
            expected,
            nodes,
            since,
        }))
    }
}

fn analysed_line(line: &Line) -> Option<AnalysedLine> {
    let (&first, rest) = line.pv.split_first()?;
    let (score, depth) = (uci_score(line), line.depth.0.unsigned_abs());
    Some(AnalysedLine { first, rest: rest.to_vec(), score, depth })
}
