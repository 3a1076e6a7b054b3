//! The arguments of `koel` and its commands for the shell.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use koel_board::{Game, Position};
use koel_uci::SearchEnd;

use crate::commands::analyze::Analyze;
use crate::commands::perft::MAX_PERFT_DEPTH;
use crate::commands::{cycles, verify_tables};
use crate::{CommandResult, run_script, run_session};

/// A UCI chess engine. Without a command it starts a UCI session.
#[derive(Debug, Parser)]
#[command(
    name = "koel",
    version = crate::VERSION,
    after_help = "\
Examples:
  koel go depth 12
  koel analyze games.pgn --depth 14 --output annotated.pgn
  koel go --fen '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1' movetime 1000
  koel 'position startpos moves e2e4' 'go nodes 100000'

Arguments that contain spaces are executed one after the other as lines of UCI input.

Environment: KOEL_LOG=debug logs all input and output to the standard error stream, or to the file
named by KOEL_LOG_FILE."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Start a UCI session, with the output for programs on a terminal too
    Uci,
    /// Search a fixed set of positions; the last line of output is `N nodes M nps`
    Bench {
        /// DEPTH in plies [default: 14], or HASH in MiB, THREADS and DEPTH
        #[arg(value_name = "NUMBER", num_args = 0..=3)]
        numbers: Vec<u32>,
    },
    /// Measure the speed of all cores on the positions of the bench
    Speedtest {
        /// THREADS [default: all], HASH in MiB [default: 64 for each thread] and SECONDS [default:
        /// 30]
        #[arg(value_name = "NUMBER", num_args = 0..=3)]
        numbers: Vec<u32>,
    },
    /// Count the leaf nodes of the legal move tree, by first move (perft)
    Perft {
        /// Depth in plies
        #[arg(value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_PERFT_DEPTH)))]
        depth: u32,
        #[command(flatten)]
        position: PositionArgument,
    },
    /// Print search parameters as input for OpenBench's SPSA
    #[cfg(feature = "tune")]
    Spsa {
        /// Groups and parameters [default: all]
        names: Vec<String>,
    },
    /// Search with UCI limits: depth 12, movetime 1000, nodes 100000, mate 3
    Go {
        #[command(flatten)]
        position: PositionArgument,
        /// The limits, as in the UCI command `go`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
        limits: Vec<String>,
    },
    /// Show a position: board, FEN, key and repetitions
    D(Line),
    /// Show the static evaluation of a position
    Eval(Line),
    /// Show a position with exchanged colours
    Flip(Line),
    /// Generate random opening positions: COUNT seed SEED book FILE (None: no book)
    Genfens {
        /// The arguments as OpenBench passes them
        #[arg(required = true)]
        words: Vec<String>,
    },
    /// Show the compiler and target of this build
    Compiler,
    /// Show the licence
    License,
    /// Print a shell-completion script
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Analyse every position of a PGN or EPD file
    Analyze(Analyze),
    /// Show the repetitions of a line of moves, as a search sees them
    Cycles(Cycles),
    /// Verify the Syzygy endgame tables of a folder
    Syzygy {
        /// The folder
        folder: PathBuf,
    },
}

#[derive(Debug, Args)]
struct PositionArgument {
    /// The position; the starting position if not given
    #[arg(long, value_name = "FEN")]
    fen: Option<Position>,
}

#[derive(Debug, Args)]
struct Line {
    #[command(flatten)]
    first: PositionArgument,
    /// Moves from that position, such as e2e4
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,
}

#[derive(Debug, Args)]
struct Cycles {
    #[command(flatten)]
    line: Line,
    /// Number of plies of the line before the root of the search
    #[arg(long, value_name = "PLY", default_value_t = 0)]
    root: usize,
    /// Print a JSON array instead of a table
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Executes the command; without one it starts a UCI session.
    pub(crate) fn execute(self) -> CommandResult {
        let script = match self.command {
            None => return Ok(run_session(false)?),
            Some(Command::Uci) => return Ok(run_session(true)?),
            Some(Command::Cycles(cycles)) => return cycles.execute(),
            Some(Command::Analyze(analyze)) => return analyze.execute(),
            Some(Command::Syzygy { folder }) => {
                return verify_tables::verify(&folder, &mut io::stdout().lock());
            }
            Some(Command::Bench { numbers }) => format!("bench {}\n", words(&numbers)),
            Some(Command::Speedtest { numbers }) => format!("speedtest {}\n", words(&numbers)),
            #[cfg(feature = "tune")]
            Some(Command::Spsa { names }) => {
                let lines = crate::session::experiment::spsa_lines(&names)?;
                return Ok(io::stdout().write_all(lines.as_bytes())?);
            }
            Some(Command::Perft { depth, position }) => {
                format!("{}go perft {depth}\n", position.command(&[]))
            }
            Some(Command::Go { position, limits }) => {
                let limits = limits.join(" ");
                if let koel_uci::Command::Go(go) = format!("go {limits}").parse()? {
                    if let Some(error) = go.errors.first() {
                        return Err(error.clone().into());
                    }
                    if go.ponder || go.perft.is_none() && go.end() == SearchEnd::Stop {
                        let text = format!("go {limits}: expected a limit, such as `depth 12`");
                        return Err(text.into());
                    }
                }
                format!("{}go {limits}\n", position.command(&[]))
            }
            Some(Command::D(line)) => format!("{}d\n", line.command()?),
            Some(Command::Eval(line)) => format!("{}eval\n", line.command()?),
            Some(Command::Flip(line)) => format!("{}flip\nd\n", line.command()?),
            Some(Command::Genfens { words }) => {
                if let Some(word) = words.iter().find(|word| word.contains(char::is_whitespace)) {
                    return Err(
                        format!("genfens: `{word}`: a name with blanks cannot be given").into()
                    );
                }
                format!("genfens {}\n", words.join(" "))
            }
            Some(Command::Compiler) => "compiler\n".to_owned(),
            Some(Command::License) => "license\n".to_owned(),
            Some(Command::Completions { shell }) => {
                let mut script = Vec::new();
                clap_complete::generate(shell, &mut Arguments::command(), "koel", &mut script);
                return Ok(io::stdout().write_all(&script)?);
            }
        };
        run_script(format!("{script}wait\n"))
    }
}

fn words(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}

impl PositionArgument {
    /// Returns the `position` command that sets up the position and these moves.
    fn command(&self, moves: &[String]) -> String {
        let start = match &self.fen {
            Some(position) => format!("fen {position}"),
            None => "startpos".to_owned(),
        };
        format!("position {start} moves {}\n", moves.join(" "))
    }
}

impl Line {
    /// Returns the `position` command that sets up the line, if all its moves are legal.
    fn command(&self) -> Result<String, Box<dyn Error>> {
        self.game()?;
        Ok(self.first.command(&self.moves))
    }

    fn game(&self) -> Result<Game, Box<dyn Error>> {
        let mut game = Game::new(self.first.fen.clone().unwrap_or_else(Position::start));
        for text in &self.moves {
            game.play(game.position().parse_uci(text)?)?;
        }
        Ok(game)
    }
}

impl Cycles {
    fn execute(&self) -> CommandResult {
        let mut output = io::stdout().lock();
        let game = self.line.game()?;
        let plies = game.moves().len();
        if self.root > plies {
            return Err(format!("--root {}: the line has only {plies} plies", self.root).into());
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
