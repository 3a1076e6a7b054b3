//! The commands of a session: UCI and Koel's own.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use koel_board::{Game, Position};
use koel_eval::{Evaluation, NetworkBreakdown};
use koel_uci::{Command, MoveText, PositionSetup, Reply, StartPosition};

use crate::ENGINE_NAME;
use crate::commands::bench::BENCH_DEPTH;
use crate::commands::display::{render_data, render_position};
use crate::commands::flip::flip_colours;
use crate::commands::genfens::Genfens;
use crate::session::Session;
use crate::session::background_job;
use crate::session::command_error::{CommandError, shortened};
use crate::session::hash_file::HashCommand;
use crate::session::job::Job;
use crate::session::options;

const HELP: &str = include_str!("../help.txt");
const LICENSE: &str = include_str!("../license.txt");

/// The commands beyond UCI that use the transposition table or the threads, and `wait`, whose only
/// effect is that it and the commands after it wait for the job.
const IDLE_ONLY: &[&str] = &["bench", "genfens", "hash", "wait"];

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
            Err(error) => self.send(&error.reply()?),
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
                self.games_started += 1;
                self.lag_meter.new_game();
                self.pool.reset();
            }
            Command::SetOption(set) => self.set_option(&set)?,
            Command::Position(setup) => self.set_position(setup)?,
            Command::Go(go) => self.go(&go)?,
            Command::Stop => self.stop()?,
            Command::PonderHit => self.ponder_hit()?,
            Command::Other { name, arguments } => self.execute_extra_command(&name, &arguments)?,
            Command::Debug(_) | Command::Register(_) | Command::Quit => {}
        }
        Ok(())
    }

    /// Executes a command beyond UCI.
    fn execute_extra_command(&mut self, name: &str, arguments: &str) -> Result<(), CommandError> {
        match name {
            "bench" => self.bench(arguments)?,
            "compiler" => self.send_lines(&compiler())?,
            "d" => self.show_position()?,
            "eval" => {
                self.send_lines(&evaluation_text(&self.pool.evaluation(), self.game.position()))?
            }
            "flip" => self.flip()?,
            "genfens" => self.genfens(arguments)?,
            "hash" => self.hash_file(HashCommand::parse(arguments)?)?,
            "help" if arguments == "options" => self.send_lines(&options::table())?,
            "help" => self.send_lines(HELP)?,
            "license" => self.send_lines(LICENSE)?,
            "wait" => {}
            _ => return Err(CommandError::Unknown(shortened(name))),
        }
        Ok(())
    }

    fn show_position(&mut self) -> io::Result<()> {
        let castling = self.settings.castling();
        let text = match &self.terminal {
            Some(terminal) => {
                terminal.render_board(&self.game) + &render_data(&self.game, castling)
            }
            None => render_position(&self.game, castling),
        };
        self.send_lines(&text)
    }

    /// Exchanges the colours. The moves that led to the position are forgotten.
    fn flip(&mut self) -> Result<(), CommandError> {
        let fen = flip_colours(self.game.position())?.to_string();
        let start = StartPosition::Fen(fen.parse().expect("positions are written as FEN"));
        self.set_position(PositionSetup { start, moves: Vec::new() })
    }

    /// Sets the position. When it continues the last one, as in most games, only the new moves are
    /// played.
    fn set_position(&mut self, setup: PositionSetup) -> Result<(), CommandError> {
        self.is_position_lost = true;
        let known = &self.setup;
        let is_continuation = setup.start == known.start && setup.moves.starts_with(&known.moves);
        self.game = if is_continuation {
            play_moves(self.game.clone(), &setup.moves, known.moves.len())?
        } else {
            let start = self.start_position(&setup.start)?;
            play_moves(Game::new(start), &setup.moves, 0)?
        };
        self.setup = setup;
        self.is_position_lost = false;
        Ok(())
    }

    /// Returns the start of a game. Faults of a FEN that do not matter are reported.
    fn start_position(&mut self, start: &StartPosition) -> Result<Position, CommandError> {
        let StartPosition::Fen(fen) = start else { return Ok(Position::start()) };
        let (position, faults) = Position::from_faulty_fen(fen.as_str())?;
        for fault in faults {
            self.send(&Reply::error(CommandError::PassedOver(fault)))?;
        }
        Ok(position)
    }

    /// Replies to `uci`.
    fn identify(&mut self) -> io::Result<()> {
        self.terminal = None;
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
        let shared = self.pool.shared();
        self.transfer_file(command.writes(), move || Ok(command.execute(&shared)?))
    }

    fn bench(&mut self, arguments: &str) -> Result<(), CommandError> {
        let depth = match arguments {
            "" => BENCH_DEPTH,
            text => text.parse().map_err(|_| CommandError::BenchDepth(shortened(text)))?,
        };
        self.run_in_background(move |_, stop| background_job::bench(depth, stop))
    }

    fn genfens(&mut self, arguments: &str) -> Result<(), CommandError> {
        let genfens = Genfens::parse(arguments)?;
        let positions = genfens.start_positions()?;
        self.run_in_background(move |send, stop| match genfens.run(&positions, send, stop) {
            Ok(()) => Reply::text("all positions are generated"),
            Err(error) => Reply::error(error),
        })
    }

    /// Starts a background job.
    pub(crate) fn run_in_background(
        &mut self,
        work: impl FnOnce(&dyn Fn(Reply), &AtomicBool) -> Reply + Send + 'static,
    ) -> Result<(), CommandError> {
        let stop = Arc::new(AtomicBool::new(false));
        background_job::start(self.sender.clone(), Arc::clone(&stop), work)
            .map_err(CommandError::BackgroundJob)?;
        self.job = Some(Job::Background { stop });
        Ok(())
    }
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

/// Describes the compiler and target of this build.
fn compiler() -> String {
    let assertions = if cfg!(debug_assertions) { "on" } else { "off" };
    format!(
        "{}\nTarget: {}\nDebug assertions: {assertions}",
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
