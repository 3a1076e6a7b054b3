//! One game between two engines.

use std::slice;
use std::time::{Duration, SystemTime};

use koel_random::fnv1a;
use koel_uci::{MoveText, PositionSetup, Score};
use shakmaty::{Chess, Color, KnownOutcome, Position};

use crate::adjudication::AdjudicationState;
use crate::cancel_token::CancelToken;
use crate::engine::{EngineFault, EngineProcess, SearchReply, StartError};
use crate::error::MatchError;
use crate::match_config::Match;
use crate::move_limits::Clock;
use crate::opening::Opening;
use crate::pv_checks::{add_warning, check_pvs};
use crate::record::{Ending, Finish, GameId, Warning, Warnings};
use crate::referee::Referee;

/// A move that was played, with the figures of its search.
#[derive(Clone, Debug)]
pub(crate) struct PlayedMove {
    /// The move in standard algebraic notation.
    pub san: String,
    /// The score given by the mover.
    pub score: Option<Score>,
    pub depth: Option<u32>,
    /// The time charged to the mover's clock.
    pub elapsed: Duration,
    /// The time left on it, if there is one.
    pub left: Option<Duration>,
    pub nodes: Option<u64>,
    /// The principal variation in standard algebraic notation.
    pub pv: Vec<String>,
}

/// A finished game.
#[derive(Clone, Debug)]
pub(crate) struct PlayedGame {
    pub started: SystemTime,
    /// The position at the end.
    pub position: Chess,
    /// The moves without those of the opening.
    pub moves: Vec<PlayedMove>,
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    pub ending: Ending,
    /// The side whose fault ended the game.
    pub offender: Option<Color>,
    /// Details of the ending, such as the illegal move.
    pub remark: String,
    pub moves_hash: u64,
    /// The warnings of White and of Black.
    pub warnings: [Warnings; 2],
}

impl PlayedGame {
    /// The result as in a PGN, such as `1-0`.
    pub(crate) fn result(&self) -> &'static str {
        KnownOutcome::from_winner(self.winner).as_str()
    }
}

/// Plays a game of a match between White and Black. Every fault of an engine gives a result.
///
/// # Errors
/// If the game was cancelled, or the opening cannot be played.
pub(crate) fn play(
    config: &Match,
    id: GameId,
    opening: &Opening,
    players: &mut [&mut EngineProcess; 2],
    cancel: CancelToken<'_>,
) -> Result<PlayedGame, MatchError> {
    let mut game = Game::new(config, id, opening)?;
    let mut step = game.begin(players, cancel);
    while step.is_ok() {
        step = game.step(players, cancel);
    }
    match step.err().flatten() {
        Some((finish, remark)) => Ok(game.finish(players, finish, remark)),
        None => Err(StartError::Cancelled.into()),
    }
}

/// The end of a game with a remark; `None` if it was cancelled.
type End = Option<(Finish, String)>;

struct Game<'m> {
    config: &'m Match,
    referee: Referee,
    started: SystemTime,
    /// The end of the game by the rules, if it is over.
    end: Option<Ending>,
    /// The game so far, as a `position` command.
    setup: PositionSetup,
    clocks: [Clock; 2],
    adjudication_state: AdjudicationState,
    moves: Vec<PlayedMove>,
    warnings: [Warnings; 2],
}

impl<'m> Game<'m> {
    fn new(config: &'m Match, id: GameId, opening: &Opening) -> Result<Game<'m>, MatchError> {
        let start = opening.start(config.mode).map_err(MatchError::Opening)?;
        let mut referee = Referee::new(start, config.mode);
        for &m in &opening.moves {
            let is_legal = referee.end().is_none() && referee.play(m).is_some();
            if !is_legal {
                return Err(MatchError::Opening(format!("{m} cannot be played")));
            }
        }
        let clocks = config.players(id).map(|index| Clock::new(config.engines[index].limits));
        Ok(Game {
            config,
            started: SystemTime::now(),
            end: referee.end(),
            referee,
            setup: opening.setup(),
            clocks,
            adjudication_state: AdjudicationState::default(),
            moves: Vec::new(),
            warnings: [Warnings::new(), Warnings::new()],
        })
    }

    /// Announces a new game to both engines. One that fails here loses.
    fn begin(
        &self,
        players: &mut [&mut EngineProcess; 2],
        cancel: CancelToken<'_>,
    ) -> Result<(), End> {
        for (engine, color) in players.iter_mut().zip([Color::White, Color::Black]) {
            engine.new_game(cancel).map_err(|fault| self.loss_by_fault(color, fault))?;
        }
        Ok(())
    }

    fn step(
        &mut self,
        players: &mut [&mut EngineProcess; 2],
        cancel: CancelToken<'_>,
    ) -> Result<(), End> {
        let mover = self.referee.turn();
        if let Some(ending) = self.end {
            let winner = (ending == Ending::Checkmate).then_some(!mover);
            return Err(Some((Finish { winner, ending }, String::new())));
        }
        let clock = self.clocks[color_index(mover)];
        let go = clock.go(mover, &self.clocks[color_index(!mover)]);
        let time = clock.time_for_move().filter(|_| !clock.counts_nodes());
        let config = self.config;
        let allowed = time.map_or(config.timeouts.search, |time| time + config.margin);
        let player = &mut players[color_index(mover)];
        let reply = player.search(&self.setup.to_string(), &go, allowed, cancel);
        let reply = reply.map_err(|fault| match fault {
            EngineFault::TimeLoss(_) if time.is_none() => EngineFault::IgnoredLimit(format!(
                "no move after {} s of `{go}`",
                allowed.as_secs()
            )),
            other => other,
        });
        let reply = reply.map_err(|fault| self.loss_by_fault(mover, fault))?;
        self.accept(mover, &reply)?;
        self.start_pondering(player, mover, reply.ponder)
    }

    /// Lets the engine that has moved think on its opponent's time, if it named a legal reply.
    fn start_pondering(
        &self,
        player: &mut EngineProcess,
        mover: Color,
        expected: Option<MoveText>,
    ) -> Result<(), End> {
        let clock = &self.clocks[color_index(mover)];
        let has_clock = clock.time_for_move().is_some() && !clock.counts_nodes();
        let is_legal = |&m: &MoveText| self.referee.clone().play_without_san(m).is_some();
        let expected = expected.filter(|m| has_clock && self.end.is_none() && is_legal(m));
        let Some(expected) = expected else { return Ok(()) };
        let mut expected_setup = self.setup.clone();
        expected_setup.moves.push(expected);
        let go = clock.go(mover, &self.clocks[color_index(!mover)]);
        player
            .ponder(expected_setup.to_string(), go)
            .map_err(|fault| self.loss_by_fault(mover, fault))
    }

    fn loss_by_fault(&self, mover: Color, fault: EngineFault) -> End {
        let mut winner = Some(!mover);
        let (ending, remark) = match fault {
            EngineFault::Crash(stderr) => (Ending::Crash, stderr),
            EngineFault::Stall => (Ending::Stall, String::new()),
            EngineFault::TimeLoss(elapsed) => {
                let allowed = self.clocks[color_index(mover)].time_for_move();
                let allowed = allowed.unwrap_or(self.config.timeouts.search);
                let mut remark =
                    format!("took {:.4}s of {:.4}s", elapsed.as_secs_f64(), allowed.as_secs_f64());
                // Laws of Chess 6.9: no loss on time if the opponent cannot mate.
                if self.referee.position().has_insufficient_material(!mover) {
                    winner = None;
                    remark += "; the opponent cannot mate";
                }
                (Ending::TimeLoss, remark)
            }
            EngineFault::IgnoredLimit(exceeded) => (Ending::IgnoredLimit, exceeded),
            EngineFault::UnreadableMove(line) => (Ending::UnreadableMove, line),
            EngineFault::Cancelled => return None,
        };
        Some((Finish { winner, ending }, remark))
    }

    /// Plays the move of a reply. No clock is running during the checks.
    fn accept(&mut self, mover: Color, reply: &SearchReply) -> Result<(), End> {
        let illegal = |text: String| {
            Some((Finish { winner: Some(!mover), ending: Ending::IllegalMove }, text))
        };
        let best = reply.best.ok_or_else(|| illegal("(none)".to_owned()))?;
        let last = reply.last(|_| true);
        let nodes = last.and_then(|info| info.nodes);
        let clock = &mut self.clocks[color_index(mover)];
        let cost = clock.cost(reply.elapsed, nodes.unwrap_or_default());
        if clock.time_for_move().is_some_and(|time| cost > time + self.config.margin) {
            return Err(self.loss_by_fault(mover, EngineFault::TimeLoss(cost)));
        }
        let warnings = &mut self.warnings[color_index(mover)];
        let pv = reply.last(|info| !info.pv.is_empty());
        let last_pv = pv.map(slice::from_ref).unwrap_or_default();
        let checked = if self.config.is_strict { &reply.infos } else { last_pv };
        check_pvs(&self.referee, checked, best, warnings);
        add_warning(warnings, Warning::UnknownOutput, reply.unknown_lines);
        let number = self.referee.position().fullmoves().get();
        let pv = pv.filter(|_| self.config.has_details).map(|info| self.referee.line(&info.pv));
        let played = self.referee.play(best).ok_or_else(|| illegal(best.to_string()))?;
        if played.is_foreign_castling {
            add_warning(warnings, Warning::CastlingNotation, 1);
        }
        self.clocks[color_index(mover)].charge(cost);
        let score = reply.score();
        self.moves.push(PlayedMove {
            san: played.san.to_string(),
            score,
            depth: last.and_then(|info| info.depth),
            elapsed: cost,
            left: self.clocks[color_index(mover)].time_for_move(),
            nodes,
            pv: pv.unwrap_or_default(),
        });
        self.setup.moves.push(best);
        let early = self.adjudication_state.update(&self.config.adjudication, mover, number, score);
        self.end = played.end;
        // The rules take precedence over tablebases, and these over the scores.
        if self.end.is_some() {
            return Ok(());
        }
        let position = self.referee.position();
        let outcome = self.config.tablebases.as_ref().and_then(|tables| tables.probe(position));
        let of_outcome =
            |outcome: KnownOutcome| Finish { winner: outcome.winner(), ending: Ending::Tablebases };
        match outcome.map(of_outcome).or(early) {
            None => Ok(()),
            Some(finish) => Err(Some((finish, String::new()))),
        }
    }

    fn finish(
        mut self,
        players: &mut [&mut EngineProcess; 2],
        finish: Finish,
        remark: String,
    ) -> PlayedGame {
        for (engine, warnings) in players.iter_mut().zip(&mut self.warnings) {
            add_warning(warnings, Warning::StrayBestMove, engine.take_stray_moves());
        }
        let offender = || finish.winner.map_or(self.referee.turn(), |winner| !winner);
        PlayedGame {
            offender: finish.ending.is_fault().then(offender),
            moves_hash: hash_moves(&self.setup.moves[self.setup.moves.len() - self.moves.len()..]),
            started: self.started,
            position: self.referee.position().clone(),
            moves: self.moves,
            winner: finish.winner,
            ending: finish.ending,
            remark,
            warnings: self.warnings,
        }
    }
}

pub(crate) fn color_index(color: Color) -> usize {
    usize::from(color.is_black())
}

fn hash_moves(moves: &[MoveText]) -> u64 {
    let text: Vec<_> = moves.iter().map(MoveText::as_str).collect();
    fnv1a(text.join(" ").as_bytes())
}
