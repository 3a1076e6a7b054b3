//! The terms of a match, as the commands that play one take them.

mod repetition;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Args;
use koel_arena::adjudication::{Adjudication, DrawRule, Resign};
use koel_arena::contest::{Contender, Contest};
use koel_arena::engine::{Deadlines, EngineSpec};
use koel_arena::limits::{Limits, TimeControl};
use koel_arena::opening::{self, KOEL_OPENINGS, Opening};
use koel_arena::record::stable_hash;
use koel_arena::statistics::Sprt;
use koel_arena::tablebases::Tablebases;
use shakmaty::CastlingMode;
use xshell::Shell;

use crate::engines::{self, Resolved};
use crate::runners::Runner;

#[derive(Args, Clone)]
pub(crate) struct Terms {
    /// A clock: seconds and increment, 8+0.08, or for some moves, 40/60+0.5 [default: 8+0.08]
    #[arg(long, group = "limit")]
    tc: Option<TimeControl>,
    /// Nodes for each move; no clock
    #[arg(long, group = "limit")]
    nodes: Option<u64>,
    /// Plies for each move; no clock
    #[arg(long, group = "limit")]
    depth: Option<u32>,
    /// Milliseconds for each move
    #[arg(long, group = "limit", value_name = "MS")]
    movetime: Option<u64>,
    /// Nodes for the first engine, whatever holds for the other
    #[arg(long, value_name = "NODES")]
    nodes_first: Option<u64>,
    /// Nodes for the second engine
    #[arg(long, value_name = "NODES")]
    nodes_second: Option<u64>,
    /// Pairs of games, each of one opening
    #[arg(long, default_value_t = 10_000, conflicts_with = "games")]
    rounds: u32,
    /// Games; rounded up to pairs
    #[arg(long)]
    games: Option<u32>,
    /// Games at once [default: one for each core]
    #[arg(long)]
    concurrency: Option<usize>,
    /// Let the system move games between cores. Without a clock each stays on one otherwise, with
    /// its engines, unless these have threads: handing over is faster so
    #[arg(long)]
    no_pinning: bool,
    /// Gives the order of the openings
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// EPD, FEN or PGN [default: Koel's own set]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Half-moves that are taken of each game of a PGN
    #[arg(long, default_value_t = 8)]
    plies: usize,
    /// Hash of both engines in MiB
    #[arg(long, default_value_t = 16, value_name = "MIB")]
    hash: u32,
    /// An option of both engines; an engine without it is an error
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = name_and_value)]
    options: Vec<(String, String)>,
    /// An option of the first engine
    #[arg(long = "option-first", value_name = "NAME=VALUE", value_parser = name_and_value)]
    options_first: Vec<(String, String)>,
    /// An option of the second engine
    #[arg(long = "option-second", value_name = "NAME=VALUE", value_parser = name_and_value)]
    options_second: Vec<(String, String)>,
    /// A clock may be overdrawn by so many milliseconds
    #[arg(long, default_value_t = 10, value_name = "MS")]
    margin: u64,
    /// Centipawns at which a game is lost when both say so for three moves; 0 for never
    #[arg(long, default_value_t = 600)]
    resign: i32,
    /// Centipawns within which a game is drawn from move 40 on when both say so for eight moves
    #[arg(long, default_value_t = 10)]
    draw: i32,
    /// A draw after so many moves of each
    #[arg(long, default_value_t = 300)]
    most_moves: u32,
    /// A folder of Syzygy tables, which end games with few pieces; may be given more than once
    #[arg(long, value_name = "FOLDER")]
    syzygy: Vec<PathBuf>,
    /// Play every game to its end by the rules
    #[arg(long)]
    no_adjudication: bool,
    /// Check every line of every search, not only the last
    #[arg(long)]
    strict: bool,
    /// Play Chess960
    #[arg(long)]
    chess960: bool,
    /// Where the games go [default: beside the state]
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Where the state is kept, from which the match goes on [default: in target/matches]
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Begin anew, whatever the state says
    #[arg(long)]
    fresh: bool,
    /// Who plays the games; others are looked for in FASTCHESS or CUTECHESS, then on the path
    #[arg(long, value_enum, default_value_t = Runner::Builtin)]
    pub(crate) runner: Runner,
}

pub(crate) fn name_and_value(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("an option is given as NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

impl Terms {
    /// These, with so many nodes for each move if there is no other limit.
    pub(crate) fn or_nodes(mut self, nodes: u64) -> Terms {
        let is_free = self.tc.is_none() && self.depth.is_none() && self.movetime.is_none();
        if is_free && self.nodes.is_none() {
            self.nodes = Some(nodes);
        }
        self
    }

    /// How many games are asked for, if it is said.
    pub(crate) fn games(&self) -> Option<u32> {
        self.games
    }

    /// These, for so many games.
    pub(crate) fn with_games(&self, games: u32) -> Terms {
        Terms { games: Some(games), ..self.clone() }
    }

    /// These, with one more option for either side, and with files of their own.
    pub(crate) fn between(
        &self,
        first: Option<(String, String)>,
        second: Option<(String, String)>,
    ) -> Terms {
        let mut terms = Terms { state: None, pgn: None, ..self.clone() };
        terms.options_first.extend(first);
        terms.options_second.extend(second);
        terms
    }

    /// Whether what is known is to be forgotten.
    pub(crate) fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// The limits and the openings, in words.
    pub(crate) fn words(&self) -> String {
        let openings = self.openings.as_deref().and_then(Path::file_name);
        let openings = openings.map_or("koel.epd".into(), |name| name.to_string_lossy());
        format!("{}, {openings}", self.limits())
    }

    fn limits(&self) -> Limits {
        let movetime = self.movetime.map(|time| Limits::MoveTime(Duration::from_millis(time)));
        let exact = self.nodes.map(Limits::Nodes).or(self.depth.map(Limits::Depth));
        exact.or(movetime).unwrap_or_else(|| Limits::Clock(self.tc.unwrap_or(USUAL_CLOCK)))
    }

    fn read_openings(&self, shell: &Shell) -> Result<Vec<Opening>> {
        Ok(match &self.openings {
            Some(path) => opening::read(&shell.current_dir().join(path), self.plies, self.mode())?,
            None => opening::parse_epd(KOEL_OPENINGS, self.mode())?,
        })
    }

    /// The file of openings, for another runner.
    pub(crate) fn openings_file(&self, shell: &Shell) -> Result<PathBuf> {
        if let Some(path) = &self.openings {
            return Ok(shell.current_dir().join(path));
        }
        let path = folder(shell)?.join("koel.epd");
        shell.write_file(&path, KOEL_OPENINGS)?;
        Ok(path)
    }

    fn mode(&self) -> CastlingMode {
        CastlingMode::from_chess960(self.chess960)
    }

    fn adjudication(&self) -> Adjudication {
        if self.no_adjudication {
            return Adjudication::NONE;
        }
        let resign = Resign { moves: 3, score: self.resign };
        Adjudication {
            resign: (self.resign > 0).then_some(resign),
            draw: (self.draw > 0).then_some(DrawRule { from_move: 40, moves: 8, score: self.draw }),
            most_moves: Some(self.most_moves),
        }
    }

    fn tablebases(&self, shell: &Shell) -> Result<Option<Arc<Tablebases>>> {
        if self.syzygy.is_empty() {
            return Ok(None);
        }
        let folders = self.syzygy.iter().map(|folder| shell.current_dir().join(folder));
        Ok(Some(Arc::new(Tablebases::open(&folders.collect::<Vec<_>>())?)))
    }

    fn spec(&self, resolved: &Resolved, own: &[(String, String)]) -> EngineSpec {
        let mut options = [&self.options[..], own].concat();
        if self.chess960 {
            options.push(("UCI_Chess960".to_owned(), "true".to_owned()));
        }
        EngineSpec {
            name: resolved.name.clone(),
            command: resolved.command.clone(),
            arguments: resolved.arguments.clone(),
            options,
            wishes: engines::fair_options(self.hash),
        }
    }

    /// The match on these terms.
    pub(crate) fn contest(
        &self,
        shell: &Shell,
        engines: [&Resolved; 2],
        sprt: Option<Sprt>,
    ) -> Result<Contest> {
        let mut specs = [
            self.spec(engines[0], &[&engines[0].options[..], &self.options_first[..]].concat()),
            self.spec(engines[1], &[&engines[1].options[..], &self.options_second[..]].concat()),
        ];
        if specs[0].name == specs[1].name {
            specs[0].name += "-1";
            specs[1].name += "-2";
        }
        let mut terms = BTreeMap::new();
        for (place, spec) in ["first", "second"].iter().zip(&specs) {
            let program = fs::read(&spec.command);
            let program = program.with_context(|| spec.command.display().to_string())?;
            terms.insert(format!("{place} program"), format!("{:016x}", stable_hash(&program)));
        }
        let event = format!("{} vs {}", specs[0].name, specs[1].name);
        let [first, second] = specs;
        let limits = |own: Option<u64>| own.map_or_else(|| self.limits(), Limits::Nodes);
        let contenders = [
            Contender { spec: first, limits: limits(self.nodes_first) },
            Contender { spec: second, limits: limits(self.nodes_second) },
        ];
        let mut contest = Contest {
            event,
            is_pinned: !self.no_pinning && contenders.iter().all(repetition::is_exact),
            contenders,
            openings: self.read_openings(shell)?,
            seed: self.seed,
            pairs: self.pairs(),
            concurrency: match self.concurrency {
                Some(concurrency) => concurrency,
                None => thread::available_parallelism()?.get(),
            },
            sprt,
            same_pairs: None,
            adjudication: self.adjudication(),
            tablebases: self.tablebases(shell)?,
            margin: Duration::from_millis(self.margin),
            deadlines: Deadlines::default(),
            mode: self.mode(),
            is_strict: self.strict,
            state: None,
            pgn: None,
            terms,
        };
        repetition::leave_out(&mut contest);
        self.name_files(shell, &mut contest)?;
        Ok(contest)
    }

    fn pairs(&self) -> u32 {
        self.games.map_or(self.rounds, |games| games.div_ceil(2))
    }

    /// Without a name, other terms have other files.
    fn name_files(&self, shell: &Shell, contest: &mut Contest) -> Result<()> {
        let state = match &self.state {
            Some(path) => shell.current_dir().join(path),
            None => {
                let hash = stable_hash(format!("{:?}", contest.all_terms()).as_bytes());
                let event = contest.event.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
                folder(shell)?.join(format!("{event}-{:08x}.json", hash as u32))
            }
        };
        let pgn = match &self.pgn {
            Some(path) => shell.current_dir().join(path),
            None => state.with_extension("pgn"),
        };
        ensure!(state != pgn, "the state and the games need two files");
        if self.fresh {
            shell.remove_path(&state)?;
            shell.remove_path(&pgn)?;
        }
        (contest.state, contest.pgn) = (Some(state), Some(pgn));
        Ok(())
    }
}

const USUAL_CLOCK: TimeControl =
    TimeControl { moves: None, base: Duration::from_secs(8), increment: Duration::from_millis(80) };

/// Where matches are kept.
pub(crate) fn folder(shell: &Shell) -> Result<PathBuf> {
    let folder = engines::target_folder(shell)?.join("matches");
    Ok(shell.create_dir::<&Path>(&folder)?)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        terms: Terms,
    }

    fn terms(words: &str) -> Result<Terms, clap::Error> {
        let line = Line::try_parse_from(["match"].into_iter().chain(words.split_whitespace()));
        line.map(|line| line.terms)
    }

    #[test]
    fn one_limit_holds() {
        let limits = |words| terms(words).unwrap().limits();
        assert_eq!(limits("").to_string(), "8+0.08");
        assert_eq!(limits("--tc 1+0.01").to_string(), "1+0.01");
        assert_eq!(limits("--nodes 500"), Limits::Nodes(500));
        assert_eq!(limits("--movetime 50"), Limits::MoveTime(Duration::from_millis(50)));
        assert!(terms("--nodes 5 --depth 3").is_err());
        assert!(terms("--tc 1+").is_err());
    }

    #[test]
    fn options_have_names_and_values() {
        let terms = terms("--option Hash=32 --option-first A=b=c").unwrap();
        assert_eq!(terms.options, [("Hash".to_owned(), "32".to_owned())]);
        assert_eq!(terms.options_first, [("A".to_owned(), "b=c".to_owned())]);
        assert!(name_and_value("Hash").is_err());
    }

    #[test]
    fn no_opening_is_played_twice_without_a_clock() {
        let pairs = |words: &str| {
            let terms = terms(words).unwrap();
            let shell = Shell::new().unwrap();
            let program = Resolved {
                name: "any".into(),
                command: std::env::current_exe().unwrap(),
                ..Resolved::default()
            };
            let state = std::env::temp_dir().join("koel-terms.json");
            let terms = Terms { state: Some(state), ..terms };
            terms.contest(&shell, [&program, &program], None).unwrap().pairs
        };
        let openings = KOEL_OPENINGS.lines().count() as u32;
        assert_eq!(pairs("--nodes 1000 --games 12000"), openings);
        assert_eq!(pairs("--nodes 1000 --games 100"), 50);
        assert_eq!(pairs("--tc 1+0.01 --games 12000"), 6000);
        assert_eq!(pairs("--nodes 1000 --games 12000 --option-first Threads=2"), 6000);
    }

    #[test]
    fn adjudication_can_be_turned_off() {
        assert_eq!(terms("--no-adjudication").unwrap().adjudication(), Adjudication::NONE);
        assert_eq!(terms("--resign 0").unwrap().adjudication().resign, None);
        assert_eq!(terms("").unwrap().adjudication(), Adjudication::default());
    }
}
