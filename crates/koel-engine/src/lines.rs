//! The lines of a search: its reports with what all threads have done.

use std::time::{Duration, Instant};

use koel_board::Position;
use koel_eval::material;
use koel_search::{Depth, Report, Score, SearchResult, Shared};

use crate::event::{Line, Outcome, WinDrawLoss};
use crate::win_draw_loss::{line_centipawns, win_draw_loss};

/// The minimum time between two samples of the table's use: a sample takes as long as searching
/// hundreds of nodes.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(3);

/// The root of a search, and what its lines have in common.
#[derive(Clone, Debug)]
pub(crate) struct LineSettings {
    pub(crate) root: Position,
    /// The centipawns that the search subtracts from the value of a draw.
    pub(crate) contempt: i32,
    /// The number of root moves that were looked up in the tablebases.
    pub(crate) root_hits: u64,
    pub(crate) start: Instant,
}

pub(crate) struct Lines<'a> {
    settings: &'a LineSettings,
    shared: &'a Shared,
    /// The lines of the last complete iteration, the best first.
    last: Vec<Line>,
    /// The node count of the last report.
    reported_nodes: u64,
    hashfull: usize,
    last_sample: Instant,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(settings: &'a LineSettings, shared: &'a Shared) -> Lines<'a> {
        Lines {
            settings,
            shared,
            last: Vec::new(),
            reported_nodes: 0,
            hashfull: 0,
            last_sample: settings.start,
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.settings.start.elapsed()
    }

    pub(crate) fn last(&self) -> &[Line] {
        &self.last
    }

    /// Adds a line of a complete iteration, and returns it.
    pub(crate) fn add(&mut self, report: &Report<'_>) -> Line {
        let mut line = self.line(report);
        if report.multi_pv == 1 {
            self.last.clear();
        } else if let Some(first) = self.last.first() {
            line.copy_totals(first);
        }
        self.last.push(line.clone());
        line
    }

    /// Returns the outcome of a search: the move of the line that limited strength has chosen, or
    /// that of the result.
    pub(crate) fn outcome(&mut self, result: &SearchResult, chosen: Option<Line>) -> Outcome {
        if let Some(line) = chosen {
            let mut moves = line.pv.iter().copied();
            let (best_move, ponder) = (moves.next(), moves.next());
            let is_reported = self.last.first() == Some(&line);
            let score = line.score;
            return Outcome { best_move, ponder, score, line: Some(line), is_reported };
        }
        let &SearchResult { best_move, ponder, .. } = result;
        let nodes = self.shared.nodes().max(result.nodes);
        let is_known = |last: &&Line| last.pv == result.pv && nodes <= self.reported_nodes;
        let known = self.last.first().filter(is_known).cloned();
        let is_reported = known.is_some();
        let line = known.or_else(|| best_move.map(|_| self.line(&result.report())));
        let score = line.as_ref().map_or(result.score, |line| line.score);
        Outcome { best_move, ponder, score, line, is_reported }
    }

    /// Returns the line of a report.
    pub(crate) fn line(&mut self, report: &Report<'_>) -> Line {
        if self.last_sample.elapsed() >= SAMPLE_INTERVAL {
            self.hashfull = self.shared.hashfull();
            self.last_sample = Instant::now();
        }
        // The shared counters lag; the count of the report is exact for its own thread.
        let nodes = self.shared.nodes().max(report.nodes);
        self.reported_nodes = nodes;
        let LineSettings { root, root_hits, .. } = self.settings;
        let score = if root.is_insufficient_material() { Score::DRAW } else { report.score };
        Line {
            multi_pv: report.multi_pv,
            // A search that ends within its first iteration has a result, too.
            depth: report.depth.max(Depth(1)),
            selective_depth: report.selective_depth.max(1),
            score,
            bound: report.bound,
            centipawns: line_centipawns(score, material(root)),
            wdl: self.settings.wdl(score),
            pv: report.pv.to_vec(),
            nodes,
            elapsed: self.elapsed(),
            hashfull: self.hashfull,
            tablebase_hits: self.shared.tablebase_hits() + root_hits,
        }
    }
}

impl LineSettings {
    /// Returns the probabilities of the results for a score. The score of a line that ends in a
    /// draw contains the contempt, which says nothing about the result.
    fn wdl(&self, score: Score) -> WinDrawLoss {
        if self.root.is_insufficient_material() {
            return WinDrawLoss::DRAW;
        }
        // The search varies the value of a draw by one centipawn.
        let is_draw = (score.centipawns() + self.contempt).abs() <= 1;
        win_draw_loss(if is_draw { Score::DRAW } else { score }, material(&self.root))
    }
}

impl Line {
    /// Takes the node count and the time of another line of the iteration, of which all lines are
    /// the result.
    pub fn copy_totals(&mut self, from: &Line) {
        (self.nodes, self.elapsed) = (from.nodes, from.elapsed);
        (self.hashfull, self.tablebase_hits) = (from.hashfull, from.tablebase_hits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(fen: &str, contempt: i32) -> LineSettings {
        let root = Position::from_fen(fen).unwrap();
        LineSettings { root, contempt, root_hits: 0, start: Instant::now() }
    }

    #[test]
    fn contempt_and_dead_positions_are_draws_in_win_draw_loss() {
        let settings_with = |contempt| settings(koel_board::START_FEN, contempt);
        let draw = settings_with(0).wdl(Score::DRAW);
        assert_eq!(draw.win, draw.loss);
        assert_eq!(settings_with(40).wdl(Score::from_centipawns(-40)), draw);
        assert_eq!(settings_with(-300).wdl(Score::from_centipawns(301)), draw);
        assert_ne!(settings_with(40).wdl(Score::from_centipawns(40)), draw);
        let dead = settings("3k4/8/8/8/8/3KN3/8/8 w - - 0 1", 0);
        assert_eq!(dead.wdl(Score::from_centipawns(200)), WinDrawLoss::DRAW);
    }
}
