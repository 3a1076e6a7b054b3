//! `koel-lab suite`: test positions with known best moves.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use indicatif::ProgressBar;
use koel_arena::cli::{CommandContext, interrupt_flag};
use koel_arena::{CancelToken, EngineProcess, EngineSpec, SearchRequest, Timeouts};
use koel_board::Epd;
use koel_files::IN_MEMORY;
use koel_uci::{Go, Milliseconds, MoveText};

use crate::workspace::Workspace;

/// Searches every position of an EPD file, and counts the moves that are among the best moves of
/// the position (`bm`) and not among the moves to avoid (`am`).
#[derive(Args)]
pub(crate) struct Suite {
    /// Positions with the operations `bm` or `am`
    file: PathBuf,
    /// `koel` for a release build of the working tree, a git revision, or a program
    #[arg(default_value = "koel")]
    engine: String,
    /// Milliseconds for each position
    #[arg(long, default_value_t = 1000, value_name = "MS")]
    movetime: u64,
    /// Nodes for each position, instead of time
    #[arg(long)]
    nodes: Option<u64>,
    /// Size of the transposition table in MiB
    #[arg(long, default_value_t = 64, value_name = "MIB")]
    hash: u32,
}

impl Suite {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        let positions = koel_files::read_to_string(&self.file, IN_MEMORY);
        let positions = positions.with_context(|| self.file.display().to_string())?;
        let positions: Vec<&str> =
            positions.lines().filter(|line| !line.trim().is_empty()).collect();
        let mut engine = self.start(workspace)?;
        let progress = ProgressBar::new(positions.len() as u64);
        let mut failed = Vec::new();
        for (number, line) in (1..).zip(&positions) {
            let epd: Epd = line.parse().with_context(|| format!("line {number}"))?;
            let answer = self.search(&mut engine, &epd)?;
            if !is_solved(&epd, answer.as_ref())? {
                let name =
                    epd.operand("id").map_or_else(|| format!("line {number}"), str::to_owned);
                failed.push(format!("{name}: {}", answer.map_or("(none)".to_owned(), san(&epd))));
            }
            progress.inc(1);
        }
        progress.finish_and_clear();
        for line in &failed {
            println!("{line}");
        }
        println!("{} of {} solved", positions.len() - failed.len(), positions.len());
        Ok(())
    }

    fn start(&self, workspace: &Workspace) -> Result<EngineProcess> {
        let engine = workspace.resolve(&self.engine)?;
        let spec = EngineSpec::new(engine.name, engine.command)
            .with_preferred_option("Hash", self.hash)
            .with_preferred_option("Threads", 1);
        let cancel = CancelToken::new(interrupt_flag()?);
        Ok(EngineProcess::start(&spec, Timeouts::default(), cancel)?)
    }

    /// Searches a position. Each is a new game, so that their order does not matter.
    fn search(&self, engine: &mut EngineProcess, epd: &Epd) -> Result<Option<MoveText>> {
        let cancel = CancelToken::new(interrupt_flag()?);
        engine.new_game(cancel).context("the engine failed")?;
        let movetime = i64::try_from(self.movetime).unwrap_or(i64::MAX);
        let go = match self.nodes {
            Some(nodes) => Go { nodes: Some(nodes), ..Go::default() },
            None => Go { movetime: Some(Milliseconds(movetime)), ..Go::default() },
        };
        let request = SearchRequest { time: Duration::from_secs(3600), keeps_all_lines: false };
        let position = format!("position fen {}", epd.position);
        let reply = engine.search(&position, &go, request, cancel).context("the engine failed")?;
        Ok(reply.best)
    }
}

fn san(epd: &Epd) -> impl Fn(MoveText) -> String {
    |text| match epd.position.parse_uci(text.as_str()) {
        Ok(m) => epd.position.san(m),
        Err(error) => error.to_string(),
    }
}

fn is_solved(epd: &Epd, answer: Option<&MoveText>) -> Result<bool> {
    let Some(answer) = answer else { return Ok(false) };
    let answer = epd.position.parse_uci(answer.as_str())?;
    let (mut best, mut avoided) = (Vec::new(), Vec::new());
    for operation in &epd.operations {
        let list = match operation.opcode.as_str() {
            "bm" => &mut best,
            "am" => &mut avoided,
            _ => continue,
        };
        for text in &operation.operands {
            list.push(epd.position.parse_san(text)?);
        }
    }
    Ok((best.is_empty() || best.contains(&answer)) && !avoided.contains(&answer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_moves_are_right_and_moves_to_avoid_are_wrong() {
        let answer = |text: &str| Some(text.parse::<MoveText>().unwrap());
        let epd: Epd = "6k1/5ppp/8/8/8/8/8/K3R3 w - - bm Re8#;".parse().unwrap();
        assert!(is_solved(&epd, answer("e1e8").as_ref()).unwrap());
        assert!(!is_solved(&epd, answer("e1e7").as_ref()).unwrap());
        assert!(!is_solved(&epd, None).unwrap());
        let epd: Epd = "6k1/5ppp/8/8/8/8/8/K3R3 w - - am Re7 Re6;".parse().unwrap();
        assert!(is_solved(&epd, answer("e1e8").as_ref()).unwrap());
        assert!(!is_solved(&epd, answer("e1e6").as_ref()).unwrap());
    }
}
