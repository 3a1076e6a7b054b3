//! Making a set of openings: random moves, of which an engine throws out the bad ones. For a later
//! stage of the game it plays on from there until the stage is reached.

mod stage;

use std::collections::HashSet;
use std::time::Duration;

use koel_uci::{Go, PositionSetup, UciScore};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};

use crate::cancel_token::CancelToken;
use crate::engine::{EngineFault, EngineProcess, SearchReply, SearchRequest};
use crate::opening::epd;
use crate::referee::Referee;
use koel_random::Rng;

pub use stage::OpeningStage;

/// What a set is to be. The same plan and engine make the same set.
#[derive(Clone, Copy, Debug)]
pub struct OpeningPlan {
    /// So many positions.
    pub count: usize,
    /// So many random half-moves from the usual position.
    pub plies: usize,
    /// Where in the game the positions stand.
    pub stage: OpeningStage,
    /// The last position is judged by a search of so many nodes, each move by a quarter of it.
    pub nodes: u64,
    /// At most so many centipawns for either side at the end.
    pub balance: i32,
    /// The random moves follow from it.
    pub seed: u64,
}

/// A move may cost its mover so many centipawns against an even game.
const WORST_MOVE: i32 = -30;
/// Nodes for each move on the way to a later stage, which need not be played well.
const NODES_ON_THE_WAY: u64 = 500;
/// A later stage is reached by then, in half-moves, or not at all.
const LONGEST_WAY: usize = 160;
/// After so many bad moves in one position the line is given up.
const MOST_DRAWS: usize = 12;
/// For one search; a runaway engine is a stall.
const PATIENCE: Duration = Duration::from_secs(60);

/// Makes the set, sorted, as lines of EPD. `progress` is told how many there are.
///
/// # Errors
/// When the engine fails, or the work is called off.
pub fn generate_openings(
    engine: &mut EngineProcess,
    plan: &OpeningPlan,
    cancel: CancelToken<'_>,
    progress: &mut dyn FnMut(usize),
) -> Result<Vec<String>, EngineFault> {
    let mut seed = Rng::new(plan.seed);
    let mut found = HashSet::new();
    let mut maker = Maker { engine, plan, cancel };
    while found.len() < plan.count {
        maker.engine.new_game(cancel)?;
        if let Some(line) = maker.line(&mut seed)? {
            found.insert(line);
        }
        progress(found.len());
    }
    let mut lines: Vec<_> = found.into_iter().collect();
    lines.sort_unstable();
    Ok(lines)
}

struct Maker<'m> {
    engine: &'m mut EngineProcess,
    plan: &'m OpeningPlan,
    cancel: CancelToken<'m>,
}

impl Maker<'_> {
    /// A line as its last position; `None` when it came to nothing.
    fn line(&mut self, seed: &mut Rng) -> Result<Option<String>, EngineFault> {
        let mut referee = Referee::new(Chess::new(), CastlingMode::Standard);
        let mut game = PositionSetup::default();
        for _ in 0..self.plan.plies {
            let Some(next) = self.extend(&referee, &mut game, seed)? else { return Ok(None) };
            referee = next;
        }
        if !self.play_on(&mut referee, &mut game)? {
            return Ok(None);
        }
        let worth = self.worth(&game, self.plan.nodes)?;
        let is_balanced = worth.is_some_and(|worth| worth.abs() < self.plan.balance);
        let is_quiet = !referee.position().is_check();
        Ok((is_balanced && is_quiet).then(|| epd(referee.position())))
    }

    /// Lets the engine play on to the stage that is wanted; whether it came there.
    fn play_on(
        &mut self,
        referee: &mut Referee,
        game: &mut PositionSetup,
    ) -> Result<bool, EngineFault> {
        for _ in 0..LONGEST_WAY {
            if self.plan.stage.holds(referee.position().board()) {
                return Ok(true);
            }
            let best = self.think(game, NODES_ON_THE_WAY)?.best;
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

    /// Plays a random move that is not too bad.
    fn extend(
        &mut self,
        referee: &Referee,
        game: &mut PositionSetup,
        seed: &mut Rng,
    ) -> Result<Option<Referee>, EngineFault> {
        let moves = referee.position().legal_moves();
        for _ in 0..MOST_DRAWS {
            let m = moves[seed.below(moves.len())];
            let text = UciMove::from_move(m, CastlingMode::Standard).to_string();
            let Ok(text) = text.parse() else { continue };
            let mut next = referee.clone();
            next.play(text);
            if next.end().is_some() {
                continue;
            }
            game.moves.push(text);
            let worth = self.worth(game, self.plan.nodes / 4)?;
            if worth.is_some_and(|worth| -worth >= WORST_MOVE) {
                return Ok(Some(next));
            }
            game.moves.pop();
        }
        Ok(None)
    }

    /// In centipawns, to the side to move; `None` for a mate, and for no answer.
    fn worth(&mut self, game: &PositionSetup, nodes: u64) -> Result<Option<i32>, EngineFault> {
        let reply = self.think(game, nodes)?;
        Ok(match reply.infos().pop().and_then(|info| info.score).map(|report| report.score) {
            Some(UciScore::Centipawns(worth)) => Some(worth),
            _ => None,
        })
    }

    fn think(&mut self, game: &PositionSetup, nodes: u64) -> Result<SearchReply, EngineFault> {
        let go = Go { nodes: Some(nodes), ..Go::default() };
        let request = SearchRequest { time: PATIENCE, keeps_all_lines: false };
        self.engine.search(&game.to_string(), &go, request, self.cancel)
    }
}
