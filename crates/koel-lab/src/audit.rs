//! `koel-lab audit`: draws by repetition that a UCI engine overlooks, or sees where there is none.

mod case;
mod verdict;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use indicatif::ProgressBar;
use koel_arena::cli::{CommandContext, fair_options, interrupt_flag, parse_option};
use koel_arena::{CancelToken, EngineProcess, EngineSpec, Timeouts};
use koel_files::{IN_MEMORY, print_line};
use koel_uci::Go;

use crate::workspace::Workspace;
use case::Question;
use verdict::{Answer, Search, Verdict, examine};

/// The suite in the workspace.
const SUITE: &str = "crates/koel-cuckoo/conformance/suite.jsonl";

/// Plays lines of the repetition conformance suite into an engine and reports the draws that it
/// overlooks and the scores of 0.00 without a draw in sight, each with the UCI commands that show
/// it again. docs/conformance.md says what counts.
#[derive(Args)]
pub(crate) struct Audit {
    /// `koel` for a release build of the working tree, a git revision, or a program
    #[arg(default_value = "koel")]
    engine: String,
    /// Take each N-th line of the suite only
    #[arg(long, default_value_t = 1, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Depth in plies of the searches that must see a draw
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..=100))]
    depth: u32,
    /// Findings to print for each question
    #[arg(long, default_value_t = 3)]
    show: usize,
    /// A UCI option of the engine; may be given more than once
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_option)]
    options: Vec<(String, String)>,
    /// A suite other than that of koel-cuckoo
    #[arg(long, value_name = "FILE")]
    suite: Option<PathBuf>,
}

impl Audit {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        let path = self.suite.clone().unwrap_or_else(|| workspace.path(SUITE));
        let text = koel_files::read_to_string(&path, IN_MEMORY);
        let text = text.with_context(|| path.display().to_string())?;
        let cases = case::cases(&text, self.every as usize);
        let cases = cases.with_context(|| path.display().to_string())?;
        let mut engine = Engine { process: self.start(workspace)? };
        let mut tallies = Question::ALL.map(|_| Tally::default());
        let progress = ProgressBar::new(cases.len() as u64);
        for case in &cases {
            tallies[case.question as usize].add(examine(case, self.depth, &mut engine)?);
            progress.inc(1);
        }
        progress.finish_and_clear();
        print_line!("{}\n", engine.process.name());
        print_line!("| question | lines | judged | findings |");
        print_line!("|---|---|---|---|");
        for (question, tally) in Question::ALL.iter().zip(&tallies) {
            let Tally { lines, judged, findings } = tally;
            print_line!("| {} | {lines} | {judged} | {} |", question.name(), findings.len());
        }
        for (question, tally) in Question::ALL.iter().zip(&tallies) {
            for finding in tally.findings.iter().take(self.show) {
                print_line!("\n{}: {finding}", question.name());
            }
        }
        Ok(())
    }

    fn start(&self, workspace: &Workspace) -> Result<EngineProcess> {
        let engine = workspace.resolve(&self.engine)?;
        let mut spec = EngineSpec::new(engine.name, engine.command);
        spec.options = self.options.clone();
        spec.preferred_options = fair_options(HASH_MEBIBYTES);
        // A draw is worth 0 to every engine.
        for name in ["Contempt", "ContemptDrawPenalty", "ContemptComplexity"] {
            spec.preferred_options.push((name.to_owned(), "0".to_owned()));
        }
        let cancel = CancelToken::new(interrupt_flag()?);
        Ok(EngineProcess::start(&spec, Timeouts::default(), cancel)?)
    }
}

const HASH_MEBIBYTES: u32 = 16;

/// The longest search.
const TIMEOUT: Duration = Duration::from_secs(300);

/// The results of one question.
#[derive(Default)]
struct Tally {
    lines: usize,
    judged: usize,
    findings: Vec<String>,
}

impl Tally {
    fn add(&mut self, verdict: Verdict) {
        self.lines += 1;
        self.judged += usize::from(verdict != Verdict::NotJudged);
        if let Verdict::Finding(text) = verdict {
            self.findings.push(text);
        }
    }
}

/// The engine under audit.
struct Engine {
    process: EngineProcess,
}

impl Search for Engine {
    /// Searches a position in a new game, so that the order of the searches does not matter.
    fn search(&mut self, position: &str, go: &Go) -> Result<Option<Answer>> {
        let cancel = CancelToken::new(interrupt_flag()?);
        self.process.new_game(cancel).context("the engine failed")?;
        let reply = self.process.search(position, go, TIMEOUT, cancel);
        let reply = reply.with_context(|| format!("the engine failed after\n{position}\n{go}"))?;
        let answer = reply.score().zip(reply.best);
        Ok(answer.map(|(score, best)| Answer { score, best: best.to_string() }))
    }
}
