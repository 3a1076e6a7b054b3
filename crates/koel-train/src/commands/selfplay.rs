use std::path::PathBuf;
use std::process::Command;

use clap::Args;
use koel_eval::BUILT_IN;
use koel_train::judge::evaluation;
use koel_train::selfplay::{Goal, Settings, selfplay};

use super::Failure;

/// The arguments of `selfplay`.
#[derive(Args)]
pub(crate) struct Selfplay {
    /// The folder of the run; one that is there is gone on with
    #[arg(long)]
    out: PathBuf,
    /// End when so many different positions are kept
    #[arg(long, default_value_t = u64::MAX, hide_default_value = true)]
    positions: u64,
    /// End after so many games
    #[arg(long, default_value_t = u32::MAX, hide_default_value = true)]
    games: u32,
    /// How many games are played at once
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// The number of the run: other games with each
    #[arg(long, default_value_t = 1)]
    run: u64,
    /// No iteration of a search begins after so many nodes
    #[arg(long, default_value_t = 100)]
    soft_nodes: u64,
    /// No search has more nodes; the default is 20 times the soft limit
    #[arg(long)]
    hard_nodes: Option<u64>,
    /// The table in MiB
    #[arg(long, default_value_t = 4)]
    hash: usize,
    /// The share of games that begin as Chess960
    #[arg(long, default_value_t = 0.1)]
    chess960: f64,
    /// The nodes of the search that says whether an opening is worth playing, as a soft limit
    #[arg(long, default_value_t = 200)]
    sane_nodes: u64,
    /// An opening is played if neither side is ahead by more than this many centipawns
    #[arg(long, default_value_t = 200)]
    sane_score: i32,
    /// The share of games whose opening may be as uneven as `--wide-score`, from 0 to 1
    #[arg(long, default_value_t = 0.2)]
    wide_share: f64,
    /// The bound of those openings in centipawns
    #[arg(long, default_value_t = 600)]
    wide_score: i32,
    /// A game ends when a side is ahead by this many centipawns for four plies
    #[arg(long, default_value_t = 800)]
    win_score: i32,
    /// What evaluates: `material`, or a network of the folder `nets`
    #[arg(long, default_value = BUILT_IN)]
    evaluation: String,
    /// The folder of networks
    #[arg(long, default_value = "nets")]
    nets: PathBuf,
    /// The commit to write into the settings [default: what git says]
    #[arg(long)]
    commit: Option<String>,
}

impl Selfplay {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let settings = Settings {
            run: self.run,
            evaluation: self.evaluation,
            commit: self.commit.unwrap_or_else(commit),
            soft_nodes: self.soft_nodes,
            hard_nodes: self.hard_nodes.unwrap_or(20 * self.soft_nodes),
            hash_mebibytes: self.hash,
            chess960_share: self.chess960,
            sane_score: self.sane_score,
            sane_nodes: self.sane_nodes,
            wide_share: self.wide_share,
            wide_score: self.wide_score,
            win_score: self.win_score,
        };
        let evaluation = evaluation(&settings.evaluation, &self.nets)?;
        let goal = Goal { positions: self.positions, games: self.games };
        let mut tell = |line: &str| eprintln!("{line}");
        let tally = selfplay(&self.out, &settings, &evaluation, goal, self.threads, &mut tell)?;
        println!("{} games, {} positions, {} kept", tally.games, tally.positions, tally.kept);
        Ok(())
    }
}

/// The commit of the working tree, marked if files differ from it.
fn commit() -> String {
    let wanted = ["describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"];
    let output = Command::new("git").args(wanted).output();
    let output = output.ok().filter(|output| output.status.success());
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    text.unwrap_or_else(|| "unknown".to_owned())
}
