//! Koel's engine as that of an analysis.

use std::sync::Arc;

use crossbeam::channel::{Receiver, unbounded};
use koel_analyze::{AnalysisEngine, EngineFailure, Moment, OtherLine, PositionAnalysis};
use koel_board::{CastlingNotation, Game, Move};
use koel_engine::{Engine, Event, Line, Request, Syzygy, check_memory};
use koel_search::{Bound, Depth, Tablebases};
use koel_uci::MoveText;

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

/// The end of a search.
struct Found {
    /// The best move; `None` where the game is over.
    best: Option<Move>,
    /// The last lines with exact scores, the best first.
    lines: Vec<Line>,
    /// The moment from which on the best move was that.
    since: Option<Moment>,
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

    /// Searches a position.
    fn search(&mut self, game: Game) -> Result<Found, EngineFailure> {
        self.engine.go(Request { game, ..self.limits.clone() });
        let mut lines: Vec<Line> = Vec::new();
        // The best move of the last iteration, and the first one from which on it was that.
        let mut best: Option<(Option<Move>, Moment)> = None;
        let mut note = |line: &Line| {
            let first = line.pv.first().copied();
            if best.is_none_or(|(known, _)| known != first) {
                let depth = line.depth.0.unsigned_abs();
                best = Some((first, Moment { time: line.elapsed, nodes: line.nodes, depth }));
            }
            best.map(|(_, since)| since)
        };
        let mut since = None;
        for event in &self.events {
            match event {
                Event::Iteration(line) => {
                    // The lines of an iteration come in their order.
                    if line.multi_pv == 1 {
                        since = note(&line);
                    }
                    lines.truncate(line.multi_pv - 1);
                    lines.push(line);
                }
                Event::Finished(outcome) => {
                    let new = outcome.line.clone().filter(|line| line.bound == Bound::Exact);
                    if let Some(new) = new {
                        lines.retain(|line| line.multi_pv > 1 && line.pv.first() != new.pv.first());
                        since = note(&new);
                        lines.insert(0, new);
                    }
                    return Ok(Found { best: outcome.best_move, lines, since });
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
        let Found { best, lines, since } = self.search(part)?;
        let Some((best, [line, others @ ..])) = best.zip(Some(&lines[..])) else {
            return Ok(None);
        };
        let other = |line: &Line| OtherLine {
            score: uci_score(line),
            depth: line.depth.0.unsigned_abs(),
            line: moves(line),
        };
        Ok(Some(PositionAnalysis {
            best,
            score: uci_score(line),
            expected: line.wdl.expected_score(),
            depth: line.depth.0.unsigned_abs(),
            nodes: line.nodes,
            line: moves(line),
            others: others.iter().map(other).collect(),
            since,
        }))
    }
}

/// Returns the moves of a line in the notation that is unambiguous for standard chess and Chess960.
fn moves(line: &Line) -> Vec<MoveText> {
    line.pv.iter().map(|&m| move_text(m, CastlingNotation::Chess960)).collect()
}
