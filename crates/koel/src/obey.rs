//! What each command means to a session.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use koel_board::{Game, Move, Position};
use koel_eval::{Evaluation, NetworkBreakdown, material};
use koel_search::{Depth, Limits};
use koel_uci::{Command, Go, MoveText, PositionSetup, Reply, StartPosition};

use crate::bench::BENCH_DEPTH;
use crate::chances::searched;
use crate::clock::Budget;
use crate::complaint::{Complaint, shortened};
use crate::diagram::diagram;
use crate::errand::{self, MAX_PERFT_DEPTH};
use crate::flip::flipped;
use crate::genfens::Genfens;
use crate::hash_file::HashCommand;
use crate::options::Setting;
use crate::pool::Task;
use crate::report::Reporter;
use crate::session::{Session, Work};
use crate::stopwatch::Stopwatch;
use crate::strength::Strength;
use crate::timekeeper::Rules;

const HELP: &str = include_str!("help.txt");
const LICENSE: &str = include_str!("license.txt");

/// The commands outside the protocol that use the table or the threads.
const RESTFUL: &[&str] = &["bench", "genfens", "hash"];

impl<W: Write> Session<W> {
    /// Obeys a command, or says why not. (`quit` is for the loop to obey.)
    pub(crate) fn obey(&mut self, command: Command) -> io::Result<()> {
        let obeyed = if self.work.is_some() && self.needs_rest(&command) {
            let text = command.to_string();
            Err(Complaint::Busy(shortened(&text)))
        } else {
            self.try_to_obey(command)
        };
        match obeyed {
            Ok(()) => Ok(()),
            Err(complaint) => self.say(&complaint.reply()?),
        }
    }

    /// Whether a command cannot be obeyed while a search is under way.
    pub(crate) fn needs_rest(&self, command: &Command) -> bool {
        match command {
            Command::Go(_) | Command::NewGame => true,
            Command::SetOption(set) => {
                Setting::read(&self.options, set).is_ok_and(|setting| setting.needs_rest())
            }
            Command::Other { name, .. } => RESTFUL.contains(&name.as_str()),
            _ => false,
        }
    }

    fn try_to_obey(&mut self, command: Command) -> Result<(), Complaint> {
        match command {
            Command::Uci => self.introduce()?,
            Command::IsReady => self.say(&Reply::ReadyOk)?,
            Command::NewGame => {
                self.games += 1;
                self.pool.forget();
            }
            Command::SetOption(set) => self.set_option(&set)?,
            Command::Position(setup) => self.set_position(setup)?,
            Command::Go(go) => self.go(&go)?,
            Command::Stop => self.stop()?,
            Command::PonderHit => self.ponder_hit()?,
            Command::Other { name, arguments } => self.obey_other(&name, &arguments)?,
            Command::Debug(_) | Command::Register(_) | Command::Quit => {}
        }
        Ok(())
    }

    /// The commands that are not of the protocol.
    fn obey_other(&mut self, name: &str, arguments: &str) -> Result<(), Complaint> {
        match name {
            "bench" => self.bench(arguments)?,
            "compiler" => self.show(&compiler())?,
            "d" => self.show(&diagram(&self.game, self.settings.castling))?,
            "eval" => self.show(&worth(&self.pool.evaluation(), self.game.position()))?,
            "flip" => self.flip()?,
            "genfens" => self.genfens(arguments)?,
            "hash" => self.hash_file(&HashCommand::read(arguments)?)?,
            "help" => self.show(HELP)?,
            "license" => self.show(LICENSE)?,
            "wait" => self.wait()?,
            _ => return Err(Complaint::Unknown(shortened(name))),
        }
        Ok(())
    }

    /// The colours exchanged; the moves before are forgotten.
    fn flip(&mut self) -> Result<(), Complaint> {
        let fen = flipped(self.game.position())?.to_string();
        let start = StartPosition::Fen(fen.parse().expect("positions are written as FEN"));
        self.set_position(PositionSetup { start, moves: Vec::new() })
    }

    /// Most games are the last one and some moves: only those are played.
    fn set_position(&mut self, setup: PositionSetup) -> Result<(), Complaint> {
        let known = &self.setup;
        let goes_on = setup.start == known.start && setup.moves.starts_with(&known.moves);
        self.game = if goes_on {
            played_on(self.game.clone(), &setup.moves, known.moves.len())?
        } else {
            played_on(Game::new(start(&setup.start)?), &setup.moves, 0)?
        };
        self.setup = setup;
        Ok(())
    }

    fn introduce(&mut self) -> io::Result<()> {
        self.say(&Reply::Name(crate::NAME.to_owned()))?;
        self.say(&Reply::Author("the Koel authors".to_owned()))?;
        for declaration in self.options.clone().iter() {
            self.say(&Reply::Option(declaration.clone()))?;
        }
        self.say(&Reply::UciOk)
    }

    pub(crate) fn hash_file(&mut self, command: &HashCommand) -> Result<(), Complaint> {
        let done = self.pool.hash_file(command)?;
        Ok(self.say(&Reply::text(done))?)
    }

    fn go(&mut self, go: &Go) -> Result<(), Complaint> {
        if !go.ignored.is_empty() {
            let words = shortened(&go.ignored.join(" "));
            self.say(&Reply::error(format_args!("go: passed over `{words}`")))?;
        }
        if let Some(depth) = go.perft {
            return self.perft(depth);
        }
        let root_moves = self.root_moves(go)?;
        let contempt = searched(self.settings.contempt, material(self.game.position()));
        let strength = self.settings.limited_elo().map(|elo| Strength { elo, game: self.games });
        let root = self.game.position().clone();
        let ranking = self
            .settings
            .tablebases
            .tablebases()
            .and_then(|tables| tables.rank_root_moves(&self.game));
        let root_hits = ranking.as_ref().map_or(0, |ranking| ranking.moves.len() as u64);
        let work = Work {
            is_endless: !ends_by_itself(go),
            is_pondering: Arc::new(AtomicBool::new(go.ponder)),
            ..Work::default()
        };
        self.pool.search(Task {
            game: self.game.clone(),
            limits: Limits {
                depth: go.depth.map(depth),
                root_moves,
                multi_pv: strength.map_or(0, Strength::lines).max(self.settings.multi_pv),
                ranking,
                // Who analyses wants to know what a draw is worth.
                contempt: if go.infinite { 0 } else { contempt },
            },
            rules: Rules {
                budget: Budget::new(go, root.turn(), self.settings.move_overhead),
                stopwatch: Stopwatch { nodes_a_millisecond: self.settings.nodes_time },
                nodes: go.nodes.into_iter().chain(strength.map(Strength::nodes)).min(),
                mate: go.mate,
                is_pondering: Arc::clone(&work.is_pondering),
                is_minimal: self.settings.is_minimal,
                told_lines: self.settings.multi_pv,
                strength,
            },
            reporter: Reporter {
                root,
                castling: self.settings.castling,
                shows_wdl: self.settings.shows_wdl,
                root_hits,
                start: Instant::now(),
            },
        });
        self.work = Some(work);
        Ok(())
    }

    /// The moves of `searchmoves` that are legal. If there is none, the search takes all moves.
    fn root_moves(&mut self, go: &Go) -> io::Result<Vec<Move>> {
        let mut moves = Vec::new();
        for text in &go.searchmoves {
            match self.game.position().parse_uci(text.as_str()) {
                Ok(m) => moves.push(m),
                Err(error) => self.say(&Reply::error(format_args!("go: searchmoves: {error}")))?,
            }
        }
        Ok(moves)
    }

    fn perft(&mut self, depth: u32) -> Result<(), Complaint> {
        if depth > MAX_PERFT_DEPTH {
            return Err(Complaint::PerftDepth);
        }
        let (position, castling) = (self.game.position().clone(), self.settings.castling);
        self.run_errand(move |tell, stop| errand::perft(&position, depth, castling, tell, stop))
    }

    fn bench(&mut self, arguments: &str) -> Result<(), Complaint> {
        let depth = match arguments {
            "" => BENCH_DEPTH,
            text => text.parse().map_err(|_| Complaint::BenchDepth(shortened(text)))?,
        };
        self.run_errand(move |_, stop| errand::bench(depth, stop))
    }

    fn genfens(&mut self, arguments: &str) -> Result<(), Complaint> {
        let genfens = Genfens::read(arguments)?;
        let starts = genfens.starts()?;
        self.run_errand(move |tell, stop| match genfens.run(&starts, tell, stop) {
            Ok(()) => Reply::text("all positions are made"),
            Err(error) => Reply::error(error),
        })
    }

    fn run_errand(
        &mut self,
        errand: impl FnOnce(&dyn Fn(Reply), &AtomicBool) -> Reply + Send + 'static,
    ) -> Result<(), Complaint> {
        let work = Work::default();
        errand::start(self.sender.clone(), Arc::clone(&work.stop), errand)
            .map_err(Complaint::Errand)?;
        self.work = Some(work);
        Ok(())
    }

    /// Lets all that follows wait for the end of the work under way.
    fn wait(&mut self) -> Result<(), Complaint> {
        match &mut self.work {
            None => Ok(()),
            Some(work) if work.needs_stop() => Err(Complaint::Endless),
            Some(work) => {
                work.is_awaited = true;
                // A `stop` that came before its turn would wait for what it is to stop.
                if self.has_heard_stop() {
                    self.stop()?;
                }
                Ok(())
            }
        }
    }
}

fn start(start: &StartPosition) -> Result<Position, Complaint> {
    Ok(match start {
        StartPosition::Standard => Position::start(),
        StartPosition::Fen(fen) => Position::from_fen(fen.as_str())?,
    })
}

/// The game after these moves, the first `known` of which have been played.
fn played_on(mut game: Game, moves: &[MoveText], known: usize) -> Result<Game, Complaint> {
    for (number, text) in (1..).zip(moves).skip(known) {
        let wrong = |error| Complaint::Move { number, error };
        let m = game.position().parse_uci(text.as_str()).map_err(wrong)?;
        game.play(m).expect("a move that could be read is legal");
    }
    Ok(game)
}

/// What an evaluation says of a position, for people.
fn worth(evaluation: &Evaluation, position: &Position) -> String {
    match evaluation {
        Evaluation::Network(network) => NetworkBreakdown::new(network, position).to_string(),
        _ => {
            let worth = evaluation.evaluate(position).0;
            format!("Material and squares: {worth:+} for the side to move")
        }
    }
}

/// What built this program, and for which machines.
fn compiler() -> String {
    let assertions = if cfg!(debug_assertions) { "on" } else { "off" };
    format!(
        "{}\nTarget: {}\nDebug assertions: {assertions}",
        env!("KOEL_COMPILER"),
        env!("KOEL_TARGET")
    )
}

/// Whether anything but `stop` ends such a search.
fn ends_by_itself(go: &Go) -> bool {
    let has_clock = go.wtime.is_some() || go.btime.is_some() || go.movetime.is_some();
    let has_limit = go.depth.is_some() || go.nodes.is_some() || go.mate.is_some();
    !go.infinite && (has_clock || has_limit)
}

/// Plies of `go depth`, as far as a search can go.
fn depth(plies: u32) -> Depth {
    Depth(i32::try_from(plies).unwrap_or(i32::MAX)).clamp(Depth(1), Depth::MAX)
}

#[cfg(test)]
mod tests {
    /// What `d` shows after these commands.
    fn shown(commands: &[&str]) -> String {
        let mut output = Vec::new();
        let input = commands.join("\n") + "\nd\n";
        crate::run(input.as_bytes(), &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        let errors = |line: &&str| !line.starts_with("info string error");
        text.lines().filter(errors).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_position_is_the_same_whatever_was_there_before() {
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
            let alone = shown(&[position]);
            for other in others {
                assert_eq!(shown(&[other, position]), alone, "{other}");
                assert_eq!(shown(&[position, other, position]), alone, "{other}");
            }
        }
        // A move that is not legal leaves everything as it was.
        let wrong = "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 a1a8";
        assert_eq!(shown(&[knights, wrong]), shown(&[knights]));
    }
}
