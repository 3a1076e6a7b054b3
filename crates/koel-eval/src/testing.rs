//! Random games and mirror images of positions, for tests.

use koel_board::{Move, Position};
use koel_random::Rng;

/// A game of random moves.
pub(crate) struct RandomGame {
    pub(crate) position: Position,
    rng: Rng,
    plies_left: usize,
}

impl RandomGame {
    pub(crate) fn next_move(&mut self) -> Option<Move> {
        self.plies_left = self.plies_left.checked_sub(1)?;
        let moves = self.position.legal_moves();
        (!moves.is_empty()).then(|| moves[self.rng.below(moves.len())])
    }
}

const STARTS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "2b1k3/1P3p2/4p1p1/3pP2p/P2P3P/2B3P1/5P2/6K1 w - - 0 1",
];

/// Returns a number of random games, the same ones every time.
pub(crate) fn random_games(number: usize) -> impl Iterator<Item = RandomGame> {
    (0..number).map(|index| RandomGame {
        position: Position::from_fen(STARTS[index % STARTS.len()]).unwrap(),
        rng: Rng::new(2026 + index as u64),
        plies_left: 120,
    })
}

/// Visits all positions of a number of random games.
pub(crate) fn walk(games: usize, mut visit: impl FnMut(&Position)) {
    for mut game in random_games(games) {
        visit(&game.position);
        while let Some(m) = game.next_move() {
            game.position.play(m);
            visit(&game.position);
        }
    }
}

/// Returns the position with the files mirrored and without castling rights.
pub(crate) fn with_wings_flipped(position: &Position) -> Position {
    let fen = position.to_string();
    let fields: Vec<&str> = fen.split(' ').collect();
    let ranks: Vec<String> =
        fields[0].split('/').map(|rank| rank.chars().rev().collect()).collect();
    Position::from_fen(&format!("{} {} - - 0 1", ranks.join("/"), fields[1])).unwrap()
}
