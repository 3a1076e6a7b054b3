//! A UCI session on a thread of its own, driven position by position.

use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Write};
use std::thread;

use koel_analyze::{AnalysisEngine, EngineFailure, PositionAnalysis};
use koel_board::{CastlingNotation, Game};
use koel_uci::{Info, Reply, ScoreBound, UciWdl};

use crate::session;

/// A UCI session and the pipes to and from it.
pub(crate) struct EngineSession {
    commands: PipeWriter,
    replies: BufReader<PipeReader>,
    go: String,
}

impl EngineSession {
    /// Starts a session with these options that searches each position with this `go` command.
    pub(crate) fn start(options: &[String], go: String) -> Result<EngineSession, EngineFailure> {
        let (input, commands) = io::pipe()?;
        let (replies, output) = io::pipe()?;
        let run = move || session::run(BufReader::new(input), output);
        thread::Builder::new().name("analysis".to_owned()).spawn(run)?;
        let mut engine = EngineSession { commands, replies: BufReader::new(replies), go };
        engine.send("setoption name UCI_ShowWDL value true")?;
        for option in options {
            engine.send(&format!("setoption name {option}"))?;
        }
        engine.send("isready")?;
        while engine.receive()? != Reply::ReadyOk {}
        Ok(engine)
    }

    fn send(&mut self, line: &str) -> Result<(), EngineFailure> {
        Ok(writeln!(self.commands, "{line}")?)
    }

    /// Reads the next reply; an error message of the engine is an error.
    fn receive(&mut self) -> Result<Reply, EngineFailure> {
        let mut line = String::new();
        if self.replies.read_line(&mut line)? == 0 {
            return Err("the session ended unexpectedly".into());
        }
        let reply = line.parse().unwrap_or_else(|_| Reply::Other(line.clone()));
        match &reply {
            Reply::Info(info) => match info.string.as_deref() {
                Some(text) if text.starts_with("error: ") => Err(text["error: ".len()..].into()),
                _ => Ok(reply),
            },
            _ => Ok(reply),
        }
    }
}

impl AnalysisEngine for EngineSession {
    /// Sends `ucinewgame`, which clears the hash table.
    fn new_game(&mut self) -> Result<(), EngineFailure> {
        self.send("ucinewgame")
    }

    fn analyse(
        &mut self,
        game: &Game,
        plies: usize,
    ) -> Result<Option<PositionAnalysis>, EngineFailure> {
        let mut command = format!("position fen {} moves", game.start());
        let mut positions = game.positions();
        for m in game.moves().take(plies) {
            let before = positions.next().unwrap_or_else(|| game.start().clone());
            command.push(' ');
            command.push_str(&before.uci(m, CastlingNotation::Chess960));
        }
        let position = positions.next().unwrap_or_else(|| game.start().clone());
        self.send(&command)?;
        let go = self.go.clone();
        self.send(&go)?;
        let mut last = Info::default();
        let best = loop {
            match self.receive()? {
                Reply::Info(info) if info.score.is_some_and(|s| s.bound == ScoreBound::Exact) => {
                    last = *info;
                }
                Reply::BestMove { best, .. } => break best,
                _ => {}
            }
        };
        let best = best.and_then(|text| position.parse_uci(text.as_str()).ok());
        Ok(best.zip(last.score).map(|(best, score)| PositionAnalysis {
            best,
            score: score.score,
            expected: last.wdl.map_or(0.5, expected_score),
            depth: last.depth.unwrap_or(0),
            nodes: last.nodes.unwrap_or(0),
            line: last.pv,
        }))
    }
}

/// Returns the probability of a win and half that of a draw.
fn expected_score(wdl: UciWdl) -> f64 {
    (f64::from(wdl.win) + f64::from(wdl.draw) / 2.0) / 1000.0
}
