//! What each command means to a session.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use koel_board::{Game, Move, Position};
use koel_eval::Evaluator;
use koel_search::{Depth, Limits};
use koel_uci::{Command, Go, PositionSetup, Reply, SetOption, StartPosition};

use crate::bench::BENCH_DEPTH;
use crate::clock::Budget;
use crate::complaint::{Complaint, shortened};
use crate::diagram::diagram;
use crate::errand::{self, MAX_PERFT_DEPTH};
use crate::hash_file::HashCommand;
use crate::options::Setting;
use crate::pool::Task;
use crate::report::Reporter;
use crate::session::{Session, Work};
use crate::timekeeper::Rules;

const HELP: &str = include_str!("help.txt");

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
                Setting::read(&self.options, set).is_ok_and(Setting::needs_rest)
            }
            Command::Other { name, .. } => name == "bench" || name == "hash",
            _ => false,
        }
    }

    fn try_to_obey(&mut self, command: Command) -> Result<(), Complaint> {
        match command {
            Command::Uci => self.introduce()?,
            Command::IsReady => self.say(&Reply::ReadyOk)?,
            Command::NewGame => self.pool.forget(),
            Command::SetOption(set) => self.set_option(&set)?,
            Command::Position(setup) => self.game = read_game(&setup)?,
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
            "d" => self.show(&diagram(&self.game, self.settings.castling))?,
            "eval" => self.show(&static_evaluation(self.game.position()))?,
            "hash" => {
                let done = self.pool.hash_file(&HashCommand::read(arguments)?)?;
                self.say(&Reply::text(done))?;
            }
            "help" => self.show(HELP)?,
            "wait" => self.wait()?,
            _ => return Err(Complaint::Unknown(shortened(name))),
        }
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

    fn set_option(&mut self, set: &SetOption) -> Result<(), Complaint> {
        crate::experiment::obey(&self.options, set);
        match Setting::read(&self.options, set)? {
            Setting::Hash(mebibytes) => self.pool.set_hash(mebibytes)?,
            Setting::ClearHash => self.pool.clear_hash(),
            Setting::Threads(count) => {
                let result = self.pool.set_threads(count);
                let running = self.pool.threads();
                result.map_err(|error| Complaint::Threads { running, error })?;
            }
            Setting::MoveOverhead(overhead) => self.settings.move_overhead = overhead,
            Setting::Castling(notation) => self.settings.castling = notation,
            Setting::Nothing => {}
        }
        Ok(())
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
        let root = self.game.position().clone();
        let work = Work {
            is_endless: !ends_by_itself(go),
            is_pondering: Arc::new(AtomicBool::new(go.ponder)),
            ..Work::default()
        };
        self.pool.search(Task {
            game: self.game.clone(),
            limits: Limits { depth: go.depth.map(depth), root_moves, multi_pv: 1 },
            rules: Rules {
                budget: Budget::new(go, root.turn(), self.settings.move_overhead),
                nodes: go.nodes,
                mate: go.mate,
                is_pondering: Arc::clone(&work.is_pondering),
            },
            reporter: Reporter { root, castling: self.settings.castling, start: Instant::now() },
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
                Ok(())
            }
        }
    }
}

fn read_game(setup: &PositionSetup) -> Result<Game, Complaint> {
    let start = match &setup.start {
        StartPosition::Standard => Position::start(),
        StartPosition::Fen(fen) => Position::from_fen(fen.as_str())?,
    };
    let mut game = Game::new(start);
    for (number, text) in (1..).zip(&setup.moves) {
        let wrong = |error| Complaint::Move { number, error };
        let m = game.position().parse_uci(text.as_str()).map_err(wrong)?;
        game.play(m).expect("a move that could be read is legal");
    }
    Ok(game)
}

fn static_evaluation(position: &Position) -> String {
    let worth = Evaluator::new(position).evaluate(position).0;
    let pawns = f64::from(position.turn().fold_wb(worth, -worth)) / 100.0;
    format!("Static evaluation: {pawns:+.2} pawns (White's view)")
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
