//! A large file is read with one game in memory.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may fail by a panic")]

use std::fmt::Write as _;
use std::io::{BufReader, Read};

use koel_board::Game;
use koel_pgn::{GameReader, PgnEntry};
use koel_random::Rng;

/// The number of games without `KOEL_PGN_GAMES`.
const GAMES: u64 = 3_000;

/// Returns the movetext of a random game, and its plies.
fn movetext(random: &mut Rng) -> (String, u64) {
    let mut game = Game::default();
    let mut text = String::new();
    for ply in 0..20 + random.below(100) {
        let moves = game.position().legal_moves();
        if moves.is_empty() {
            break;
        }
        let m = moves[random.below(moves.len())];
        if ply % 2 == 0 {
            write!(text, "{}. ", ply / 2 + 1).unwrap();
        }
        write!(text, "{} {{[%clk 0:01:{:02}]}} ", game.position().san(m), ply % 60).unwrap();
        game.play(m).unwrap();
    }
    (text, game.moves().len() as u64)
}

/// A file of many games that is made while it is read.
struct Games {
    movetexts: Vec<(String, u64)>,
    left: u64,
    plies: u64,
    text: Vec<u8>,
    at: usize,
}

impl Read for Games {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.at == self.text.len() && self.left > 0 {
            let (moves, plies) = &self.movetexts[self.left as usize % self.movetexts.len()];
            self.plies += plies;
            self.left -= 1;
            self.text.clear();
            std::io::Write::write_fmt(
                &mut self.text,
                format_args!("[Event \"{}\"]\n[White \"Müller\"]\n\n{moves}1-0\n\n", self.left),
            )?;
            self.at = 0;
        }
        let taken = buffer.len().min(self.text.len() - self.at);
        buffer[..taken].copy_from_slice(&self.text[self.at..self.at + taken]);
        self.at += taken;
        Ok(taken)
    }
}

/// Reads a file of so many games. Returns the plies and the greatest number of bytes in memory.
fn read(games: u64) -> (u64, u64) {
    let mut random = Rng::new(1);
    let movetexts = (0..50).map(|_| movetext(&mut random)).collect();
    let mut source = Games { movetexts, left: games, plies: 0, text: Vec::new(), at: 0 };
    let (mut found, mut plies) = (0, 0);
    let memory = allocation_counter::measure(|| {
        for entry in GameReader::new(BufReader::new(&mut source)) {
            let PgnEntry::Game(game) = entry.unwrap() else { panic!("every game can be read") };
            found += 1;
            plies += game.game.moves().len() as u64;
        }
    });
    assert_eq!((found, plies), (games, source.plies));
    (plies, memory.bytes_max)
}

#[test]
fn memory_does_not_grow_with_the_file() {
    let games = std::env::var("KOEL_PGN_GAMES").map_or(GAMES, |text| text.parse().unwrap());
    let (_, of_few) = read(100);
    let (plies, of_many) = read(games);
    println!("{games} games, {plies} plies: {of_many} bytes at most; 100 games: {of_few} bytes");
    // The numbers of the games are longer.
    assert!(of_many < of_few + 4096 && of_many < 100_000, "{of_many} {of_few}");
}
