use std::path::PathBuf;
use std::process::Command;

use clap::Args;
use koel_eval::BUILT_IN;
use koel_train::{SelfplayGoal, SelfplaySettings, load_evaluation, selfplay};

use super::Failure;
use super::priority::Priority;
use super::user_store::user_store;

/// The arguments of `selfplay`.
#[derive(Args)]
pub(crate) struct Selfplay {
    /// The folder of the run; a run that it holds is continued [default: the folder of the run in
    /// the store]
    #[arg(long, conflicts_with = "store")]
    out: Option<PathBuf>,
    /// The folder of the store [default: $KOEL_DATA, or .local/share/koel/games in the home folder]
    #[arg(long)]
    store: Option<PathBuf>,
    /// End the run after this many different kept positions
    #[arg(long, default_value_t = u64::MAX, hide_default_value = true)]
    positions: u64,
    /// End the run after this many games
    #[arg(long, default_value_t = u32::MAX, hide_default_value = true)]
    games: u32,
    /// Games played in parallel; the result does not depend on it
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// The priority of the process
    #[arg(long, value_enum, default_value_t = Priority::Low)]
    priority: Priority,
    /// The random seed of the run [default: that of the newest run of the store with the same
    /// settings and commit, which is continued, or else a new one]
    #[arg(long)]
    run: Option<u64>,
    /// Soft node limit of a full search, whose score is kept: no iteration begins after this many
    /// nodes
    #[arg(long, default_value_t = SelfplaySettings::default().soft_nodes)]
    soft_nodes: u64,
    /// Hard node limit of a full search [default: 20 times the soft limit]
    #[arg(long)]
    hard_nodes: Option<u64>,
    /// Probability of a full search, from 0 to 1; the other moves are chosen by a fast search, and
    /// their positions have no score
    #[arg(long, default_value_t = SelfplaySettings::default().full_search_share)]
    full_search_share: f64,
    /// Soft node limit of a fast search
    #[arg(long, default_value_t = SelfplaySettings::default().fast_soft_nodes)]
    fast_soft_nodes: u64,
    /// Factor for all node limits with at most 12 pieces on the board
    #[arg(long, default_value_t = SelfplaySettings::default().endgame_factor)]
    endgame_factor: u64,
    /// Share of games whose opening is two to four good moves, from 0 to 1
    #[arg(long, default_value_t = SelfplaySettings::default().natural_opening_share)]
    natural_openings: f64,
    /// Share of games whose opening is six or seven random moves; the rest has eight or nine
    #[arg(long, default_value_t = SelfplaySettings::default().short_opening_share)]
    short_openings: f64,
    /// Size of the transposition table of each thread, in MiB
    #[arg(long, default_value_t = SelfplaySettings::default().hash_mebibytes)]
    hash: usize,
    /// Share of games that begin from a Chess960 position, from 0 to 1
    #[arg(long, default_value_t = 0.1)]
    chess960: f64,
    /// Soft node limit of the search that scores an opening
    #[arg(long, default_value_t = 200)]
    opening_nodes: u64,
    /// Largest absolute score of an opening, in centipawns
    #[arg(long, default_value_t = 200)]
    opening_score_bound: i32,
    /// Share of games with the wider opening bound, from 0 to 1
    #[arg(long, default_value_t = 0.2)]
    wide_opening_share: f64,
    /// The wider opening bound, in centipawns
    #[arg(long, default_value_t = 600)]
    wide_opening_score_bound: i32,
    /// End a game when one side is ahead by this many centipawns for four plies
    #[arg(long, default_value_t = 800)]
    win_score: i32,
    /// The evaluation: `material` (with piece-square tables), or the name of a network of --nets
    #[arg(long, default_value = BUILT_IN)]
    evaluation: String,
    /// The folder of networks
    #[arg(long, default_value = "nets")]
    nets: PathBuf,
    /// The commit to record in the settings [default: that of the working tree]
    #[arg(long)]
    commit: Option<String>,
}

impl Selfplay {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let mut settings = SelfplaySettings::default();
        settings.evaluation = self.evaluation;
        settings.commit = self.commit.unwrap_or_else(commit);
        settings.soft_nodes = self.soft_nodes;
        settings.hard_nodes = self.hard_nodes.unwrap_or(20 * self.soft_nodes);
        settings.full_search_share = self.full_search_share;
        settings.fast_soft_nodes = self.fast_soft_nodes;
        settings.endgame_factor = self.endgame_factor;
        settings.natural_opening_share = self.natural_openings;
        settings.short_opening_share = self.short_openings;
        settings.hash_mebibytes = self.hash;
        settings.chess960_share = self.chess960;
        settings.opening_score_bound = self.opening_score_bound;
        settings.opening_nodes = self.opening_nodes;
        settings.wide_opening_share = self.wide_opening_share;
        settings.wide_opening_score_bound = self.wide_opening_score_bound;
        settings.win_score = self.win_score;
        let folder = match self.out {
            Some(folder) => {
                settings.run = self.run.unwrap_or(settings.run);
                folder
            }
            None => {
                let store = user_store(self.store)?;
                settings.run = self.run.map_or_else(|| store.seed_for(&settings), Ok)?;
                store.run_folder(settings.run)
            }
        };
        let evaluation = load_evaluation(&settings.evaluation, &self.nets)?;
        let goal = SelfplayGoal { positions: self.positions, games: self.games };
        let mut report = |line: &str| eprintln!("{line}");
        report(&folder.display().to_string());
        self.priority.apply();
        let totals = selfplay(&folder, &settings, &evaluation, goal, self.threads, &mut report)?;
        println!("{} games, {} positions, {} kept", totals.games, totals.positions, totals.kept);
        Ok(())
    }
}

/// Returns the commit of the working tree, marked if files differ from it.
fn commit() -> String {
    let arguments = ["describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"];
    let output = Command::new("git").args(arguments).output();
    let output = output.ok().filter(|output| output.status.success());
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    text.unwrap_or_else(|| "unknown".to_owned())
}
