//! Whole games of Koel against itself at 1 s + 0.01 s, with shakmaty as referee and strict clocks.
//!
//! Two games by node time, which does not depend on the load of the machine. Twenty games in real
//! time: `cargo test --release -p koel --test games -- --ignored --nocapture`.

#![allow(clippy::unwrap_used, reason = "a test may fail by a panic")]

mod support;

use std::collections::HashMap;
use std::time::{Duration, Instant};

use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position};
use support::{Engine, SOON, best_move};

const TIME: Duration = Duration::from_secs(1);
const INCREMENT: Duration = Duration::from_millis(10);

/// Longer games are adjudicated as draws.
const MAX_PLIES: usize = 600;

/// Different openings, so that no two games are the same.
const OPENINGS: [&str; 10] = [
    "e2e4 e7e5 g1f3 b8c6",
    "d2d4 d7d5 c2c4 e7e6",
    "e2e4 c7c5 g1f3 d7d6",
    "d2d4 g8f6 c2c4 g7g6",
    "e2e4 e7e6 d2d4 d7d5",
    "c2c4 e7e5 b1c3 g8f6",
    "e2e4 c7c6 d2d4 d7d5",
    "g1f3 d7d5 g2g3 c7c5",
    "e2e4 d7d5 e4d5 d8d5",
    "d2d4 f7f5 g2g3 g8f6",
];

/// The nodes that count as a millisecond of node time.
const NODES_PER_MILLISECOND: u64 = 100;

#[test]
fn koel_plays_itself_in_node_time() {
    play_games(2, TimeSource::Nodes);
}

#[test]
#[ignore = "measures wall time"]
fn koel_plays_itself_in_real_time() {
    play_games(20, TimeSource::RealTime);
}

/// The measure of the time used for a move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TimeSource {
    RealTime,
    /// The nodes of the search, which the engine counts as time too (`nodestime`).
    Nodes,
}

impl TimeSource {
    /// Returns the time used for a move.
    fn used(self, start: Instant, replies: &[String]) -> Duration {
        match self {
            TimeSource::RealTime => start.elapsed(),
            TimeSource::Nodes => {
                let nodes = replies.iter().rev().find_map(|line| line.split(" nodes ").nth(1));
                let nodes = nodes.and_then(|rest| rest.split(' ').next()).expect("a node count");
                Duration::from_millis(nodes.parse::<u64>().unwrap() / NODES_PER_MILLISECOND)
            }
        }
    }
}

#[allow(clippy::print_stdout, reason = "shows the results of the games")]
fn play_games(games: usize, time_source: TimeSource) {
    for number in 0..games {
        let mut players = [Engine::start(), Engine::start()];
        for player in &mut players {
            if time_source == TimeSource::Nodes {
                player.send(format!("setoption name nodestime value {NODES_PER_MILLISECOND}"));
            }
            player.send("ucinewgame");
            player.sync();
        }
        let game = Match::play(OPENINGS[number % OPENINGS.len()], players, time_source);
        println!(
            "game {}: {} after {} plies; left on the clocks: {:?}, {:?}",
            number + 1,
            game.result,
            game.moves.len(),
            game.clocks[0],
            game.clocks[1],
        );
    }
}

struct Match {
    position: Chess,
    moves: Vec<String>,
    seen: HashMap<Zobrist64, usize>,
    /// White's and Black's.
    clocks: [Duration; 2],
    time_source: TimeSource,
    result: &'static str,
}

impl Match {
    fn play(opening: &str, mut players: [Engine; 2], time_source: TimeSource) -> Match {
        let mut game = Match {
            position: Chess::default(),
            moves: Vec::new(),
            seen: HashMap::new(),
            clocks: [TIME; 2],
            time_source,
            result: "",
        };
        for text in opening.split(' ') {
            game.make(text);
        }
        while game.result.is_empty() {
            let side = game.position.turn().fold_wb(0, 1);
            let text = game.ask(&mut players[side], side);
            game.make(&text);
        }
        for player in players {
            let (rest, status) = player.end_input();
            assert!(status.success() && rest.is_empty(), "{rest:#?}");
        }
        game
    }

    /// Asks a player for its move and updates its clock.
    fn ask(&mut self, player: &mut Engine, side: usize) -> String {
        let [white, black] = self.clocks.map(|clock| clock.as_millis());
        let increment = INCREMENT.as_millis();
        let moves = self.moves.join(" ");
        let start = Instant::now();
        player.send(format!(
            "position startpos moves {moves}\n\
             go wtime {white} btime {black} winc {increment} binc {increment}"
        ));
        let replies = player.receive_until("bestmove", SOON);
        let used = self.time_source.used(start, &replies);
        let left = self.clocks[side].checked_sub(used);
        self.clocks[side] = INCREMENT
            + left.unwrap_or_else(|| {
                panic!("time loss: {used:?} of {:?} after {moves}", self.clocks[side])
            });
        best_move(&replies).to_owned()
    }

    fn make(&mut self, text: &str) {
        let m = text.parse::<UciMove>().ok().and_then(|m| m.to_move(&self.position).ok());
        let m = m.unwrap_or_else(|| panic!("illegal: {text} after {}", self.moves.join(" ")));
        assert_eq!(m.to_uci(CastlingMode::Standard).to_string(), text, "in standard notation");
        self.position.play_unchecked(m);
        self.moves.push(text.to_owned());
        let key = self.position.zobrist_hash(EnPassantMode::Legal);
        let times = self.seen.entry(key).or_default();
        *times += 1;
        self.result = if self.position.is_checkmate() {
            match self.position.turn() {
                Color::White => "Black wins",
                Color::Black => "White wins",
            }
        } else if self.position.is_stalemate() {
            "stalemate"
        } else if self.position.is_insufficient_material() {
            "insufficient material"
        } else if *times >= 3 {
            "threefold repetition"
        } else if self.position.halfmoves() >= 100 {
            "fifty moves"
        } else if self.moves.len() >= MAX_PLIES {
            "too long"
        } else {
            ""
        };
    }
}
