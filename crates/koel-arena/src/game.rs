//! One game between two engines.

use std::time::Duration;

use koel_uci::{MoveText, UciScore};
use shakmaty::{CastlingMode, Color, Position};

use crate::adjudication::{Adjudication, AdjudicationState, EarlyEnd};
use crate::cancel_token::CancelToken;
use crate::engine::{EngineFault, EngineProcess, SearchReply, SearchRequest};
use crate::move_limits::{Clock, MoveLimits};
use crate::opening::Opening;
use crate::pv_checks::{add_warning, check_pvs};
use crate::record::{Ending, Warning, Warnings, stable_hash};
use crate::referee::{Referee, RuleEnd};
use crate::tablebase::{TablebaseAdjudicator, TablebaseVerdict};

/// What holds for a game beside the rules of chess.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameRules<'t> {
    /// What White may spend.
    pub white: MoveLimits,
    /// What Black may spend.
    pub black: MoveLimits,
    /// How far a clock may be overdrawn without a loss.
    pub margin: Duration,
    /// How long a move without a clock may take.
    pub timeout: Duration,
    /// When a game ends early.
    pub adjudication: Adjudication,
    /// What ends it where only few pieces are left.
    pub tablebases: Option<&'t TablebaseAdjudicator>,
    /// Standard chess, or Chess960.
    pub mode: CastlingMode,
    /// Whether every line of every search is checked, not only the last.
    pub is_strict: bool,
}

/// Who sits at the board.
pub(crate) struct Players<'e> {
    /// White.
    pub white: &'e mut EngineProcess,
    /// Black.
    pub black: &'e mut EngineProcess,
}

/// A move as it was played.
#[derive(Clone, Debug)]
pub(crate) struct PlayedMove {
    /// In algebraic notation.
    pub san: String,
    /// Its evaluation by the mover.
    pub score: Option<UciScore>,
    /// The depth that the evaluation comes from.
    pub depth: Option<u32>,
    /// What the mover's clock was charged.
    pub elapsed: Duration,
}

/// A game that is over.
#[derive(Clone, Debug)]
pub(crate) struct PlayedGame {
    /// The moves, without those of the opening.
    pub moves: Vec<PlayedMove>,
    /// Who won.
    pub winner: Option<Color>,
    /// How it came about.
    pub ending: Ending,
    /// What is to be said about the ending, such as the illegal move.
    pub remark: String,
    /// A hash of the moves.
    pub moves_hash: u64,
    /// The warnings of White, and of Black.
    pub warnings: [Warnings; 2],
}

impl PlayedGame {
    /// A game that was lost before its first move.
    pub(crate) fn forfeit(loser: Color, ending: Ending, remark: String) -> PlayedGame {
        PlayedGame {
            moves: Vec::new(),
            winner: Some(!loser),
            ending,
            remark,
            moves_hash: hash(&[]),
            warnings: [Warnings::new(), Warnings::new()],
        }
    }
}

/// Why there is no game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoGame {
    /// The match was called off.
    Cancelled,
    /// The opening is not playable.
    Opening(String),
}

/// Plays a game. Every fault of an engine is a result; only calling off leaves none.
///
/// # Errors
/// When the game was called off, or the opening is not playable.
pub(crate) fn play(
    players: &mut Players<'_>,
    opening: &Opening,
    rules: &GameRules<'_>,
    cancel: CancelToken<'_>,
) -> Result<PlayedGame, NoGame> {
    let mut game = Game::new(opening, rules)?;
    let (finish, remark) = loop {
        match game.step(players, cancel) {
            Step::Goes => {}
            Step::Over(finish, remark) => break (finish, remark),
            Step::Cancelled => return Err(NoGame::Cancelled),
        }
    };
    Ok(game.conclude(players, finish, remark))
}

/// Who won, and how.
#[derive(Clone, Copy)]
struct Finish {
    winner: Option<Color>,
    ending: Ending,
}

enum Step {
    Goes,
    Over(Finish, String),
    Cancelled,
}

struct Game<'r> {
    rules: &'r GameRules<'r>,
    referee: Referee,
    /// Why the game is over by the rules, if it is.
    end: Option<RuleEnd>,
    /// The command that tells the engines of the game so far.
    position: String,
    played: Vec<MoveText>,
    clocks: [Clock; 2],
    watch: AdjudicationState,
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
            watch: AdjudicationState::default(),
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
        let clock = self.clocks[seat(mover)];
        let go = clock.go(mover, &self.clocks[seat(!mover)]);
        let time = clock.allows().map_or(self.rules.timeout, |time| time + self.rules.margin);
        let request = SearchRequest { time, keeps_all_lines: self.rules.is_strict };
        match engine.search(&self.position, &go, request, cancel) {
            Ok(reply) => self.accept(mover, &reply),
            Err(trouble) => self.lost_by(mover, trouble),
        }
    }

    fn lost_by(&self, mover: Color, trouble: EngineFault) -> Step {
        let (ending, remark) = match trouble {
            EngineFault::Crash(last_words) => (Ending::Crash, last_words),
            EngineFault::Stall => (Ending::Stall, String::new()),
            EngineFault::TimeLoss(elapsed) => {
                let allowed = self.clocks[seat(mover)].allows().unwrap_or(self.rules.timeout);
                let remark =
                    format!("took {:.4}s of {:.4}s", elapsed.as_secs_f64(), allowed.as_secs_f64());
                (Ending::TimeLoss, remark)
            }
            EngineFault::UnreadableMove(line) => (Ending::UnreadableMove, line),
            EngineFault::Cancelled => return Step::Cancelled,
        };
        Step::Over(Finish { winner: Some(!mover), ending }, remark)
    }

    /// Nobody's clock is running: there is time to look at what was said.
    fn accept(&mut self, mover: Color, reply: &SearchReply) -> Step {
        let illegal = |text: String| {
            Step::Over(Finish { winner: Some(!mover), ending: Ending::IllegalMove }, text)
        };
        let Some(best) = reply.best else { return illegal("(none)".to_owned()) };
        let infos = reply.infos();
        let warnings = &mut self.warnings[seat(mover)];
        check_pvs(&self.referee, &infos, best, warnings);
        add_warning(warnings, Warning::UnknownOutput, reply.unknown_lines);
        let number = self.referee.position().fullmoves().get();
        let Some(ruling) = self.referee.play(best) else { return illegal(best.to_string()) };
        if ruling.is_foreign_castling {
            add_warning(warnings, Warning::CastlingNotation, 1);
        }
        self.clocks[seat(mover)].charge(reply.elapsed);
        let score = infos.last().and_then(|info| info.score).map(|report| report.score);
        self.moves.push(PlayedMove {
            san: ruling.san.to_string(),
            score,
            depth: infos.last().and_then(|info| info.depth),
            elapsed: reply.elapsed,
        });
        self.note(best);
        let early = self.watch.note(&self.rules.adjudication, mover, number, score);
        self.end = ruling.end;
        // What the rules say goes before what the tables know and the engines think.
        if self.end.is_some() {
            return Step::Goes;
        }
        let position = self.referee.position();
        let verdict = self.rules.tablebases.and_then(|tables| tables.verdict(position));
        match verdict.map(known_finish).or(early.map(early_finish)) {
            None => Step::Goes,
            Some(finish) => Step::Over(finish, String::new()),
        }
    }

    fn note(&mut self, played: MoveText) {
        let is_first = self.played.is_empty() && !self.position.contains(" moves ");
        self.position.push_str(if is_first { " moves " } else { " " });
        self.position.push_str(played.as_str());
        self.played.push(played);
    }

    fn conclude(mut self, players: &mut Players<'_>, finish: Finish, remark: String) -> PlayedGame {
        for (engine, warnings) in
            [&mut *players.white, &mut *players.black].into_iter().zip(&mut self.warnings)
        {
            add_warning(warnings, Warning::StrayBestMove, engine.take_stray_moves());
        }
        PlayedGame {
            moves_hash: hash(&self.played),
            moves: self.moves,
            winner: finish.winner,
            ending: finish.ending,
            remark,
            warnings: self.warnings,
        }
    }
}

fn known_finish(verdict: TablebaseVerdict) -> Finish {
    let winner = match verdict {
        TablebaseVerdict::Won(winner) => Some(winner),
        TablebaseVerdict::Drawn => None,
    };
    Finish { winner, ending: Ending::TablebaseAdjudicator }
}

fn early_finish(end: EarlyEnd) -> Finish {
    match end {
        EarlyEnd::Won(winner) => Finish { winner: Some(winner), ending: Ending::Resignation },
        EarlyEnd::Draw => Finish { winner: None, ending: Ending::AgreedDraw },
        EarlyEnd::TooLong => Finish { winner: None, ending: Ending::Length },
    }
}

fn seat(color: Color) -> usize {
    usize::from(color.is_black())
}

fn hash(moves: &[MoveText]) -> u64 {
    let text: Vec<_> = moves.iter().map(MoveText::as_str).collect();
    stable_hash(text.join(" ").as_bytes())
}
