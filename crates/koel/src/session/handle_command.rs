//! The commands of a session: UCI and Koel's own.

use std::io::{self, Write};
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::atomic::AtomicBool;
use std::thread::available_parallelism;
use std::time::Duration;

use koel_board::{Color, Game, Move, Position};
use koel_engine::{Clock, Request, check_memory};
use koel_eval::{Evaluation, NetworkBreakdown};
use koel_search::Depth;
use koel_uci::{
    Command, Go, Milliseconds, MoveText, PositionSetup, Reply, SearchEnd, StartPosition,
};

use crate::ENGINE_NAME;
use crate::commands::bench::{self, BenchSettings};
use crate::commands::display::{self, MoveNotation};
use crate::commands::genfens::Genfens;
use crate::commands::perft::{self, MAX_PERFT_DEPTH};
use crate::session::Session;
use crate::session::command_error::{CommandError, shortened};
use crate::session::hash_file::HashCommand;
use crate::session::options;
use crate::session::report::ReportSettings;
use crate::session::set_option::describe_evaluation;
use crate::session::terminal::{Terminal, USUAL_WIDTH};

const HELP: &str = include_str!("../help.txt");
const LICENSE: &str = include_str!("../license.txt");

/// The node limit of a damaged `go` without a usable limit: a few milliseconds.
const DEFAULT_NODES: u64 = 10_000;

const MAX_BENCH_THREADS: u32 = 1024;

/// The time of a speedtest in seconds, unless one is given.
const SPEEDTEST_SECONDS: u32 = 30;

/// The MiB of hash for each thread of a speedtest, unless a size is given.
const SPEEDTEST_HASH: usize = 64;

/// The commands beyond UCI that use the transposition table or the threads, and `wait`, whose only
/// effect is that it and the commands after it wait for the job.
const IDLE_ONLY: &[&str] = &["bench", "genfens", "hash", "speedtest", "wait"];

impl Session<'_> {
    /// Executes a command, or prints an error. (`quit` is handled by the event loop.)
    pub(crate) fn handle_command(&mut self, command: Command) -> io::Result<()> {
        let result = if self.job.is_some() && self.requires_idle(&command) {
            let text = command.to_string();
            Err(CommandError::Busy(shortened(&text)))
        } else {
            self.execute_command(command)
        };
        match result {
            Ok(()) => Ok(()),
            Err(error) => self.fail(error),
        }
    }

    /// Returns true if a command cannot be executed while a job is running: it waits, or is refused
    /// while only `stop` or `ponderhit` can end the search.
    pub(crate) fn requires_idle(&self, command: &Command) -> bool {
        match command {
            Command::Go(_) | Command::NewGame => true,
            Command::SetOption(set) => self.option_requires_idle(set),
            Command::Other { name, .. } => IDLE_ONLY.contains(&name.as_str()),
            _ => false,
        }
    }

    fn execute_command(&mut self, command: Command) -> Result<(), CommandError> {
        match command {
            Command::Uci => self.identify()?,
            Command::IsReady => self.send(&Reply::ReadyOk)?,
            Command::NewGame => {
                self.engine.new_game();
            }
            Command::SetOption(set) => self.set_option(&set)?,
            Command::Position(setup) => self.set_position(setup)?,
            Command::Go(go) => self.go(&go)?,
            Command::Stop => self.stop(),
            Command::PonderHit => self.engine.ponder_hit(),
            Command::Other { name, arguments } => self.execute_extra_command(&name, &arguments)?,
            Command::Debug(_) | Command::Register(_) | Command::Quit => {}
        }
        Ok(())
    }

    /// Executes a command beyond UCI.
    fn execute_extra_command(&mut self, name: &str, arguments: &str) -> Result<(), CommandError> {
        match name {
            "bench" => self.bench(arguments)?,
            "speedtest" => self.speedtest(arguments)?,
            "compiler" => self.send_lines(&compiler())?,
            "d" => self.show_position()?,
            "eval" => {
                self.send_lines(&evaluation_text(&self.engine.evaluation(), self.game.position()))?
            }
            "flip" => self.flip()?,
            "genfens" => self.genfens(arguments)?,
            "hash" => self.hash_file(HashCommand::parse(arguments)?)?,
            "help" if arguments == "options" => {
                let width = self.terminal.as_ref().map_or(USUAL_WIDTH, Terminal::width);
                self.send_lines(&options::list(width))?;
            }
            "help" => self.send_lines(HELP)?,
            "license" => self.send_lines(LICENSE)?,
            "wait" => {}
            _ => return Err(CommandError::Unknown(shortened(name))),
        }
        Ok(())
    }

    fn notation(&self) -> MoveNotation {
        match self.terminal {
            Some(_) => MoveNotation::San,
            None => MoveNotation::Uci(self.settings.castling()),
        }
    }

    fn show_position(&mut self) -> io::Result<()> {
        let board = match &self.terminal {
            Some(terminal) => terminal.render_board(&self.game),
            None => display::render_board(&self.game),
        };
        self.send_lines(&(board + &display::render_data(&self.game, self.notation())))
    }

    /// Exchanges the colours. The moves that led to the position are forgotten.
    fn flip(&mut self) -> Result<(), CommandError> {
        if self.has_no_position {
            return Err(CommandError::NoPosition("flip"));
        }
        let fen = self.game.position().with_colors_exchanged().to_string();
        self.set_position(PositionSetup { start: StartPosition::Fen(fen), moves: Vec::new() })
    }

    /// Sets the position. When it continues the last one, as in most games, only the new moves are
    /// played.
    fn set_position(&mut self, setup: PositionSetup) -> Result<(), CommandError> {
        self.has_no_position = true;
        let known = &self.setup;
        let is_continuation = setup.start == known.start && setup.moves.starts_with(&known.moves);
        self.game = if is_continuation {
            play_moves(self.game.clone(), &setup.moves, known.moves.len())?
        } else {
            let start = self.start_position(&setup.start)?;
            play_moves(Game::new(start), &setup.moves, 0)?
        };
        self.setup = setup;
        self.has_no_position = false;
        Ok(())
    }

    /// Returns the start of a game. Faults of a FEN that do not matter are reported.
    fn start_position(&mut self, start: &StartPosition) -> Result<Position, CommandError> {
        let StartPosition::Fen(fen) = start else { return Ok(Position::start()) };
        let (position, faults) = Position::from_faulty_fen(fen)?;
        for fault in faults {
            self.send(&Reply::error(CommandError::PassedOver(fault)))?;
        }
        Ok(position)
    }

    fn identify(&mut self) -> io::Result<()> {
        self.terminal = None;
        self.update_castling();
        self.send(&Reply::Name(ENGINE_NAME.to_owned()))?;
        self.send(&Reply::Author("the Koel authors".to_owned()))?;
        for declaration in self.options.clone().iter() {
            if options::find(declaration.name()).is_none_or(|row| row.is_listed) {
                self.send(&Reply::Option(declaration.clone()))?;
            }
        }
        self.send(&Reply::UciOk)
    }

    pub(crate) fn hash_file(&mut self, command: HashCommand) -> Result<(), CommandError> {
        let (table, fingerprint) = (self.engine.hash_table(), self.fingerprint());
        let writes = matches!(command, HashCommand::Save(_));
        self.transfer_file(writes, move || command.execute(&table, fingerprint))
    }

    /// Runs `bench [DEPTH]`, or `bench HASH THREADS DEPTH` as other engines have it.
    fn bench(&mut self, arguments: &str) -> Result<(), CommandError> {
        let default = BenchSettings::DEFAULT;
        let settings = match numbers(arguments).as_deref() {
            Some([]) => default,
            Some(&[depth]) => BenchSettings { depth, ..default },
            Some(&[hash @ 1..=u32::MAX, threads @ 1..=MAX_BENCH_THREADS, depth]) => BenchSettings {
                hash_mebibytes: hash as usize,
                threads: threads as usize,
                depth,
                ..default
            },
            _ => return Err(CommandError::BenchSyntax(shortened(arguments))),
        };
        self.run_bench(settings)
    }

    /// Runs `speedtest [THREADS [HASH [SECONDS]]]`: the positions of the bench with all cores.
    fn speedtest(&mut self, arguments: &str) -> Result<(), CommandError> {
        let given = numbers(arguments).filter(|given| given.len() <= 3 && !given.contains(&0));
        let given = given.ok_or_else(|| CommandError::SpeedtestSyntax(shortened(arguments)))?;
        let number = |index: usize| given.get(index).copied();
        let cores = || available_parallelism().map_or(1, NonZeroUsize::get);
        let threads = number(0).map_or_else(cores, |threads| threads as usize);
        if threads > MAX_BENCH_THREADS as usize {
            return Err(CommandError::SpeedtestSyntax(shortened(arguments)));
        }
        let seconds = number(2).unwrap_or(SPEEDTEST_SECONDS);
        let positions = bench::bench_positions().filter(Position::has_legal_moves).count() as u32;
        self.run_bench(BenchSettings {
            hash_mebibytes: number(1).map_or(threads * SPEEDTEST_HASH, |hash| hash as usize),
            threads,
            depth: u32::MAX,
            time: Some(Duration::from_secs(seconds.into()) / positions),
        })
    }

    fn run_bench(&mut self, settings: BenchSettings) -> Result<(), CommandError> {
        let bytes = (settings.hash_mebibytes as u64) << 20;
        check_memory(bytes, 0).map_err(CommandError::BenchMemory)?;
        self.run_in_background(move |_, stop| run_bench(&settings, stop))
    }

    fn genfens(&mut self, arguments: &str) -> Result<(), CommandError> {
        let genfens = Genfens::parse(arguments)?;
        let positions = genfens.start_positions()?;
        self.run_in_background(move |send, stop| {
            genfens.run(&positions, send, stop)?;
            Ok(Reply::text("all positions are generated"))
        })
    }

    /// Starts a search or a perft. What cannot be obeyed is reported and passed over.
    pub(crate) fn go(&mut self, go: &Go) -> Result<(), CommandError> {
        for error in &go.errors {
            self.fail(error.clone().into())?;
        }
        if self.has_no_position {
            self.fail(CommandError::NoPosition("go"))?;
            return Ok(self.send(&Reply::best_move(Some(MoveText::NULL)))?);
        }
        match go.perft {
            Some(depth) if depth <= MAX_PERFT_DEPTH => return self.perft(depth),
            Some(_) => self.fail(CommandError::PerftDepth)?,
            None => {}
        }
        self.announce_evaluation()?;
        let root_moves = self.root_moves(go)?;
        let is_damaged = go.perft.is_some() || root_moves.len() < go.searchmoves.len();
        if !needs_default_limit(go, is_damaged) {
            self.search(go, root_moves);
            return Ok(());
        }
        self.fail(CommandError::NoLimit(DEFAULT_NODES))?;
        self.search(&Go { nodes: Some(DEFAULT_NODES), ..go.clone() }, root_moves);
        Ok(())
    }

    fn perft(&mut self, depth: u32) -> Result<(), CommandError> {
        let (position, notation) = (self.game.position().clone(), self.notation());
        self.run_in_background(move |send, stop| {
            Ok(perft::perft(&position, depth, notation, send, stop))
        })
    }

    /// Returns the legal moves of `searchmoves`. If there are none, all moves are searched.
    fn root_moves(&mut self, go: &Go) -> io::Result<Vec<Move>> {
        let mut moves = Vec::new();
        for text in &go.searchmoves {
            match self.game.position().parse_uci(text.as_str()) {
                Ok(m) => moves.push(m),
                Err(error) => self.fail(CommandError::SearchMove(error))?,
            }
        }
        Ok(moves)
    }

    /// Names the evaluation before the first search with it.
    fn announce_evaluation(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.is_evaluation_announced, true) {
            return Ok(());
        }
        let name = describe_evaluation(&self.evaluation_file, &self.engine.evaluation());
        self.send(&Reply::text(format_args!("evaluation: {name}")))
    }

    fn search(&mut self, go: &Go, root_moves: Vec<Move>) {
        // Analysis wants the true value of a draw, and is not ended by a limit of strength.
        let is_analysis = go.end() == SearchEnd::Stop || self.settings.is_analysis;
        let contempt = if is_analysis { 0 } else { self.settings.contempt };
        let elo = self.settings.limited_elo().filter(|_| !is_analysis);
        if let Some(terminal) = &mut self.terminal {
            terminal.start_search(self.game.position());
        }
        let request = Request {
            depth: go.depth.map(|plies| Depth(i32::try_from(plies).unwrap_or(i32::MAX))),
            nodes: go.nodes,
            mate: go.mate,
            time: go.movetime.map(duration),
            clock: clock(go, self.game.position().turn()),
            infinite: go.end() == SearchEnd::Stop,
            ponder: go.ponder,
            root_moves,
            multi_pv: self.settings.multi_pv,
            contempt,
            elo,
            move_overhead: self.settings.move_overhead,
            nodes_per_millisecond: self.settings.nodes_time,
            ..Request::new(self.game.clone())
        };
        let settings = ReportSettings {
            castling: self.castling(),
            shows_wdl: self.settings.shows_wdl,
            is_minimal: self.settings.is_minimal,
        };
        self.start_search(request, settings);
    }
}

/// Returns the clock of the side to move in a command, `None` without one. A clock that is given
/// for the opponent alone counts as an empty one.
fn clock(go: &Go, turn: Color) -> Option<Clock> {
    let (left, increment) = turn.fold_wb((go.wtime, go.winc), (go.btime, go.binc));
    let [left, increment] = [left, increment].map(|time| time.map_or(Duration::ZERO, duration));
    let moves_to_go = go.movestogo.and_then(NonZeroU32::new);
    let has_clock = go.wtime.is_some() || go.btime.is_some();
    has_clock.then_some(Clock { left, increment, moves_to_go })
}

/// Converts milliseconds; a negative time is none.
fn duration(time: Milliseconds) -> Duration {
    Duration::from_millis(time.0.max(0).unsigned_abs())
}

/// Returns true if no limit is left in a command of which a part could not be obeyed. Such a search
/// ends by itself, because a GUI that has set a limit sends no `stop`.
fn needs_default_limit(go: &Go, is_damaged: bool) -> bool {
    match go.end() {
        SearchEnd::Limit => false,
        SearchEnd::Stop => is_damaged && !go.infinite,
        SearchEnd::Default => true,
    }
}

/// Runs the benchmark. The details go to the standard error stream, where OpenBench and fishtest
/// read them.
fn run_bench(settings: &BenchSettings, stop: &AtomicBool) -> Result<Reply, CommandError> {
    let mut log = io::stderr().lock();
    // The standard error stream may be closed.
    let bench = bench::bench(settings, stop, |line| drop(writeln!(log, "{line}")));
    let Some(bench) = bench.map_err(CommandError::Bench)? else {
        return Ok(Reply::text("bench was stopped"));
    };
    let _ = write!(log, "\n{}", bench.details());
    Ok(Reply::Other(bench.to_string()))
}

/// Parses whole numbers; `None` if a word is none.
fn numbers(arguments: &str) -> Option<Vec<u32>> {
    arguments.split_whitespace().map(|word| word.parse().ok()).collect()
}

/// Plays moves, the first `known` of which have already been played.
fn play_moves(mut game: Game, moves: &[MoveText], known: usize) -> Result<Game, CommandError> {
    for (number, text) in (1..).zip(moves).skip(known) {
        let move_error = |error| CommandError::Move { number, error };
        let m = game.position().parse_uci(text.as_str()).map_err(move_error)?;
        game.play(m).expect("a move that could be read is legal");
    }
    Ok(game)
}

/// Describes the static evaluation of a position for people.
fn evaluation_text(evaluation: &Evaluation, position: &Position) -> String {
    match evaluation {
        Evaluation::Network(network) => NetworkBreakdown::new(network, position).to_string(),
        _ => {
            let score = evaluation.evaluate(position).0;
            format!("Material and squares: {score:+} for the side to move")
        }
    }
}

/// Describes the version, the compiler and the target of this build.
fn compiler() -> String {
    let assertions = if cfg!(debug_assertions) { "on" } else { "off" };
    format!(
        "{ENGINE_NAME}\n{}\nTarget: {}\nDebug assertions: {assertions}",
        env!("KOEL_COMPILER"),
        env!("KOEL_TARGET")
    )
}

#[cfg(test)]
mod tests {
    /// Returns the output of `d` after these commands.
    fn display_after(commands: &[&str]) -> String {
        let mut output = Vec::new();
        let input = commands.join("\n") + "\nd\n";
        crate::run(std::io::Cursor::new(input), &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        let errors = |line: &&str| !line.starts_with("info string error");
        text.lines().filter(errors).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_position_does_not_depend_on_the_one_before() {
        let knights = "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3";
        let fen = "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e2e4";
        let others = [
            "position startpos",
            "position startpos moves g1f3 g8f6",
            "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6",
            "position startpos moves e2e4",
            "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "position startpos moves g1f3 g8f6 f3g1 f6g8 e2e5",
            "ucinewgame",
            "position startpos moves g1f3 g8f6\nflip",
        ];
        for position in [knights, fen] {
            let alone = display_after(&[position]);
            for other in others {
                assert_eq!(display_after(&[other, position]), alone, "{other}");
                assert_eq!(display_after(&[position, other, position]), alone, "{other}");
            }
        }
        // An illegal move changes nothing.
        let wrong = "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 a1a8";
        assert_eq!(display_after(&[knights, wrong]), display_after(&[knights]));
    }
}
