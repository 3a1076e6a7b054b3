//! The `go` command: every one is answered, by a `bestmove` or by the count of a perft.

use std::io;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use koel_board::Move;
use koel_eval::material;
use koel_search::{Depth, Limits};
use koel_uci::{Go, MoveText, Reply, SearchEnd};

use crate::search::pool::SearchTask;
use crate::search::reporter::ReportSettings;
use crate::search::strength::Strength;
use crate::search::win_draw_loss::denormalise;
use crate::session::Session;
use crate::session::background_job::{self, MAX_PERFT_DEPTH};
use crate::session::command_error::CommandError;
use crate::session::job::{Job, SearchJob};
use crate::time::clock::{ClockReading, TimeBudget};
use crate::time::manager::TimeLimits;
use crate::time::timer::Timer;

/// The node limit of a damaged `go` without a usable limit: a few milliseconds.
const DEFAULT_NODES: u64 = 10_000;

impl Session<'_> {
    /// Starts a search or a perft. What cannot be obeyed is reported and passed over.
    pub(crate) fn go(&mut self, go: &Go) -> Result<(), CommandError> {
        for error in &go.errors {
            self.send(&Reply::error(error))?;
        }
        if self.is_position_lost {
            self.send(&Reply::error(CommandError::NoPosition))?;
            return Ok(self.send(&Reply::best_move(Some(MoveText::NULL)))?);
        }
        match go.perft {
            Some(depth) if depth <= MAX_PERFT_DEPTH => return self.perft(depth),
            Some(_) => self.send(&Reply::error(CommandError::PerftDepth))?,
            None => {}
        }
        let root_moves = self.root_moves(go)?;
        let is_damaged = go.perft.is_some() || root_moves.len() < go.searchmoves.len();
        if !needs_default_limit(go, is_damaged) {
            self.search(go, root_moves);
            return Ok(());
        }
        let text = format_args!("go: no usable limit; {DEFAULT_NODES} nodes are searched");
        self.send(&Reply::error(text))?;
        self.search(&Go { nodes: Some(DEFAULT_NODES), ..go.clone() }, root_moves);
        Ok(())
    }

    fn perft(&mut self, depth: u32) -> Result<(), CommandError> {
        let (position, castling) = (self.game.position().clone(), self.settings.castling());
        self.run_in_background(move |send, stop| {
            background_job::perft(&position, depth, castling, send, stop)
        })
    }

    /// Returns the legal moves of `searchmoves`. If there are none, all moves are searched.
    fn root_moves(&mut self, go: &Go) -> io::Result<Vec<Move>> {
        let mut moves = Vec::new();
        for text in &go.searchmoves {
            match self.game.position().parse_uci(text.as_str()) {
                Ok(m) => moves.push(m),
                Err(error) => self.send(&Reply::error(format_args!("go: searchmoves: {error}")))?,
            }
        }
        Ok(moves)
    }

    fn search(&mut self, go: &Go, root_moves: Vec<Move>) {
        // Analysis wants the true value of a draw.
        let contempt = if go.infinite { 0 } else { self.settings.contempt };
        let contempt = denormalise(contempt, material(self.game.position()));
        let strength =
            self.settings.limited_elo().map(|elo| Strength { elo, game: self.games_started });
        let root = self.game.position().clone();
        if let Some(terminal) = &mut self.terminal {
            terminal.start_search(&root);
        }
        let ranking =
            self.configured_tablebases().and_then(|tables| tables.rank_root_moves(&self.game));
        let root_hits = ranking.as_ref().map_or(0, |ranking| ranking.moves.len() as u64);
        let start = Instant::now();
        let clock = self.measured_clock(go);
        let overhead = self.settings.move_overhead + self.lag_meter.lag(clock);
        let budget = TimeBudget::new(go, root.turn(), overhead);
        self.lag_meter.start(clock, budget.hard, start);
        let job = SearchJob {
            is_infinite: go.end() == SearchEnd::Stop,
            is_pondering: Arc::new(AtomicBool::new(go.ponder)),
            ..SearchJob::default()
        };
        self.pool.search(SearchTask {
            game: self.game.clone(),
            limits: Limits {
                depth: go.depth.map(depth),
                root_moves,
                multi_pv: strength.map_or(0, Strength::multi_pv).max(self.settings.multi_pv),
                ranking,
                contempt,
            },
            nodes: go.nodes.into_iter().chain(strength.map(Strength::node_limit)).min(),
            mate: go.mate.map(NonZeroU32::get),
            time: TimeLimits {
                budget,
                timer: Timer { nodes_per_millisecond: self.settings.nodes_time },
                is_pondering: Arc::clone(&job.is_pondering),
                has_single_move: root.count_legal_moves() == 1,
            },
            strength,
            reports: ReportSettings {
                root,
                castling: self.settings.castling(),
                shows_wdl: self.settings.shows_wdl,
                is_minimal: self.settings.is_minimal,
                lines: self.settings.multi_pv,
                contempt,
                root_hits,
                start,
            },
        });
        self.job = Some(Job::Search(job));
    }

    /// Returns the clock if the search uses it from the start to the best move, in real time.
    fn measured_clock(&self, go: &Go) -> Option<ClockReading> {
        let is_measured = !go.ponder && !go.infinite && self.settings.nodes_time.is_none();
        ClockReading::of(go, self.game.position().turn()).filter(|_| is_measured)
    }
}

/// Returns true if no limit is left in a command of which a part could not be obeyed. Such a search
/// ends by itself, because a GUI that has set a limit sends no `stop`.
fn needs_default_limit(go: &Go, is_damaged: bool) -> bool {
    match go.end() {
        SearchEnd::Limit => false,
        SearchEnd::Stop => is_damaged && !go.infinite,
        SearchEnd::Default => true,
    }
}

/// The depth of `go depth`, clamped to what a search can reach.
fn depth(plies: u32) -> Depth {
    Depth(i32::try_from(plies).unwrap_or(i32::MAX)).clamp(Depth(1), Depth::MAX)
}
