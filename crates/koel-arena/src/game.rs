//! One game between two engines.

use std::time::Duration;

use koel_random::fnv1a;
use koel_uci::{MoveText, UciScore};
use shakmaty::{CastlingMode, Color, Position};

use crate::adjudication::{Adjudication, AdjudicationState, EarlyEnd};
use crate::cancel_token::CancelToken;
use crate::engine::{EngineFault, EngineProcess, SearchReply, SearchRequest};
use crate::move_limits::{Clock, MoveLimits};
use crate::opening::Opening;
use crate::pv_checks::{add_warning, check_pvs};
use crate::record::{Ending, Warning, Warnings};
use crate::referee::{Referee, RuleEnd};
use crate::tablebase::{TablebaseAdjudicator, TablebaseVerdict};

/// The conditions of a game beside the rules of chess.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameRules<'t> {
    /// The limits of White.
    pub white: MoveLimits,
    /// The limits of Black.
    pub black: MoveLimits,
    /// Time by which a clock may be overdrawn without a loss.
    pub margin: Duration,
    /// Timeout of a move without a clock.
    pub timeout: Duration,
    /// The rules by which the game ends early.
    pub adjudication: Adjudication,
    /// Tablebases that end a game with few pieces.
    pub tablebases: Option<&'t TablebaseAdjudicator>,
    /// Standard chess, or Chess960.
    pub mode: CastlingMode,
    /// True if every PV of every search is checked, not only the last one.
    pub is_strict: bool,
}

/// The engines by colour.
pub(crate) struct Players<'e> {
    /// White.
    pub white: &'e mut EngineProcess,
    /// Black.
    pub black: &'e mut EngineProcess,
}

/// A move that was played, with the figures of its search.
#[derive(Clone, Debug)]
pub(crate) struct PlayedMove {
    /// The move in standard algebraic notation.
    pub san: String,
    /// The score given by the mover.
    pub score: Option<UciScore>,
    /// The depth of the score.
    pub depth: Option<u32>,
    /// The time charged to the mover's clock.
    pub elapsed: Duration,
}

/// A finished game.
#[derive(Clone, Debug)]
pub(crate) struct PlayedGame {
    /// The moves without those of the opening.
    pub moves: Vec<PlayedMove>,
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// The ending of the game.
    pub ending: Ending,
    /// Details of the ending, such as the illegal move.
    pub remark: String,
    /// A hash of the moves.
    pub moves_hash: u64,
    /// The warnings of White and of Black.
    pub warnings: [Warnings; 2],
}

impl PlayedGame {
    /// Returns a game lost before its first move.
    pub(crate) fn forfeit(loser: Color, ending: Ending, remark: String) -> PlayedGame {
        PlayedGame {
            moves: Vec::new(),
            winner: Some(!loser),
            ending,
            remark,
            moves_hash: hash_moves(&[]),
            warnings: [Warnings::new(), Warnings::new()],
        }
    }
}

/// The reason why a game has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoGame {
    /// The match was cancelled.
    Cancelled,
    /// The opening cannot be played.
    Opening(String),
}

/// Plays a game. Every fault of an engine gives a result.
///
/// # Errors
/// If the game was cancelled, or the opening cannot be played.
pub(crate) fn play(
    players: &mut Players<'_>,
    opening: &Opening,
    rules: &GameRules<'_>,
    cancel: CancelToken<'_>,
) -> Result<PlayedGame, NoGame> {
    let mut game = Game::new(opening, rules)?;
    let (finish, remark) = loop {
        match game.step(players, cancel) {
            Step::Continue => {}
            Step::Over(finish, remark) => break (finish, remark),
            Step::Cancelled => return Err(NoGame::Cancelled),
        }
    };
    Ok(game.finish(players, finish, remark))
}

/// The winner and the ending.
#[derive(Clone, Copy)]
struct Finish {
    winner: Option<Color>,
    ending: Ending,
}

enum Step {
    Continue,
    Over(Finish, String),
    Cancelled,
}

struct Game<'r> {
    rules: &'r GameRules<'r>,
    referee: Referee,
    /// The end of the game by the rules, if it is over.
    end: Option<RuleEnd>,
    /// The `position` command of the game so far.
    position: String,
    played: Vec<MoveText>,
    clocks: [Clock; 2],
    adjudication_state: AdjudicationState,
    moves: Vec<PlayedMove>,
    warnings: [Warnings; 2],
}

impl<'r> Game<'r> {
    fn new(opening: &Opening, rules: &'r GameRules<'r>) -> Result<Game<'r>, NoGame> {
        let start = opening.start(rules.mode).map_err(NoGame::Opening)?;
        let mut referee = Referee::new(start, rules.mode);
        for &m in &opening.moves {
            let is_legal = referee.end().is_none() && referee.play(m).is_some();
            if !is_legal {
                return Err(NoGame::Opening(format!("{m} cannot be played")));
            }
        }
        Ok(Game {
            rules,
            end: referee.end(),
            referee,
            position: opening.setup().map_err(NoGame::Opening)?.to_string(),
            played: Vec::new(),
            clocks: [Clock::new(rules.white), Clock::new(rules.black)],
            adjudication_state: AdjudicationState::default(),
            moves: Vec::new(),
            warnings: [Warnings::new(), Warnings::new()],
        })
    }

    fn step(&mut self, players: &mut Players<'_>, cancel: CancelToken<'_>) -> Step {
        let mover = self.referee.turn();
        if let Some(end) = self.end {
            let winner = (end == RuleEnd::Checkmate).then_some(!mover);
            return Step::Over(Finish { winner, ending: Ending::Rule(end) }, String::new());
        }
        let engine = match mover {
            Color::White => &mut *players.white,
            Color::Black => &mut *players.black,
        };
        let clock = self.clocks[color_index(mover)];
        let go = clock.go(mover, &self.clocks[color_index(!mover)]);
        let time = clock.time_for_move().filter(|_| !clock.counts_nodes());
        let time = time.map_or(self.rules.timeout, |time| time + self.rules.margin);
        let request = SearchRequest { time, keeps_all_lines: self.rules.is_strict };
        match engine.search(&self.position, &go, request, cancel) {
            Ok(reply) => self.accept(mover, &reply),
            Err(fault) => self.loss_by_fault(mover, fault),
        }
    }

    fn loss_by_fault(&self, mover: Color, fault: EngineFault) -> Step {
        let mut winner = Some(!mover);
        let (ending, remark) = match fault {
            EngineFault::Crash(stderr) => (Ending::Crash, stderr),
            EngineFault::Stall => (Ending::Stall, String::new()),
            EngineFault::TimeLoss(elapsed) => {
                let allowed =
                    self.clocks[color_index(mover)].time_for_move().unwrap_or(self.rules.timeout);
                let mut remark =
                    format!("took {:.4}s of {:.4}s", elapsed.as_secs_f64(), allowed.as_secs_f64());
                // Laws of Chess 6.9: no loss on time if the opponent cannot mate.
                if self.referee.position().has_insufficient_material(!mover) {
                    winner = None;
                    remark += "; the opponent cannot mate";
                }
                (Ending::TimeLoss, remark)
            }
            EngineFault::UnreadableMove(line) => (Ending::UnreadableMove, line),
            EngineFault::Cancelled => return Step::Cancelled,
        };
        Step::Over(Finish { winner, ending }, remark)
    }

    /// Plays the move of a reply. No clock is running during the checks.
    fn accept(&mut self, mover: Color, reply: &SearchReply) -> Step {
        let illegal = |text: String| {
            Step::Over(Finish { winner: Some(!mover), ending: Ending::IllegalMove }, text)
        };
        let Some(best) = reply.best else { return illegal("(none)".to_owned()) };
        let infos = reply.infos();
        let clock = &mut self.clocks[color_index(mover)];
        let nodes = infos.last().and_then(|info| info.nodes).unwrap_or_default();
        let cost = clock.cost(reply.elapsed, nodes);
        if clock.time_for_move().is_some_and(|time| cost > time + self.rules.margin) {
            return self.loss_by_fault(mover, EngineFault::TimeLoss(cost));
        }
        let warnings = &mut self.warnings[color_index(mover)];
        check_pvs(&self.referee, &infos, best, warnings);
        add_warning(warnings, Warning::UnknownOutput, reply.unknown_lines);
        let number = self.referee.position().fullmoves().get();
        let Some(played) = self.referee.play(best) else { return illegal(best.to_string()) };
        if played.is_foreign_castling {
            add_warning(warnings, Warning::CastlingNotation, 1);
        }
        self.clocks[color_index(mover)].charge(cost);
        let score = infos.last().and_then(|info| info.score).map(|report| report.score);
        self.moves.push(PlayedMove {
            san: played.san.to_string(),
            score,
            depth: infos.last().and_then(|info| info.depth),
            elapsed: cost,
        });
        self.append(best);
        let early = self.adjudication_state.update(&self.rules.adjudication, mover, number, score);
        self.end = played.end;
        // The rules take precedence over tablebases, and these over the scores.
        if self.end.is_some() {
            return Step::Continue;
        }
        let position = self.referee.position();
        let verdict = self.rules.tablebases.and_then(|tables| tables.probe(position));
        match verdict.map(tablebase_finish).or(early.map(adjudicated_finish)) {
            None => Step::Continue,
            Some(finish) => Step::Over(finish, String::new()),
        }
    }

    fn append(&mut self, played: MoveText) {
        let is_first = self.played.is_empty() && !self.position.contains(" moves ");
        self.position.push_str(if is_first { " moves " } else { " " });
        self.position.push_str(played.as_str());
        self.played.push(played);
    }

    fn finish(mut self, players: &mut Players<'_>, finish: Finish, remark: String) -> PlayedGame {
        for (engine, warnings) in
            [&mut *players.white, &mut *players.black].into_iter().zip(&mut self.warnings)
        {
            add_warning(warnings, Warning::StrayBestMove, engine.take_stray_moves());
        }
        PlayedGame {
            moves_hash: hash_moves(&self.played),
            moves: self.moves,
            winner: finish.winner,
            ending: finish.ending,
            remark,
            warnings: self.warnings,
        }
    }
}

fn tablebase_finish(verdict: TablebaseVerdict) -> Finish {
    let winner = match verdict {
        TablebaseVerdict::Won(winner) => Some(winner),
        TablebaseVerdict::Drawn => None,
    };
    Finish { winner, ending: Ending::Tablebases }
}

fn adjudicated_finish(end: EarlyEnd) -> Finish {
    match end {
        EarlyEnd::Won(winner) => Finish { winner: Some(winner), ending: Ending::Resignation },
        EarlyEnd::Draw => Finish { winner: None, ending: Ending::AgreedDraw },
        EarlyEnd::TooLong => Finish { winner: None, ending: Ending::Length },
    }
}

pub(crate) fn color_index(color: Color) -> usize {
    usize::from(color.is_black())
}

fn hash_moves(moves: &[MoveText]) -> u64 {
    let text: Vec<_> = moves.iter().map(MoveText::as_str).collect();
    fnv1a(text.join(" ").as_bytes())
}
