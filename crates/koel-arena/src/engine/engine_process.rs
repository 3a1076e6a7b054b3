//! A running engine, and the UCI protocol with it.

use std::time::{Duration, Instant};

use koel_uci::{Command, Go, Options, Reply, SetOption};

use super::child_process::ChildProcess;
use super::fault::{EngineFault, StartError};
use super::search::{SearchReply, exceeded_limit};
use super::spec::{EngineSpec, Timeouts};
use crate::cancel_token::CancelToken;

/// A running engine that has answered `readyok`. Dropping it ends the program.
pub struct EngineProcess {
    process: ChildProcess,
    /// The text of `id name`; empty if there was none.
    name: String,
    options: Options,
    timeouts: Timeouts,
    stray_moves: u32,
    ponders: bool,
    /// The `position` command that the engine ponders on, if it does.
    pondered: Option<String>,
}

impl EngineProcess {
    /// Starts the program, performs the UCI handshake and sets the options.
    ///
    /// # Errors
    /// If the program cannot be run, does not answer in time, or lacks a required option or reports
    /// an error when it is set.
    pub fn start(
        spec: &EngineSpec,
        timeouts: Timeouts,
        cancel: CancelToken<'_>,
    ) -> Result<EngineProcess, StartError> {
        let name = || spec.name.clone();
        let process = ChildProcess::start(spec).map_err(|error| {
            StartError::Spawn(name(), spec.command.display().to_string(), error)
        })?;
        let mut engine = EngineProcess {
            process,
            name: String::new(),
            options: Options::default(),
            timeouts,
            stray_moves: 0,
            ponders: spec.ponders,
            pondered: None,
        };
        let start_error = |fault, expected, timeout: Duration| match fault {
            EngineFault::Cancelled => StartError::Cancelled,
            EngineFault::Crash(stderr) => StartError::Ended(name(), stderr),
            _ => StartError::NoAnswer { name: name(), expected, seconds: timeout.as_secs() },
        };
        let greeted = engine.handshake(cancel);
        greeted.map_err(|fault| start_error(fault, "uciok", timeouts.startup))?;
        let wrong_option = |problem| StartError::Option(name(), problem);
        let chosen = engine.chosen_options(spec).map_err(wrong_option)?;
        let ready = engine.set_options(&chosen).and_then(|()| engine.wait_until_ready(cancel));
        match ready.map_err(|fault| start_error(fault, "readyok", timeouts.ready))? {
            Some(problem) => Err(wrong_option(problem)),
            None => Ok(engine),
        }
    }

    fn handshake(&mut self, cancel: CancelToken<'_>) -> Result<(), EngineFault> {
        self.send(&Command::Uci)?;
        let deadline = Instant::now() + self.timeouts.startup;
        loop {
            // Unknown lines are ignored, as the protocol asks.
            match self.process.read(deadline, cancel)?.text.parse() {
                Ok(Reply::Name(name)) => self.name = name,
                Ok(Reply::Option(option)) => drop(self.options.add(option)),
                Ok(Reply::UciOk) => return Ok(()),
                _ => {}
            }
        }
    }

    fn set_options(&mut self, chosen: &[&(String, String)]) -> Result<(), EngineFault> {
        chosen.iter().try_for_each(|(name, value)| {
            let (name, value) = (name.clone(), Some(value.clone()));
            self.send(&Command::SetOption(SetOption { name, value }))
        })
    }

    /// Returns the options that are set: those that the engine must have, and of the preferred ones
    /// those that it has.
    ///
    /// # Errors
    /// If it lacks one that it must have, or does not take its value.
    pub fn chosen_options<'s>(
        &self,
        spec: &'s EngineSpec,
    ) -> Result<Vec<&'s (String, String)>, String> {
        let check = |(name, value): &(String, String)| {
            let set = SetOption { name: name.clone(), value: Some(value.clone()) };
            self.options.interpret(&set).map(drop).map_err(|error| error.to_string())
        };
        spec.options.iter().try_for_each(check)?;
        let is_required = |preferred: &String| {
            spec.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(preferred))
        };
        let preferred = spec.preferred_options.iter();
        let preferred = preferred.filter(|set| check(set).is_ok() && !is_required(&set.0));
        Ok(spec.options.iter().chain(preferred).collect())
    }

    /// The name that the engine gives itself; empty if it gives none.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn send(&mut self, command: &Command) -> Result<(), EngineFault> {
        self.process.write(&format!("{command}\n"))
    }

    /// Sends `isready` and waits for `readyok`. Returns the first error that the engine reports
    /// before that, the only answer that a `setoption` may have.
    fn wait_until_ready(&mut self, cancel: CancelToken<'_>) -> Result<Option<String>, EngineFault> {
        self.send(&Command::IsReady)?;
        let deadline = Instant::now() + self.timeouts.ready;
        let mut problem = None;
        loop {
            let line = self.process.read(deadline, cancel)?;
            match line.text.parse() {
                Ok(Reply::ReadyOk) => return Ok(problem),
                Ok(Reply::BestMove { .. }) => self.stray_moves += 1,
                _ => problem = problem.or_else(|| reported_error(&line.text)),
            }
        }
    }

    /// Sends `ucinewgame` and waits until the engine is ready.
    ///
    /// # Errors
    /// If the engine has ended or does not answer.
    pub fn new_game(&mut self, cancel: CancelToken<'_>) -> Result<(), EngineFault> {
        self.stop_pondering(cancel)?;
        self.send(&Command::NewGame)?;
        self.wait_until_ready(cancel).map(drop)
    }

    /// Returns the number of unexpected `bestmove` lines since the last call, and resets it.
    pub fn take_stray_moves(&mut self) -> u32 {
        std::mem::take(&mut self.stray_moves)
    }

    /// Lets the engine ponder on a position, in which the opponent has played the expected move, if
    /// it is one that ponders.
    ///
    /// # Errors
    /// If the engine has ended.
    pub(crate) fn ponder(&mut self, position: String, mut go: Go) -> Result<(), EngineFault> {
        if self.ponders {
            go.ponder = true;
            self.process.write(&format!("{position}\n{go}\n"))?;
            self.pondered = Some(position);
        }
        Ok(())
    }

    /// Ends pondering on a move that was not played.
    fn stop_pondering(&mut self, cancel: CancelToken<'_>) -> Result<(), EngineFault> {
        if self.pondered.take().is_none() {
            return Ok(());
        }
        self.send(&Command::Stop)?;
        let deadline = Instant::now() + self.timeouts.stop;
        let mut reply = SearchReply::default();
        self.wait_for_best_move(&mut reply, &Go::default(), deadline, cancel).map(drop)
    }

    /// Searches a position. `position` is the whole `position` command, so that a caller can extend
    /// the text of the move before. An answer after `time` is too late.
    ///
    /// # Errors
    /// If the search brings no move in time. After a stall or a crash the engine is of no further
    /// use.
    pub fn search(
        &mut self,
        position: &str,
        go: &Go,
        time: Duration,
        cancel: CancelToken<'_>,
    ) -> Result<SearchReply, EngineFault> {
        let command = if self.pondered.as_deref() == Some(position) {
            self.pondered = None;
            "ponderhit\n".to_owned()
        } else {
            self.stop_pondering(cancel)?;
            while let Some(line) = self.process.read_available() {
                self.stray_moves += u32::from(line.text.trim_start().starts_with("bestmove"));
            }
            // Both lines in one write, so that the engine wakes once.
            format!("{position}\n{go}\n")
        };
        let started = Instant::now();
        self.process.write(&command)?;
        let mut reply = SearchReply::default();
        let mut answered = self.wait_for_best_move(&mut reply, go, started + time, cancel);
        if answered == Err(EngineFault::Stall) {
            // Too late in any case; `stop` tells a slow engine from one that is stuck.
            self.send(&Command::Stop)?;
            let deadline = Instant::now() + self.timeouts.stop;
            answered = self.wait_for_best_move(&mut reply, go, deadline, cancel);
        }
        reply.elapsed = answered?.saturating_duration_since(started);
        if reply.elapsed > time { Err(EngineFault::TimeLoss(reply.elapsed)) } else { Ok(reply) }
    }

    /// Completes the reply but for its time, and returns the arrival of the move.
    fn wait_for_best_move(
        &mut self,
        reply: &mut SearchReply,
        go: &Go,
        deadline: Instant,
        cancel: CancelToken<'_>,
    ) -> Result<Instant, EngineFault> {
        loop {
            let line = self.process.read(deadline, cancel)?;
            let text = line.text.trim();
            match text.parse() {
                Ok(Reply::BestMove { best, ponder }) => {
                    (reply.best, reply.ponder) = (best, ponder);
                    return Ok(line.at);
                }
                Ok(Reply::Info(info)) => match exceeded_limit(go, &info) {
                    Some(exceeded) => return Err(EngineFault::IgnoredLimit(exceeded)),
                    None => reply.add(*info),
                },
                Err(_) if text.starts_with("bestmove") => {
                    return Err(EngineFault::UnreadableMove(text.to_owned()));
                }
                Ok(Reply::ReadyOk) => {}
                _ => reply.unknown_lines += u32::from(!text.is_empty()),
            }
        }
    }
}

/// Returns the text of a line such as `info string error: ...`, as Koel, Stockfish and others
/// write it.
fn reported_error(line: &str) -> Option<String> {
    let text = line.trim_start().strip_prefix("info string ")?.trim();
    text.get(..5)?.eq_ignore_ascii_case("error").then(|| text.to_owned())
}
