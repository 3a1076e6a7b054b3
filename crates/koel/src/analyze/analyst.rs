//! A session of the engine's own, in a thread, that is asked position by position.

use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Write};
use std::thread::{self, JoinHandle};

use koel_board::{CastlingNotation, Game, Move};
use koel_uci::{Info, MoveText, Reply, ScoreBound, UciScore};

use super::AnalyzeError;
use crate::session;

/// What is found of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Finding {
    pub(crate) best: Move,
    /// From the view of the side to move.
    pub(crate) score: UciScore,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    /// The line that begins with the best move, in UCI notation.
    pub(crate) line: Vec<MoveText>,
}

/// The session and the pipes to and from it.
pub(crate) struct Analyst {
    commands: PipeWriter,
    replies: BufReader<PipeReader>,
    session: JoinHandle<io::Result<()>>,
    go: String,
}

impl Analyst {
    /// A session with these options that answers each question by this `go`.
    pub(crate) fn start(options: &[String], go: String) -> Result<Analyst, AnalyzeError> {
        let (input, commands) = io::pipe()?;
        let (replies, output) = io::pipe()?;
        let run = move || session::run(BufReader::new(input), output);
        let session = thread::Builder::new().name("analysis".to_owned()).spawn(run)?;
        let mut analyst = Analyst { commands, replies: BufReader::new(replies), session, go };
        for option in options {
            analyst.say(&format!("setoption name {option}"))?;
        }
        analyst.say("isready")?;
        while analyst.hear()? != Reply::ReadyOk {}
        Ok(analyst)
    }

    /// What has been found so far is forgotten.
    pub(crate) fn new_game(&mut self) -> Result<(), AnalyzeError> {
        self.say("ucinewgame")
    }

    /// The position after so many plies; `None` if the game is over there.
    pub(crate) fn analyse(
        &mut self,
        game: &Game,
        plies: usize,
    ) -> Result<Option<Finding>, AnalyzeError> {
        let mut command = format!("position fen {} moves", game.start());
        let mut positions = game.positions();
        for m in game.moves().take(plies) {
            let before = positions.next().unwrap_or_else(|| game.start().clone());
            command.push(' ');
            command.push_str(&before.uci(m, CastlingNotation::Chess960));
        }
        let position = positions.next().unwrap_or_else(|| game.start().clone());
        self.say(&command)?;
        let go = self.go.clone();
        self.say(&go)?;
        let mut last = Info::default();
        let best = loop {
            match self.hear()? {
                Reply::Info(info) if info.score.is_some_and(|s| s.bound == ScoreBound::Exact) => {
                    last = *info;
                }
                Reply::BestMove { best, .. } => break best,
                _ => {}
            }
        };
        let best = best.and_then(|text| position.parse_uci(text.as_str()).ok());
        Ok(best.zip(last.score).map(|(best, score)| Finding {
            best,
            score: score.score,
            depth: last.depth.unwrap_or(0),
            nodes: last.nodes.unwrap_or(0),
            line: last.pv,
        }))
    }

    /// Ends the session.
    pub(crate) fn end(mut self) -> Result<(), AnalyzeError> {
        self.say("quit")?;
        match self.session.join() {
            Ok(ended) => Ok(ended?),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }

    fn say(&mut self, line: &str) -> Result<(), AnalyzeError> {
        Ok(writeln!(self.commands, "{line}")?)
    }

    /// The next reply; a complaint of the engine's is an error.
    fn hear(&mut self) -> Result<Reply, AnalyzeError> {
        let mut line = String::new();
        if self.replies.read_line(&mut line)? == 0 {
            return Err(AnalyzeError::Engine("the session ended too soon".to_owned()));
        }
        let reply = line.parse().unwrap_or_else(|_| Reply::Other(line.clone()));
        match &reply {
            Reply::Info(info) => match info.string.as_deref() {
                Some(text) if text.starts_with("error: ") => {
                    Err(AnalyzeError::Engine(text["error: ".len()..].to_owned()))
                }
                _ => Ok(reply),
            },
            _ => Ok(reply),
        }
    }
}
