//! Random games for the tests, determined by a seed.
#![allow(dead_code, reason = "each test file uses a part")]

use koel_board::{Move, Position};
use koel_random::Rng;

/// Returns the number of positions a test visits: `KOEL_POSITIONS` if set (the long run), else
/// `default`.
pub(crate) fn wanted_positions(default: usize) -> usize {
    std::env::var("KOEL_POSITIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Returns a random move of the list, `None` if it is empty.
pub(crate) fn random_move(rng: &mut Rng, moves: &[Move]) -> Option<Move> {
    moves.get(rng.below(moves.len())).copied()
}

/// Returns a random one of the 960 starting positions of Chess960.
pub(crate) fn chess960_start(rng: &mut Rng) -> Position {
    let mut files = [' '; 8];
    files[2 * rng.below(4)] = 'b';
    files[2 * rng.below(4) + 1] = 'b';
    for piece in ['q', 'n', 'n'] {
        let free: Vec<usize> = (0..8).filter(|&file| files[file] == ' ').collect();
        files[free[rng.below(free.len())]] = piece;
    }
    let free: Vec<usize> = (0..8).filter(|&file| files[file] == ' ').collect();
    for (file, piece) in free.into_iter().zip(['r', 'k', 'r']) {
        files[file] = piece;
    }
    let row: String = files.iter().collect();
    let fen = format!("{row}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1", row.to_uppercase());
    Position::from_fen(&fen).expect("a start position is legal")
}

/// Calls `visit` with `wanted` positions of random games, half of them Chess960.
pub(crate) fn visit_random_positions(seed: u64, wanted: usize, mut visit: impl FnMut(&Position)) {
    let mut rng = Rng::new(seed);
    let mut visited = 0;
    while visited < wanted {
        let is_chess960 = rng.below(2) == 0;
        let mut position = if is_chess960 { chess960_start(&mut rng) } else { Position::start() };
        for _ in 0..120 {
            visit(&position);
            visited += 1;
            let moves = position.legal_moves();
            // A capture is drawn again once, so that the boards do not empty too soon.
            let m = random_move(&mut rng, &moves)
                .filter(|m| !m.is_capture())
                .or(random_move(&mut rng, &moves));
            let Some(m) = m.filter(|_| visited < wanted) else { break };
            position.play(m);
        }
    }
}
