//! Generation of opening sets: random moves, of which an engine rejects the bad ones. For a later
//! stage of the game the engine plays on until the stage is reached.

mod stage;

use std::collections::HashSet;
use std::time::Duration;

use koel_random::Rng;
use koel_uci::{Go, PositionSetup, UciScore};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};

use crate::cancel_token::CancelToken;
use crate::engine::{EngineFault, EngineProcess, SearchReply, SearchRequest};
use crate::opening::epd;
use crate::referee::Referee;

pub use stage::OpeningStage;

/// The settings of a set of openings. Equal settings and engines give equal sets.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct OpeningPlan {
    /// Number of positions. Default: 1500.
    pub count: usize,
    /// Number of random plies from the initial position. Default: 8.
    pub plies: usize,
    /// The stage of the game. Default: directly after the random moves.
    pub stage: OpeningStage,
    /// Nodes of the search of the final position; each random move gets a quarter of it. Default:
    /// 20,000.
    pub nodes: u64,
    /// Greatest evaluation of the final position for either side, in centipawns. Default: 100.
    pub balance: i32,
    /// Seed of the random moves. Default: 1.
    pub seed: u64,
}

impl Default for OpeningPlan {
    fn default() -> OpeningPlan {
        OpeningPlan {
            count: 1500,
            plies: 8,
            stage: OpeningStage::default(),
            nodes: 20_000,
            balance: 100,
            seed: 1,
        }
    }
}

/// A random move is rejected if the mover then stands worse than this, in centipawns.
const WORST_SCORE: i32 = -30;
/// Nodes of each move on the way to a later stage; these moves need not be good.
const STAGE_NODES: u64 = 500;
/// Greatest number of plies on the way to a later stage.
const MAX_STAGE_PLIES: usize = 160;
/// Number of rejected moves in one position after which the line is given up.
const MAX_REJECTED_MOVES: usize = 12;
/// Timeout of one search.
const SEARCH_TIMEOUT: Duration = Duration::from_secs(60);

/// Generates a set of openings: sorted lines of EPD. `progress` receives the number found so far.
///
/// # Errors
/// If the engine fails, or the generation is cancelled.
pub fn generate_openings(
    engine: &mut EngineProcess,
    plan: &OpeningPlan,
    cancel: CancelToken<'_>,
    progress: &mut dyn FnMut(usize),
) -> Result<Vec<String>, EngineFault> {
    let mut rng = Rng::new(plan.seed);
    let mut found = HashSet::new();
    let mut generator = OpeningGenerator { engine, plan, cancel };
    while found.len() < plan.count {
        generator.engine.new_game(cancel)?;
        if let Some(line) = generator.generate(&mut rng)? {
            found.insert(line);
        }
        progress(found.len());
    }
    let mut lines: Vec<_> = found.into_iter().collect();
    lines.sort_unstable();
    Ok(lines)
}

struct OpeningGenerator<'g> {
    engine: &'g mut EngineProcess,
    plan: &'g OpeningPlan,
    cancel: CancelToken<'g>,
}

impl OpeningGenerator<'_> {
    /// Generates one line and returns its final position; `None` if the line is rejected.
    fn generate(&mut self, rng: &mut Rng) -> Result<Option<String>, EngineFault> {
        let mut referee = Referee::new(Chess::new(), CastlingMode::Standard);
        let mut game = PositionSetup::default();
        for _ in 0..self.plan.plies {
            let Some(next) = self.play_random_move(&referee, &mut game, rng)? else {
                return Ok(None);
            };
            referee = next;
        }
        if !self.play_to_stage(&mut referee, &mut game)? {
            return Ok(None);
        }
        let score = self.evaluate(&game, self.plan.nodes)?;
        let is_balanced = score.is_some_and(|score| score.abs() < self.plan.balance);
        let is_check = referee.position().is_check();
        Ok((is_balanced && !is_check).then(|| epd(referee.position())))
    }

    /// Lets the engine play on to the stage of the plan. Returns true if it was reached.
    fn play_to_stage(
        &mut self,
        referee: &mut Referee,
        game: &mut PositionSetup,
    ) -> Result<bool, EngineFault> {
        for _ in 0..MAX_STAGE_PLIES {
            if self.plan.stage.contains(referee.position().board()) {
                return Ok(true);
            }
            let best = self.search(game, STAGE_NODES)?.best;
            let Some(m) = best.filter(|&m| referee.play_without_san(m).is_some()) else {
                return Ok(false);
            };
            game.moves.push(m);
            if referee.end().is_some() {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// Plays a random move that is not too bad; `None` if none was found.
    fn play_random_move(
        &mut self,
        referee: &Referee,
        game: &mut PositionSetup,
        rng: &mut Rng,
    ) -> Result<Option<Referee>, EngineFault> {
        let moves = referee.position().legal_moves();
        for _ in 0..MAX_REJECTED_MOVES {
            let m = moves[rng.below(moves.len())];
            let text = UciMove::from_move(m, CastlingMode::Standard).to_string();
            let Ok(text) = text.parse() else { continue };
            let mut next = referee.clone();
            next.play(text);
            if next.end().is_some() {
                continue;
            }
            game.moves.push(text);
            let score = self.evaluate(game, self.plan.nodes / 4)?;
            if score.is_some_and(|score| -score >= WORST_SCORE) {
                return Ok(Some(next));
            }
            game.moves.pop();
        }
        Ok(None)
    }

    /// Returns the score in centipawns for the side to move; `None` for a mate or without a score.
    fn evaluate(&mut self, game: &PositionSetup, nodes: u64) -> Result<Option<i32>, EngineFault> {
        let reply = self.search(game, nodes)?;
        Ok(match reply.infos().pop().and_then(|info| info.score).map(|report| report.score) {
            Some(UciScore::Centipawns(score)) => Some(score),
            _ => None,
        })
    }

    fn search(&mut self, game: &PositionSetup, nodes: u64) -> Result<SearchReply, EngineFault> {
        let go = Go { nodes: Some(nodes), ..Go::default() };
        let request = SearchRequest { time: SEARCH_TIMEOUT, keeps_all_lines: false };
        self.engine.search(&game.to_string(), &go, request, self.cancel)
    }
}
