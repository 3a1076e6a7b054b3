//! Another engine, driven by UCI with node limits alone.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail};
use koel_board::{CastlingNotation, Game, Move};
use koel_uci::{Bound, Reply, Score};

/// A running engine with its default options. Dropping it ends the program.
pub(crate) struct UciEngine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl UciEngine {
    /// Starts a program.
    ///
    /// # Errors
    /// It cannot be run, or ends before its answer to `uci`.
    pub(crate) fn start(program: &Path) -> Result<UciEngine> {
        let mut command = Command::new(program);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.with_context(|| program.display().to_string())?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            bail!("{}: no pipes", program.display());
        };
        let mut engine = UciEngine { child, input, output: BufReader::new(output) };
        engine.send("uci")?;
        while engine.reply()? != Reply::UciOk {}
        Ok(engine)
    }

    /// Begins a new game: what follows does not depend on earlier searches.
    ///
    /// # Errors
    /// The program has ended.
    pub(crate) fn new_game(&mut self) -> Result<()> {
        self.send("ucinewgame\nisready")?;
        while self.reply()? != Reply::ReadyOk {}
        Ok(())
    }

    /// Searches the current position of a game with so many nodes, and returns the best move with
    /// the last exact score, in centipawns for the side to move; `None` if that is a mate or there
    /// is none.
    ///
    /// # Errors
    /// The program has ended, or the move is not legal.
    pub(crate) fn search(&mut self, game: &Game, nodes: u64) -> Result<Option<(Move, i32)>> {
        let moves: String =
            game.moves().map(|m| format!(" {}", m.uci(CastlingNotation::Standard))).collect();
        let start = game.start();
        let separator = if moves.is_empty() { "" } else { " moves" };
        self.send(&format!("position fen {start}{separator}{moves}\ngo nodes {nodes}"))?;
        let mut score = None;
        loop {
            match self.reply()? {
                Reply::Info(info) => {
                    let report = info.score.filter(|report| report.bound == Bound::Exact);
                    score = report.map(|report| report.score).or(score);
                }
                Reply::BestMove { best, .. } => {
                    let (Some(best), Some(Score::Centipawns(score))) = (best, score) else {
                        return Ok(None);
                    };
                    return Ok(Some((game.position().parse_uci(best.as_str())?, score)));
                }
                _ => {}
            }
        }
    }

    fn send(&mut self, text: &str) -> Result<()> {
        writeln!(self.input, "{text}").context("the engine has ended")
    }

    fn reply(&mut self) -> Result<Reply> {
        let mut line = String::new();
        if self.output.read_line(&mut line)? == 0 {
            bail!("the engine has ended");
        }
        Ok(line.parse()?)
    }
}

impl Drop for UciEngine {
    fn drop(&mut self) {
        // Both fail only when it has ended.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
