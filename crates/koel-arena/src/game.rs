//! One game between two engines.

use std::time::Duration;

use koel_uci::{MoveText, UciScore};
use shakmaty::{CastlingMode, Color, Position};

use crate::adjudication::{Adjudication, EarlyEnd, Watch};
use crate::call_off::CallOff;
use crate::engine::{Allowance, Engine, Thought, Trouble};
use crate::limits::{Clock, Limits};
use crate::opening::Opening;
use crate::record::{Ending, Warning, Warnings, stable_hash};
use crate::referee::{Referee, RuleEnd};
use crate::soak;
use crate::tablebases::{Tablebases, Verdict};

/// What holds for a game beside the rules of chess.
#[derive(Clone, Copy, Debug)]
pub struct GameRules<'t> {
    /// What White may spend.
    pub white: Limits,
    /// What Black may spend.
    pub black: Limits,
    /// How far a clock may be overdrawn without a loss.
    pub margin: Duration,
    /// How long a move without a clock may take.
    pub patience: Duration,
    /// When a game ends early.
    pub adjudication: Adjudication,
    /// What ends it where only few pieces are left.
    pub tablebases: Option<&'t Tablebases>,
    /// Standard chess, or Chess960.
    pub mode: CastlingMode,
    /// Whether every line of every search is checked, not only the last.
    pub is_strict: bool,
}

/// Who sits at the board.
pub struct Players<'e> {
    /// White.
    pub white: &'e mut Engine,
    /// Black.
    pub black: &'e mut Engine,
}

/// A move as it was played.
#[derive(Clone, Debug)]
pub struct PlayedMove {
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
pub struct PlayedGame {
    /// The moves, without those of the opening.
    pub moves: Vec<PlayedMove>,
    /// Who won.
    pub winner: Option<Color>,
    /// How it came about.
    pub ending: Ending,
    /// What is to be said about the ending, such as the illegal move.
    pub remark: String,
    /// A hash of the moves.
    pub hash: u64,
    /// The warnings of White, and of Black.
    pub warnings: [Warnings; 2],
}

impl PlayedGame {
    /// A game that was lost before its first move.
    pub fn forfeit(loser: Color, ending: Ending, remark: String) -> PlayedGame {
        PlayedGame {
            moves: Vec::new(),
            winner: Some(!loser),
            ending,
            remark,
            hash: hash(&[]),
            warnings: [Warnings::new(), Warnings::new()],
        }
    }
}

/// Why there is no game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoGame {
    /// The match was called off.
    Cancelled,
    /// The opening is not playable.
    Opening(String),
}

/// Plays a game. Every fault of an engine is a result; only calling off leaves none.
///
/// # Errors
/// When the game was called off, or the opening is not playable.
pub fn play(
    players: &mut Players<'_>,
    opening: &Opening,
    rules: &GameRules<'_>,
    call_off: CallOff<'_>,
) -> Result<PlayedGame, NoGame> {
    let mut game = Game::new(opening, rules)?;
    let (finish, remark) = loop {
        match game.step(players, call_off) {
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
    watch: Watch,
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
            watch: Watch::default(),
            moves: Vec::new(),
            warnings: [Warnings::new(), Warnings::new()],
        })
    }

    fn step(&mut self, players: &mut Players<'_>, call_off: CallOff<'_>) -> Step {
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
        let time = clock.allows().map_or(self.rules.patience, |time| time + self.rules.margin);
        let allowance = Allowance { time, keeps_all_lines: self.rules.is_strict };
        match engine.think(&self.position, &go, allowance, call_off) {
            Ok(thought) => self.accept(mover, &thought),
            Err(trouble) => self.lost_by(mover, trouble),
        }
    }

    fn lost_by(&self, mover: Color, trouble: Trouble) -> Step {
        let (ending, remark) = match trouble {
            Trouble::Crash(last_words) => (Ending::Crash, last_words),
            Trouble::Stall => (Ending::Stall, String::new()),
            Trouble::TimeLoss(elapsed) => {
                let allowed = self.clocks[seat(mover)].allows().unwrap_or(self.rules.patience);
                let remark =
                    format!("took {:.4}s of {:.4}s", elapsed.as_secs_f64(), allowed.as_secs_f64());
                (Ending::TimeLoss, remark)
            }
            Trouble::Garbage(line) => (Ending::Garbage, line),
            Trouble::Cancelled => return Step::Cancelled,
        };
        Step::Over(Finish { winner: Some(!mover), ending }, remark)
    }

    /// Nobody's clock is running: there is time to look at what was said.
    fn accept(&mut self, mover: Color, thought: &Thought) -> Step {
        let illegal = |text: String| {
            Step::Over(Finish { winner: Some(!mover), ending: Ending::IllegalMove }, text)
        };
        let Some(best) = thought.best else { return illegal("(none)".to_owned()) };
        let infos = thought.infos();
        let warnings = &mut self.warnings[seat(mover)];
        soak::check_search(&self.referee, &infos, best, warnings);
        add(warnings, Warning::Noise, thought.noise);
        let number = self.referee.position().fullmoves().get();
        let Some(ruling) = self.referee.play(best) else { return illegal(best.to_string()) };
        if ruling.is_oddly_written {
            soak::count(warnings, Warning::CastlingNotation);
        }
        self.clocks[seat(mover)].charge(thought.elapsed);
        let score = infos.last().and_then(|info| info.score).map(|report| report.score);
        self.moves.push(PlayedMove {
            san: ruling.san.to_string(),
            score,
            depth: infos.last().and_then(|info| info.depth),
            elapsed: thought.elapsed,
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
            add(warnings, Warning::StrayBestMove, engine.take_stray_moves());
        }
        PlayedGame {
            hash: hash(&self.played),
            moves: self.moves,
            winner: finish.winner,
            ending: finish.ending,
            remark,
            warnings: self.warnings,
        }
    }
}

fn known_finish(verdict: Verdict) -> Finish {
    let winner = match verdict {
        Verdict::Won(winner) => Some(winner),
        Verdict::Drawn => None,
    };
    Finish { winner, ending: Ending::Tablebases }
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

fn add(warnings: &mut Warnings, warning: Warning, times: u32) {
    if times > 0 {
        *warnings.entry(warning).or_default() += times;
    }
}

fn hash(moves: &[MoveText]) -> u64 {
    let text: Vec<_> = moves.iter().map(MoveText::as_str).collect();
    stable_hash(text.join(" ").as_bytes())
}
