//! Random games for the tests, from a seed.
#![allow(dead_code, reason = "each test file uses some of it")]

use koel_board::{Move, Position};

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub(crate) fn pick(&mut self, moves: &[Move]) -> Option<Move> {
        (!moves.is_empty()).then(|| moves[self.below(moves.len())])
    }
}

/// How many positions a test visits: `KOEL_POSITIONS` if that is set (the long run), or `usual`.
pub(crate) fn wanted_positions(usual: usize) -> usize {
    std::env::var("KOEL_POSITIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// One of the 960 starting positions, drawn with its rooks' files as castling rights.
pub(crate) fn chess960_start(random: &mut Random) -> Position {
    let mut files = [' '; 8];
    files[2 * random.below(4)] = 'b';
    files[2 * random.below(4) + 1] = 'b';
    for piece in ['q', 'n', 'n'] {
        let free: Vec<usize> = (0..8).filter(|&file| files[file] == ' ').collect();
        files[free[random.below(free.len())]] = piece;
    }
    let free: Vec<usize> = (0..8).filter(|&file| files[file] == ' ').collect();
    for (file, piece) in free.into_iter().zip(['r', 'k', 'r']) {
        files[file] = piece;
    }
    let row: String = files.iter().collect();
    let fen = format!("{row}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1", row.to_uppercase());
    Position::from_fen(&fen).expect("a start position is legal")
}

/// Visits positions of random games, half of them Chess960, until there were `wanted`.
pub(crate) fn visit_random_positions(seed: u64, wanted: usize, mut visit: impl FnMut(&Position)) {
    let mut random = Random(seed);
    let mut visited = 0;
    while visited < wanted {
        let is_chess960 = random.below(2) == 0;
        let mut position =
            if is_chess960 { chess960_start(&mut random) } else { Position::start() };
        for _ in 0..120 {
            visit(&position);
            visited += 1;
            let moves = position.legal_moves();
            // Captures half as often as they come, or the boards are bare too soon.
            let m = random.pick(&moves).filter(|m| !m.is_capture()).or(random.pick(&moves));
            let Some(m) = m.filter(|_| visited < wanted) else { break };
            position.play(m);
        }
    }
}
