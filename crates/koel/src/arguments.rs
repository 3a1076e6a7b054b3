//! What stands behind `koel` on the command line.

use std::ffi::OsString;
use std::io::{self, BufReader, IsTerminal, Write};
use std::process::ExitCode;

use clap::{Args, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use koel_board::{Game, Position};

use crate::analyze::Analyze;
use crate::errand::MAX_PERFT_DEPTH;
use crate::{cycles, logging, pgn, session};

/// A chess engine for any GUI that speaks UCI. Without a command it does so.
#[derive(Debug, Parser)]
#[command(
    name = "koel",
    version,
    after_help = "\
Examples:
  koel go depth 12
  koel analyze games.pgn --depth 14 --output annotated.pgn
  koel go --fen '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1' movetime 1000
  koel 'position startpos moves e2e4' 'go nodes 100000'

Arguments with spaces are lines of UCI, obeyed one after the other.

Environment: KOEL_LOG=debug logs the dialogue to the standard error stream, or to the file named in
KOEL_LOG_FILE."
)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Search a fixed set of positions; the last line is `N nodes M nps`
    Bench {
        /// Plies to search
        #[arg(default_value_t = crate::BENCH_DEPTH)]
        depth: u32,
    },
    /// Count the lines of so many plies, by first move
    Perft {
        /// Plies
        #[arg(value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_PERFT_DEPTH)))]
        depth: u32,
        #[command(flatten)]
        position: PositionArgument,
    },
    /// Print the numbers of the search as OpenBench's SPSA takes them
    #[cfg(feature = "tune")]
    Spsa,
    /// Search, with limits as in UCI: depth 12, movetime 1000, nodes 100000, mate 3
    Go {
        #[command(flatten)]
        position: PositionArgument,
        /// The limits
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
        limits: Vec<String>,
    },
    /// Show a position
    D {
        #[command(flatten)]
        line: Line,
    },
    /// Show the static evaluation of a position, term by term
    Eval {
        #[command(flatten)]
        line: Line,
    },
    /// Show a position with the colours exchanged
    Flip {
        #[command(flatten)]
        line: Line,
    },
    /// Make positions to start games from: COUNT seed SEED book FILE (None: no book)
    Genfens {
        /// As OpenBench says it
        #[arg(required = true)]
        words: Vec<String>,
    },
    /// Say which compiler built this program
    Compiler,
    /// Say what may be done with this program
    License,
    /// Print the completions of this command line for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Find the best move and the score of every position of a PGN or EPD file
    Analyze(Analyze),
    /// Explain a line: which positions repeat, which could, and what a search makes of it
    Cycles(Cycles),
}

#[derive(Debug, Args)]
struct PositionArgument {
    /// The position; that of the start if it is not given
    #[arg(long, value_name = "FEN")]
    fen: Option<Position>,
}

#[derive(Debug, Args)]
struct Line {
    #[command(flatten)]
    first: PositionArgument,
    /// Moves from there, such as e2e4
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,
}

#[derive(Debug, Args)]
struct Cycles {
    #[command(flatten)]
    line: Line,
    /// Judge as a search does that begins after so many moves of the line
    #[arg(long, value_name = "PLY", default_value_t = 0)]
    root: usize,
    /// Print an array of objects
    #[arg(long)]
    json: bool,
    /// Annotate the games of this file instead
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "root", "json", "moves"])]
    pgn: Option<std::path::PathBuf>,
}

/// The program: does what its arguments say, or holds a UCI session with the standard input.
#[must_use]
pub fn start() -> ExitCode {
    let script = script_of(std::env::args_os().skip(1));
    let execute = || match script {
        Some(script) => Ok(session::run(script.as_bytes(), io::stdout())?),
        None => Arguments::parse().execute(),
    };
    match logging::start().map_err(Into::into).and_then(|()| execute()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "koel: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Where an argument has spaces in it, all of them are lines of UCI, each obeyed when the one
/// before is done.
fn script_of(arguments: impl Iterator<Item = OsString>) -> Option<String> {
    let lines = arguments.map(|line| line.to_string_lossy().into_owned()).collect::<Vec<_>>();
    let is_script = lines.first().is_some_and(|line| line.trim().contains(char::is_whitespace));
    is_script.then(|| lines.iter().map(|line| format!("{line}\nwait\n")).collect())
}

type Done = Result<(), Box<dyn std::error::Error>>;

impl Arguments {
    fn execute(self) -> Done {
        let script = match self.command {
            None => return Ok(converse()?),
            Some(Command::Cycles(cycles)) => return cycles.execute(),
            Some(Command::Analyze(analyze)) => return Ok(analyze.execute()?),
            Some(Command::Bench { depth }) => format!("bench {depth}\n"),
            #[cfg(feature = "tune")]
            Some(Command::Spsa) => {
                io::stdout().write_all(crate::experiment::spsa_lines().as_bytes())?;
                return Ok(());
            }
            Some(Command::Perft { depth, position }) => {
                format!("{}go perft {depth}\n", position.command(&[]))
            }
            Some(Command::Go { position, limits }) => {
                let limits = limits.join(" ");
                koel_uci::Command::parse(&format!("go {limits}"))?;
                format!("{}go {limits}\n", position.command(&[]))
            }
            Some(Command::D { line }) => format!("{}d\n", line.command()?),
            Some(Command::Eval { line }) => format!("{}eval\n", line.command()?),
            Some(Command::Flip { line }) => format!("{}flip\nd\n", line.command()?),
            Some(Command::Genfens { words }) => format!("genfens {}\n", words.join(" ")),
            Some(Command::Compiler) => "compiler\n".to_owned(),
            Some(Command::License) => "license\n".to_owned(),
            Some(Command::Completions { shell }) => {
                let mut script = Vec::new();
                clap_complete::generate(shell, &mut Arguments::command(), "koel", &mut script);
                io::stdout().write_all(&script)?;
                return Ok(());
            }
        };
        Ok(session::run(format!("{script}wait\n").as_bytes(), io::stdout())?)
    }
}

/// A session with whoever is there: a GUI, or a person who is told what this is.
fn converse() -> io::Result<()> {
    if io::stdin().is_terminal() {
        writeln!(io::stdout(), "{}, a chess engine. `help` lists the commands.", crate::NAME)?;
    }
    session::run(BufReader::new(io::stdin()), io::stdout())
}

impl PositionArgument {
    fn command(&self, moves: &[String]) -> String {
        let start = match &self.fen {
            Some(position) => format!("fen {position}"),
            None => "startpos".to_owned(),
        };
        format!("position {start} moves {}\n", moves.join(" "))
    }
}

impl Line {
    /// The line, if all its moves are legal, as the command that sets it up.
    fn command(&self) -> Result<String, Box<dyn std::error::Error>> {
        self.game()?;
        Ok(self.first.command(&self.moves))
    }

    fn game(&self) -> Result<Game, Box<dyn std::error::Error>> {
        let mut game = Game::new(self.first.fen.clone().unwrap_or_else(Position::start));
        for text in &self.moves {
            game.play(game.position().parse_uci(text)?)?;
        }
        Ok(game)
    }
}

impl Cycles {
    fn execute(&self) -> Done {
        let mut output = io::stdout().lock();
        if let Some(path) = &self.pgn {
            return Ok(pgn::annotate(std::fs::File::open(path)?, &mut output)?);
        }
        let game = self.line.game()?;
        let plies = game.moves().len();
        if self.root > plies {
            return Err(format!("--root {}: the line has {plies} plies only", self.root).into());
        }
        let rows = cycles::cycle_rows(&game, self.root);
        if self.json {
            serde_json::to_writer(&mut output, &rows)?;
            writeln!(output)?;
        } else {
            write!(output, "{}", cycles::table(&rows))?;
        }
        Ok(())
    }
}
