//! Checks of an engine against the UCI protocol, each with a process of its own.

use std::time::{Duration, Instant};

use koel_uci::{Info, MoveText, OptionKind, Options, Reply, Score};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};

use super::child_process::ChildProcess;
use super::fault::EngineFault;
use super::spec::{EngineSpec, Timeouts};
use crate::cancel_token::CancelToken;
use crate::pv_checks::check_pvs;
use crate::record::{Ending, Warnings};
use crate::referee::Referee;

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckResult {
    /// The engine does what the protocol asks.
    Passed,
    /// The engine does not declare the option that the check is about.
    NotApplicable(&'static str),
    /// The engine does something else.
    Failed(String),
}

impl From<String> for CheckResult {
    fn from(problem: String) -> CheckResult {
        CheckResult::Failed(problem)
    }
}

fn ensure(holds: bool, problem: impl FnOnce() -> String) -> Result<(), CheckResult> {
    if holds { Ok(()) } else { Err(problem().into()) }
}

type Check = fn(&mut Dialogue) -> Result<(), CheckResult>;

const START: &str = "startpos";
const MATE_IN_ONE: &str = "fen 7k/8/6K1/8/8/8/8/5Q2 w - - 0 1";
const MATED: &str = "fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
const CASTLING: &str = "fen 5k2/8/8/8/8/8/8/4K2R w K - 0 1";

/// Time by which an answer may be late without a clock, and after `stop`.
const PATIENCE: Duration = Duration::from_secs(5);
/// Time by which `movetime` may be exceeded on a busy machine.
const MARGIN: Duration = Duration::from_millis(250);

const CHECKS: [(&str, Check); 22] = [
    ("`uci` is answered with a name", |dialogue| dialogue.identifies("id name ")),
    ("`uci` is answered with an author", |dialogue| dialogue.identifies("id author ")),
    ("every option has a valid declaration", |dialogue| {
        dialogue.wrong_option.take().map_or(Ok(()), |problem| Err(problem.into()))
    }),
    ("every option takes its least and its default value", Dialogue::takes_values),
    ("`ucinewgame` and `isready` are answered", |dialogue| dialogue.is_ready("ucinewgame\n")),
    ("an unknown command is ignored", |dialogue| dialogue.is_ready("joho debug on\n")),
    ("`go depth` is obeyed with a legal move", |dialogue| {
        let infos = dialogue.search(START, "go depth 4", PATIENCE)?;
        Dialogue::within(
            infos.iter().filter_map(|info| info.depth.map(u64::from)).max(),
            4,
            "plies",
        )
    }),
    ("`go nodes` is obeyed", |dialogue| {
        let infos = dialogue.search(START, "go nodes 20000", PATIENCE)?;
        Dialogue::within(infos.iter().filter_map(|info| info.nodes).max(), 30_000, "nodes")
    }),
    ("`go movetime` is kept", |dialogue| {
        let time = Duration::from_millis(300);
        dialogue.search(START, "go movetime 300", time + MARGIN).map(drop)
    }),
    ("a clock is kept", |dialogue| {
        let go = "go wtime 1000 btime 1000 winc 10 binc 10 movestogo 20";
        dialogue.search(START, go, Duration::from_secs(1)).map(drop)
    }),
    ("`go infinite` waits for `stop`", |dialogue| dialogue.waits(START, "go infinite", "stop")),
    ("it does so with a mate in one", |dialogue| {
        dialogue.waits(MATE_IN_ONE, "go infinite", "stop")
    }),
    ("`go ponder` waits for `ponderhit`", |dialogue| {
        dialogue.set("Ponder", "true")?;
        dialogue.waits(START, "go ponder wtime 500 btime 500", "ponderhit")
    }),
    ("`isready` is answered during a search", |dialogue| {
        dialogue.send("position startpos\ngo infinite\n")?;
        dialogue.is_ready("")?;
        Ok(dialogue.ask("stop\n", "bestmove", PATIENCE).map(drop)?)
    }),
    ("every PV is legal and begins with the move played", |dialogue| {
        let go = "go movetime 300";
        dialogue.search("startpos moves e2e4 e7e5 g1f3 b8c6", go, PATIENCE).map(drop)
    }),
    ("MultiPV shows different moves", Dialogue::shows_several_lines),
    ("Chess960: castling is the king to its rook", |dialogue| {
        dialogue.set("UCI_Chess960", "true")?;
        dialogue.mode = CastlingMode::Chess960;
        dialogue.search(&format!("{CASTLING} moves e1h1"), "go depth 4", PATIENCE).map(drop)
    }),
    ("a mate in one is found and named", |dialogue| {
        let infos = dialogue.search(MATE_IN_ONE, "go depth 4", PATIENCE)?;
        let score = infos.iter().rev().find_map(|info| info.score).map(|report| report.score);
        ensure(score == Some(Score::Mate(1)), || format!("the score is {score:?}, not mate 1"))
    }),
    ("a position without a move is answered", |dialogue| {
        dialogue.ask(&format!("position {MATED}\ngo depth 2\n"), "bestmove", PATIENCE)?;
        dialogue.is_ready("")
    }),
    ("`quit` ends the program", |dialogue| dialogue.ends("quit\n")),
    ("`quit` ends it during a search", |dialogue| dialogue.ends("go infinite\nquit\n")),
    ("a closed input ends the program", |dialogue| dialogue.ends("")),
];

/// Checks an engine. `report` is given each check by its name, with its result. The first is the
/// last for a program that does not start.
pub fn check_engine(spec: &EngineSpec, report: &mut dyn FnMut(&str, CheckResult)) {
    for (index, (name, check)) in CHECKS.into_iter().enumerate() {
        let started = Dialogue::start(spec).map_err(CheckResult::Failed);
        let is_hopeless = index == 0 && started.is_err();
        let result = started.and_then(|mut dialogue| check(&mut dialogue));
        report(name, result.err().unwrap_or(CheckResult::Passed));
        if is_hopeless {
            return;
        }
    }
}

/// A running engine that has answered `uci` and `isready`.
struct Dialogue {
    process: ChildProcess,
    /// The answers to `uci`.
    lines: Vec<String>,
    options: Options,
    /// The first line that is no valid declaration of an option.
    wrong_option: Option<String>,
    mode: CastlingMode,
}

impl Dialogue {
    fn start(spec: &EngineSpec) -> Result<Dialogue, String> {
        let process = ChildProcess::start(spec).map_err(|error| error.to_string())?;
        let (options, mode) = (Options::default(), CastlingMode::Standard);
        let (lines, wrong_option) = (Vec::new(), None);
        let mut dialogue = Dialogue { process, lines, options, wrong_option, mode };
        dialogue.lines = dialogue.ask("uci\n", "uciok", Timeouts::default().startup)?;
        for line in dialogue.lines.iter().filter(|line| line.starts_with("option ")) {
            let added = match line.parse() {
                Ok(Reply::Option(option)) => {
                    dialogue.options.add(option).map_err(|e| e.to_string())
                }
                Ok(_) => Err("no declaration".to_owned()),
                Err(error) => Err(error.to_string()),
            };
            let problem = added.err().map(|error| format!("`{line}`: {error}"));
            dialogue.wrong_option = dialogue.wrong_option.or(problem);
        }
        for (name, value) in &spec.options {
            dialogue.send(&format!("setoption name {name} value {value}\n"))?;
        }
        dialogue.ask("isready\n", "readyok", Timeouts::default().ready)?;
        Ok(dialogue)
    }

    fn send(&mut self, text: &str) -> Result<(), String> {
        self.process.write(text).map_err(|fault| fault.to_string())
    }

    /// Sends text and returns the lines up to the one that begins with the answer.
    fn ask(&mut self, text: &str, answer: &str, time: Duration) -> Result<Vec<String>, String> {
        let deadline = Instant::now() + time;
        self.send(text)?;
        let mut lines = Vec::new();
        loop {
            match self.process.read(deadline, CancelToken::NEVER) {
                Ok(line) => lines.push(line.text),
                Err(EngineFault::Stall) => {
                    return Err(format!("no `{answer}` within {} ms", time.as_millis()));
                }
                Err(fault) => return Err(fault.to_string()),
            }
            if lines.last().is_some_and(|line| line.trim_start().starts_with(answer)) {
                return Ok(lines);
            }
        }
    }

    /// Searches a position. Returns the `info` lines, which must be valid, with legal PVs and move.
    fn search(&mut self, at: &str, go: &str, time: Duration) -> Result<Vec<Info>, CheckResult> {
        let lines = self.ask(&format!("position {at}\n{go}\n"), "bestmove", time)?;
        let after = self.ask("isready\n", "readyok", PATIENCE)?;
        let is_second = |line: &String| line.trim_start().starts_with("bestmove");
        ensure(!after.iter().any(is_second), || "a second `bestmove`".to_owned())?;
        let mut infos = Vec::new();
        let mut best = None;
        for line in &lines {
            match line.parse() {
                Ok(Reply::Info(info)) => infos.push(*info),
                Ok(Reply::BestMove { best: found, .. }) => best = found,
                Ok(_) => {}
                Err(error) => return Err(format!("`{line}`: {error}").into()),
            }
        }
        let mut referee = self.referee(at)?;
        let best = best.ok_or_else(|| "no move".to_owned())?;
        let mut warnings = Warnings::new();
        check_pvs(&referee, &infos, best, &mut warnings);
        let is_legal = referee.play(best).is_some_and(|played| !played.is_foreign_castling);
        ensure(is_legal, || format!("{best} is not legal"))?;
        let is_right = at != MATE_IN_ONE || referee.end() == Some(Ending::Checkmate);
        ensure(is_right, || format!("{best} does not mate"))?;
        match warnings.into_keys().next() {
            Some(warning) => Err(format!("{warning:?}").into()),
            None => Ok(infos),
        }
    }

    /// Returns the position of a `position` command, all of which are of this module.
    fn referee(&self, at: &str) -> Result<Referee, String> {
        let (start, moves) = at.split_once(" moves ").unwrap_or((at, ""));
        let position = match start.strip_prefix("fen ").map(str::parse::<Fen>) {
            Some(fen) => fen.ok().and_then(|fen| fen.into_position(self.mode).ok()),
            None => Some(Chess::new()),
        };
        let mut referee = Referee::new(position.unwrap_or_default(), self.mode);
        for m in moves.split_whitespace().filter_map(|text| text.parse::<MoveText>().ok()) {
            referee.play(m).ok_or_else(|| format!("{m} is not legal"))?;
        }
        Ok(referee)
    }

    fn identifies(&mut self, start: &str) -> Result<(), CheckResult> {
        let is_given =
            |line: &String| line.strip_prefix(start).is_some_and(|text| !text.is_empty());
        ensure(self.lines.iter().any(is_given), || format!("no `{start}`"))
    }

    fn within(found: Option<u64>, limit: u64, unit: &str) -> Result<(), CheckResult> {
        let found = found.ok_or_else(|| format!("no report of {unit}"))?;
        ensure(found <= limit, || format!("{found} {unit}, at most {limit} are expected"))
    }

    fn takes_values(&mut self) -> Result<(), CheckResult> {
        let mut text = String::new();
        for option in self.options.iter() {
            let values = match option.kind() {
                OptionKind::Spin { default, min, .. } => vec![min.to_string(), default.to_string()],
                OptionKind::Check { default } => vec![(!default).to_string(), default.to_string()],
                OptionKind::Combo { default, .. } => vec![default.clone()],
                _ => Vec::new(),
            };
            for value in values {
                text += &format!("setoption name {} value {value}\n", option.name());
            }
        }
        self.is_ready(&text)
    }

    /// Sets an option that the check is about.
    fn set(&mut self, name: &'static str, value: &str) -> Result<(), CheckResult> {
        self.options.get(name).ok_or(CheckResult::NotApplicable(name))?;
        self.is_ready(&format!("setoption name {name} value {value}\n"))
    }

    fn is_ready(&mut self, before: &str) -> Result<(), CheckResult> {
        Ok(self.ask(&format!("{before}isready\n"), "readyok", PATIENCE).map(drop)?)
    }

    /// A search that must not end before this word.
    fn waits(&mut self, at: &str, go: &str, word: &str) -> Result<(), CheckResult> {
        let early = self.ask(&format!("position {at}\n{go}\n"), "bestmove", MARGIN);
        ensure(early.is_err(), || format!("`bestmove` before `{word}`"))?;
        Ok(self.ask(&format!("{word}\n"), "bestmove", PATIENCE).map(drop)?)
    }

    fn shows_several_lines(&mut self) -> Result<(), CheckResult> {
        self.set("MultiPV", "3")?;
        let infos = self.search(START, "go depth 4", PATIENCE)?;
        let first = |rank| {
            let info = infos.iter().rfind(|info| info.multipv == Some(rank))?;
            info.pv.first().copied()
        };
        let [one, two, three] = [1, 2, 3].map(first);
        let are_three = three.is_some() && one != two && two != three && one != three;
        ensure(are_three, || format!("{one:?}, {two:?}, {three:?}"))
    }

    fn ends(&mut self, text: &str) -> Result<(), CheckResult> {
        self.send(text)?;
        if text.is_empty() {
            self.process.close_input();
        }
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.process.read(deadline, CancelToken::NEVER) {
                Ok(_) => {}
                Err(EngineFault::Crash(_)) => return Ok(()),
                Err(_) => return Err("the program goes on".to_owned().into()),
            }
        }
    }
}
