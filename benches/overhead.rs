//! The overhead of the match runner: games of two Koels with a node limit, compared with the same
//! searches without the runner.
//!
//! Identical games are played in three ways, interleaved. Alone: the searches in this process, with
//! nothing but clearing the table between games, as `ucinewgame` does. Over pipes: two engine
//! processes and the simplest program that can play them. By the runner: with openings, referee, PV
//! checks, state file and PGN. The benchmark checks that the games are identical. On Linux it also
//! measures which threads use the CPU time over pipes.
//!
//! `cargo bench -p koel --bench overhead -- [NODES] [GAMES] [ROUNDS]`
#![allow(missing_docs, clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark")]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Instant;

use koel_arena::{
    DEFAULT_OPENINGS, EngineSpec, GameId, Match, MatchEngine, MatchState, MoveLimits, Opening,
    opening_order, parse_epd, read_state, stay_on_one_core,
};
use koel_board::{CastlingNotation, Game, Position};
use koel_random::fnv1a;
use koel_search::{Shared, Worker};
use shakmaty::CastlingMode;

const KOEL: &str = env!("CARGO_BIN_EXE_koel");
const HASH_MEBIBYTES: usize = 16;

fn main() {
    // Cargo passes `--bench` on.
    let numbers: Vec<u64> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    let number = |index: usize, usual| numbers.get(index).copied().unwrap_or(usual);
    let (nodes, games, rounds) = (number(0, 1000), number(1, 20), number(2, 9));
    let mut sums = [Cost::default(); 4];
    let mut shown = [0.0; 3];
    let mut shares = [const { Vec::new() }; 4];
    let openings = parse_epd(DEFAULT_OPENINGS.as_bytes(), CastlingMode::Standard).unwrap();
    // The first use of memory is slow: a match that is not measured warms up.
    Workload { nodes, pairs: 1, seed: 0, openings: openings.clone() }.with_runner(false);
    for round in 0..rounds {
        let openings = openings.clone();
        let workload = Workload { nodes, pairs: (games / 2) as u32, seed: round, openings };
        let (by_runner, games) = workload.with_runner(true);
        let mut parts = [0.0; 3];
        let costs = [
            measure(|| workload.alone(&games)),
            measure(|| parts = workload.over_pipes(&games)),
            by_runner,
            workload.with_runner(false).0,
        ];
        for (index, cost) in costs.iter().enumerate() {
            sums[index] += *cost;
            shares[index].push(costs[0].wall / cost.wall);
        }
        sums.iter_mut().for_each(|sum| sum.moves += moves(&games));
        shown.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
    }
    println!(
        "{nodes} nodes a move, {} moves in {rounds} rounds; microseconds a move:",
        sums[0].moves
    );
    println!(
        "|                         |  time |   CPU | speed, median of rounds | speed by CPU |"
    );
    let names = ["alone", "over pipes", "by the runner", "the same, not pinned"];
    for ((name, sum), shares) in names.iter().zip(&sums).zip(&mut shares) {
        shares.sort_by(f64::total_cmp);
        let [time, cpu] = [sum.wall, sum.cpu].map(|seconds| 1e6 * seconds / sum.moves as f64);
        let median = 100.0 * shares[shares.len() / 2];
        let by_cpu = 100.0 * sums[0].cpu / sum.cpu;
        println!("| {name:<23} | {time:5.0} | {cpu:5.0} | {median:21.1} % | {by_cpu:10.1} % |");
    }
    let [searching, talking, driving] = shown.map(|part| 1e6 * part / sums[0].moves as f64);
    println!(
        "Over pipes: {searching:.0} in the search threads of the engines, {talking:.0} in their"
    );
    println!("other threads, {driving:.0} in the program that plays them.");
}

/// The cost of a measurement in seconds.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    wall: f64,
    /// CPU time of this process and its child processes.
    cpu: f64,
    moves: u64,
}

impl std::ops::AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        self.wall += other.wall;
        self.cpu += other.cpu;
    }
}

/// Measures a function on core 0.
fn measure(work: impl FnOnce() + Send) -> Cost {
    thread::scope(|scope| {
        let work = scope.spawn(|| {
            stay_on_one_core(0);
            cost(work)
        });
        work.join().unwrap()
    })
}

fn cost(work: impl FnOnce()) -> Cost {
    let (start, cpu) = (Instant::now(), cpu_seconds());
    work();
    Cost { wall: start.elapsed().as_secs_f64(), cpu: cpu_seconds() - cpu, moves: 0 }
}

/// The CPU time of this process and its child processes on Linux, with a resolution of 10 ms; 0 on
/// other systems.
fn cpu_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name, which may contain anything: user and system time of the process and of its
    // child processes.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(4);
    fields.filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn moves(games: &MatchState) -> u64 {
    games.games.values().map(|game| u64::from(game.plies)).sum()
}

struct Workload {
    nodes: u64,
    pairs: u32,
    seed: u64,
    openings: Vec<Opening>,
}

impl Workload {
    /// Plays a match; returns its cost and its games.
    fn with_runner(&self, is_pinned: bool) -> (Cost, MatchState) {
        let file = |ending: &str| {
            PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("overhead.{ending}"))
        };
        let (state, pgn) = (file("json"), file("pgn"));
        for path in [&state, &pgn] {
            let _ = fs::remove_file(path);
        }
        let engine = |name: &str| {
            let spec = EngineSpec::new(name, KOEL).with_option("Hash", HASH_MEBIBYTES);
            MatchEngine { spec, limits: MoveLimits::Nodes(self.nodes) }
        };
        let engines = [engine("one"), engine("other")];
        let mut config = Match::new(engines, self.openings.clone());
        (config.seed, config.pairs, config.is_pinned) = (self.seed, self.pairs, is_pinned);
        (config.state, config.pgn) = (Some(state.clone()), Some(pgn));
        let cost = cost(|| {
            config.run(&false.into(), &|_| {}).unwrap();
        });
        (cost, read_state(&state).unwrap().unwrap())
    }

    /// Returns the opening of a game and its number of plies.
    fn opening(&self, games: &MatchState, id: GameId) -> (String, u32) {
        let order = opening_order(self.openings.len(), self.seed);
        let fen = self.openings[order[id.pair as usize - 1]].fen.clone().unwrap();
        (fen, games.games[&id].plies)
    }

    fn alone(&self, games: &MatchState) {
        let mut engines = [InProcessEngine::new(), InProcessEngine::new()];
        for (&id, record) in &games.games {
            engines.iter_mut().for_each(InProcessEngine::new_game);
            let (fen, plies) = self.opening(games, id);
            let mut game = Game::new(Position::from_fen(&fen).unwrap());
            let mut texts = Vec::new();
            for ply in 0..plies {
                let best = engines[engine_to_move(&fen, id, ply)].search(&game, self.nodes);
                texts.push(game.position().uci(best, CastlingNotation::Standard).to_string());
                game.play(best).unwrap();
            }
            assert_eq!(fnv1a(texts.join(" ").as_bytes()), record.moves_hash, "game {id}");
        }
    }

    /// Plays the games over pipes; returns the CPU seconds of the search threads of the engines, of
    /// their other threads, and of this thread.
    fn over_pipes(&self, games: &MatchState) -> [f64; 3] {
        let started = seconds_of(Path::new("/proc/thread-self"));
        let mut engines = [PipedEngine::start(), PipedEngine::start()];
        for (&id, record) in &games.games {
            engines
                .iter_mut()
                .for_each(|engine| engine.send_and_wait("ucinewgame\nisready\n", "readyok"));
            let (fen, plies) = self.opening(games, id);
            let mut texts: Vec<String> = Vec::new();
            let mut position = format!("position fen {fen} moves");
            for ply in 0..plies {
                let engine = &mut engines[engine_to_move(&fen, id, ply)];
                engine.send_and_wait(&format!("{position}\ngo nodes {}\n", self.nodes), "bestmove");
                let best = engine.line.split_whitespace().nth(1).unwrap();
                position += " ";
                position += best;
                texts.push(best.to_owned());
            }
            assert_eq!(fnv1a(texts.join(" ").as_bytes()), record.moves_hash, "game {id}");
        }
        let mut parts = [0.0, 0.0, seconds_of(Path::new("/proc/thread-self")) - started];
        for engine in &engines {
            let [searching, others] = engine.seconds();
            parts[0] += searching;
            parts[1] += others;
        }
        parts
    }
}

/// The CPU time of a thread in seconds on Linux; 0 on other systems.
fn seconds_of(thread: &Path) -> f64 {
    let counted = fs::read_to_string(thread.join("schedstat")).unwrap_or_default();
    // The first number is the CPU time in nanoseconds.
    let nanoseconds = counted.split(' ').next().and_then(|number| number.parse::<f64>().ok());
    nanoseconds.unwrap_or(0.0) / 1e9
}

/// The index of the engine that moves.
fn engine_to_move(fen: &str, id: GameId, ply: u32) -> usize {
    let is_black_first = fen.split(' ').nth(1) == Some("b");
    (ply as usize + usize::from(is_black_first) + usize::from(id.is_swapped)) % 2
}

/// The search of an engine without its UCI session.
struct InProcessEngine {
    shared: Shared,
    worker: Worker,
}

impl InProcessEngine {
    fn new() -> InProcessEngine {
        InProcessEngine { shared: Shared::new(HASH_MEBIBYTES, 1).unwrap(), worker: Worker::new(0) }
    }

    fn new_game(&mut self) {
        self.shared.clear(1);
        self.worker.reset();
    }

    fn search(&mut self, game: &Game, nodes: u64) -> koel_board::Move {
        self.shared.new_search();
        self.shared.limit_nodes(nodes);
        let limits = koel_search::Limits::default();
        let result = self.worker.search(&self.shared, game, &limits, &mut ());
        result.best_move.unwrap()
    }
}

/// An engine process behind two pipes.
struct PipedEngine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    line: String,
}

impl PipedEngine {
    fn start() -> PipedEngine {
        let mut command = Command::new(KOEL);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut engine = PipedEngine { child, input, output, line: String::new() };
        let hash = format!("setoption name Hash value {HASH_MEBIBYTES}\nisready\n");
        engine.send_and_wait(&hash, "readyok");
        engine
    }

    /// Returns the CPU seconds of the threads that may search, and of the others.
    fn seconds(&self) -> [f64; 2] {
        let threads = fs::read_dir(format!("/proc/{}/task", self.child.id()));
        let mut seconds = [0.0; 2];
        for thread in threads.into_iter().flatten().filter_map(Result::ok) {
            let name = fs::read_to_string(thread.path().join("comm")).unwrap_or_default();
            // Short searches run on the session thread.
            let may_search = name.starts_with("search") || name.starts_with("session");
            seconds[usize::from(!may_search)] += seconds_of(&thread.path());
        }
        seconds
    }

    /// Sends a text and reads lines until one begins with this word.
    fn send_and_wait(&mut self, text: &str, word: &str) {
        self.input.write_all(text.as_bytes()).unwrap();
        self.line.clear();
        while !self.line.starts_with(word) {
            self.line.clear();
            assert!(self.output.read_line(&mut self.line).unwrap() > 0, "the engine has ended");
        }
    }
}

impl Drop for PipedEngine {
    fn drop(&mut self) {
        let _ = self.input.write_all(b"quit\n");
        let _ = self.child.wait();
    }
}
