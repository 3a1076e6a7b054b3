//! One engine: its process, and the protocol with it.

mod output;
mod process;

use std::fmt::Write;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use koel_uci::{Command, Go, Info, MoveText, Options, Reply, SetOption};

use crate::call_off::CallOff;
use output::Silence;
use process::Process;

/// How an engine is started and set up.
#[derive(Clone, Debug, Default)]
pub struct EngineSpec {
    /// What the match calls it.
    pub name: String,
    /// The program.
    pub command: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Options it must have, with their values.
    pub options: Vec<(String, String)>,
    /// Options that are set where it has them.
    pub wishes: Vec<(String, String)>,
}

/// How long an engine may take for what no clock measures.
#[derive(Clone, Copy, Debug)]
pub struct Deadlines {
    /// From the start to `uciok`, and from there to `readyok`.
    pub startup: Duration,
    /// For a move without a clock: by nodes or depth.
    pub patience: Duration,
    /// After `stop`, for the move: who says nothing until then has stalled.
    pub stall: Duration,
}

impl Default for Deadlines {
    fn default() -> Deadlines {
        Deadlines {
            startup: Duration::from_secs(10),
            patience: Duration::from_secs(120),
            stall: Duration::from_secs(2),
        }
    }
}

/// What an engine says about itself.
#[derive(Clone, Debug, Default)]
pub struct Identity {
    /// `id name`; empty when it has none.
    pub name: String,
    /// `id author`.
    pub author: String,
    /// The options it declares.
    pub options: Options,
}

/// Why an engine cannot play.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The program cannot be run.
    #[error("{name}: {command} cannot be started: {source}")]
    Spawn {
        /// What the match calls it.
        name: String,
        /// The program.
        command: String,
        /// What the system says.
        source: io::Error,
    },
    /// It ended before it was ready.
    #[error("{name} ended before it was ready; it said: {last_words}")]
    Ended {
        /// What the match calls it.
        name: String,
        /// The end of its standard error stream.
        last_words: String,
    },
    /// It did not say the word in time.
    #[error("{name} did not say {word} within {seconds} s")]
    Silent {
        /// What the match calls it.
        name: String,
        /// `uciok` or `readyok`.
        word: &'static str,
        /// How long it had.
        seconds: u64,
    },
    /// It has no such option, or not with such a value.
    #[error("{name}: {problem}")]
    Option {
        /// What the match calls it.
        name: String,
        /// What is wrong.
        problem: String,
    },
    /// The match was called off.
    #[error("called off")]
    Cancelled,
}

/// What an engine did instead of answering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It ended.
    Crash(String),
    /// It answered neither in time nor to `stop`. It has to be killed.
    Stall,
    /// It answered too late: after so long.
    TimeLoss(Duration),
    /// It said `bestmove` and nothing that could be a move.
    Garbage(String),
    /// The match was called off.
    Cancelled,
}

/// The outcome of a search.
#[derive(Clone, Debug)]
pub struct Thought {
    /// The move; `None` for `(none)`.
    pub best: Option<MoveText>,
    /// The `info` lines with a score, as they came; the last one only unless all were asked for.
    pub lines: Vec<String>,
    /// From before the command was sent to when the answer was there.
    pub elapsed: Duration,
    /// Lines that are none of the protocol.
    pub noise: u32,
}

impl Thought {
    /// What the lines say.
    pub fn infos(&self) -> Vec<Info> {
        let read = |line: &String| match line.parse() {
            Ok(Reply::Info(info)) => Some(*info),
            _ => None,
        };
        self.lines.iter().filter_map(read).collect()
    }
}

/// How long a search may take, and what is kept of it.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// Later answers have lost on time.
    pub time: Duration,
    /// Whether every line is kept, not only the last.
    pub keeps_all_lines: bool,
}

/// An engine that has said that it is ready.
pub struct Engine {
    process: Process,
    identity: Identity,
    deadlines: Deadlines,
    stray: u32,
    text: String,
}

impl Engine {
    /// Starts it, introduces itself and sets its options.
    ///
    /// # Errors
    /// When it cannot be run, does not get ready in time, or lacks an option it must have.
    pub fn start(
        spec: &EngineSpec,
        deadlines: Deadlines,
        call_off: CallOff<'_>,
    ) -> Result<Engine, StartError> {
        let process = Process::start(spec).map_err(|source| StartError::Spawn {
            name: spec.name.clone(),
            command: spec.command.display().to_string(),
            source,
        })?;
        let identity = Identity::default();
        let mut engine = Engine { process, identity, deadlines, stray: 0, text: String::new() };
        engine.introduce(call_off).map_err(|silence| engine.start_error(spec, "uciok", silence))?;
        engine.set_options(spec)?;
        engine.settle(call_off).map_err(|silence| engine.start_error(spec, "readyok", silence))?;
        Ok(engine)
    }

    fn start_error(&self, spec: &EngineSpec, word: &'static str, silence: Silence) -> StartError {
        let name = spec.name.clone();
        match silence {
            Silence::Ended => StartError::Ended { name, last_words: self.process.last_words() },
            Silence::Late => {
                StartError::Silent { name, word, seconds: self.deadlines.startup.as_secs() }
            }
            Silence::Cancelled => StartError::Cancelled,
        }
    }

    fn introduce(&mut self, call_off: CallOff<'_>) -> Result<(), Silence> {
        self.send(&Command::Uci)?;
        let deadline = Instant::now() + self.deadlines.startup;
        loop {
            // A line that makes no sense is passed over: GUIs do so too.
            match self.process.read(deadline, call_off)?.text.parse() {
                Ok(Reply::Name(name)) => self.identity.name = name,
                Ok(Reply::Author(author)) => self.identity.author = author,
                Ok(Reply::Option(option)) => drop(self.identity.options.add(option)),
                Ok(Reply::UciOk) => return Ok(()),
                _ => {}
            }
        }
    }

    fn set_options(&mut self, spec: &EngineSpec) -> Result<(), StartError> {
        let option_error = |problem| StartError::Option { name: spec.name.clone(), problem };
        let sets = |(name, value): &(String, String)| SetOption {
            name: name.clone(),
            value: Some(value.clone()),
        };
        let has = |set: &SetOption| self.identity.options.interpret(set).is_ok();
        let is_stated = |set: &SetOption| {
            spec.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(&set.name))
        };
        let stated: Vec<_> = spec.options.iter().map(sets).collect();
        for set in &stated {
            let interpreted = self.identity.options.interpret(set);
            interpreted.map_err(|error| option_error(error.to_string()))?;
        }
        let wishes = spec.wishes.iter().map(sets).filter(|set| has(set) && !is_stated(set));
        let all: Vec<_> = stated.iter().cloned().chain(wishes).collect();
        for set in all {
            let sent = self.send(&Command::SetOption(set));
            sent.map_err(|silence| self.start_error(spec, "readyok", silence))?;
        }
        Ok(())
    }

    /// What it says about itself.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    fn send(&mut self, command: &Command) -> Result<(), Silence> {
        self.process.write(&format!("{command}\n"))
    }

    /// Waits until it has done all it was told.
    fn settle(&mut self, call_off: CallOff<'_>) -> Result<(), Silence> {
        self.send(&Command::IsReady)?;
        let deadline = Instant::now() + self.deadlines.startup;
        loop {
            let line = self.process.read(deadline, call_off)?;
            match line.text.parse() {
                Ok(Reply::ReadyOk) => return Ok(()),
                Ok(Reply::BestMove { .. }) => self.stray += 1,
                _ => {}
            }
        }
    }

    /// Tells it that another game begins, and waits until it is ready for that.
    ///
    /// # Errors
    /// When it has ended or does not answer.
    pub fn new_game(&mut self, call_off: CallOff<'_>) -> Result<(), Trouble> {
        let sent = self.send(&Command::NewGame);
        sent.and_then(|()| self.settle(call_off)).map_err(|silence| self.trouble(silence))
    }

    fn trouble(&self, silence: Silence) -> Trouble {
        match silence {
            Silence::Ended => Trouble::Crash(self.process.last_words()),
            Silence::Late => Trouble::Stall,
            Silence::Cancelled => Trouble::Cancelled,
        }
    }

    /// Lines of `bestmove` that nobody had asked for, since the last question.
    pub fn take_stray_moves(&mut self) -> u32 {
        std::mem::take(&mut self.stray)
    }

    /// Lets it search. `position` is the whole command, which the caller may keep from one move to
    /// the next.
    ///
    /// # Errors
    /// When no move comes of it. After a stall or a crash there is no use in asking again.
    pub fn think(
        &mut self,
        position: &str,
        go: &Go,
        allowance: Allowance,
        call_off: CallOff<'_>,
    ) -> Result<Thought, Trouble> {
        while let Some(line) = self.process.read_waiting() {
            self.stray += u32::from(line.text.trim_start().starts_with("bestmove"));
        }
        self.text.clear();
        // Both lines at once: the engine is woken once.
        let _ = writeln!(self.text, "{position}\n{go}");
        let started = Instant::now();
        let mut search = Search { started, allowance, lines: Vec::new(), noise: 0 };
        self.process.write(&self.text).map_err(|silence| self.trouble(silence))?;
        match self.listen(&mut search, started + allowance.time, call_off) {
            Ok(Answer { best, elapsed }) if elapsed <= allowance.time => {
                Ok(Thought { best, lines: search.lines, elapsed, noise: search.noise })
            }
            Ok(answer) => Err(Trouble::TimeLoss(answer.elapsed)),
            Err(Trouble::Stall) => {
                // Too late in any case: is it slow, or has it gone?
                let deadline = Instant::now() + self.deadlines.stall;
                self.send(&Command::Stop).map_err(|silence| self.trouble(silence))?;
                let answer = self.listen(&mut search, deadline, call_off)?;
                Err(Trouble::TimeLoss(answer.elapsed))
            }
            Err(trouble) => Err(trouble),
        }
    }

    fn listen(
        &mut self,
        search: &mut Search,
        deadline: Instant,
        call_off: CallOff<'_>,
    ) -> Result<Answer, Trouble> {
        loop {
            let line = self.process.read(deadline, call_off);
            let line = line.map_err(|silence| self.trouble(silence))?;
            let text = line.text.trim_start();
            if text.starts_with("bestmove") {
                let elapsed = line.at.saturating_duration_since(search.started);
                return match text.parse() {
                    Ok(Reply::BestMove { best, .. }) => Ok(Answer { best, elapsed }),
                    _ => Err(Trouble::Garbage(text.to_owned())),
                };
            }
            search.note(line.text);
        }
    }
}

struct Answer {
    best: Option<MoveText>,
    elapsed: Duration,
}

struct Search {
    started: Instant,
    allowance: Allowance,
    lines: Vec<String>,
    noise: u32,
}

/// So many lines of one search are kept.
const MOST_LINES: usize = 2_000;

impl Search {
    fn note(&mut self, text: String) {
        let trimmed = text.trim_start();
        if trimmed.starts_with("info") {
            if trimmed.contains(" score ") {
                if !self.allowance.keeps_all_lines || self.lines.len() == MOST_LINES {
                    self.lines.pop();
                }
                self.lines.push(text);
            }
        } else if !trimmed.is_empty() && !trimmed.starts_with("readyok") {
            self.noise += 1;
        }
    }
}
