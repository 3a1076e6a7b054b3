//! Making a set of openings: random moves, of which an engine throws out the bad ones.

use std::collections::HashSet;
use std::time::Duration;

use koel_uci::{Go, PositionSetup, Score};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};

use crate::call_off::CallOff;
use crate::engine::{Allowance, Engine, Trouble};
use crate::opening::epd;
use crate::referee::Referee;
use crate::seed::Seed;

/// What a set is to be. The same plan and engine make the same set.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// So many positions.
    pub count: usize,
    /// So many half-moves from the usual position.
    pub plies: usize,
    /// The last position is judged by a search of so many nodes, each move by a quarter of it.
    pub nodes: u64,
    /// At most so many centipawns for either side at the end.
    pub balance: i32,
    /// The random moves follow from it.
    pub seed: u64,
}

/// A move may cost its mover so many centipawns against an even game.
const WORST_MOVE: i32 = -30;
/// After so many bad moves in one position the line is given up.
const MOST_DRAWS: usize = 12;
/// For one search; a runaway engine is a stall.
const PATIENCE: Duration = Duration::from_secs(60);

/// Makes the set, sorted, as lines of EPD. `progress` is told how many there are.
///
/// # Errors
/// When the engine fails, or the work is called off.
pub fn make(
    engine: &mut Engine,
    plan: &Plan,
    call_off: CallOff<'_>,
    progress: &mut dyn FnMut(usize),
) -> Result<Vec<String>, Trouble> {
    let mut seed = Seed::new(plan.seed);
    let mut found = HashSet::new();
    let mut maker = Maker { engine, plan, call_off };
    while found.len() < plan.count {
        maker.engine.new_game(call_off)?;
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
    engine: &'m mut Engine,
    plan: &'m Plan,
    call_off: CallOff<'m>,
}

impl Maker<'_> {
    /// A line as its last position; `None` when it came to nothing.
    fn line(&mut self, seed: &mut Seed) -> Result<Option<String>, Trouble> {
        let mut referee = Referee::new(Chess::new(), CastlingMode::Standard);
        let mut game = PositionSetup::default();
        for _ in 0..self.plan.plies {
            let Some(next) = self.extend(&referee, &mut game, seed)? else { return Ok(None) };
            referee = next;
        }
        let worth = self.worth(&game, self.plan.nodes)?;
        let is_balanced = worth.is_some_and(|worth| worth.abs() < self.plan.balance);
        let is_quiet = !referee.position().is_check();
        Ok((is_balanced && is_quiet).then(|| epd(referee.position())))
    }

    /// Plays a random move that is not too bad.
    fn extend(
        &mut self,
        referee: &Referee,
        game: &mut PositionSetup,
        seed: &mut Seed,
    ) -> Result<Option<Referee>, Trouble> {
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
    fn worth(&mut self, game: &PositionSetup, nodes: u64) -> Result<Option<i32>, Trouble> {
        let go = Go { nodes: Some(nodes), ..Go::default() };
        let allowance = Allowance { time: PATIENCE, keeps_all_lines: false };
        let thought = self.engine.think(&game.to_string(), &go, allowance, self.call_off)?;
        Ok(match thought.infos().pop().and_then(|info| info.score).map(|report| report.score) {
            Some(Score::Centipawns(worth)) => Some(worth),
            _ => None,
        })
    }
}
