//! Networks and positions for tests.

use koel_board::{Move, Position};

use super::features::FEATURES;
use super::parts::Parts;
use super::weights::OUTPUT_BUCKETS;

/// A small generator of random numbers (Marsaglia's xorshift).
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn draw(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(super) fn below(&mut self, limit: usize) -> usize {
        (self.draw() % limit as u64) as usize
    }

    pub(super) fn within(&mut self, limit: i32) -> i32 {
        self.below(2 * limit as usize + 1) as i32 - limit
    }
}

/// Random numbers that just cannot overflow.
pub(crate) fn random_parts<const K: usize, const N: usize>(seed: u64) -> Parts {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut many = |count: usize, limit| -> Vec<i16> {
        (0..count).map(|_| random.within(limit) as i16).collect()
    };
    Parts {
        inputs: many(K * FEATURES * N, 60),
        start: many(N, 100),
        outputs: many(OUTPUT_BUCKETS * 2 * N, if N > 256 { 30 } else { 120 }),
        constants: many(OUTPUT_BUCKETS, 5_000).into_iter().map(i32::from).collect(),
        qb: 181,
    }
}

/// Starts of games with castling, promotions and en passant near, some of Chess960.
pub(super) const STARTS: [&str; 6] = [
    koel_board::START_FEN,
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2pp1pp1/3k4/8/8/4K3/1PP1PP2/8 w - - 0 1",
    "1rkr4/pppppppp/8/8/8/8/PPPPPPPP/1RKR4 w BDbd - 0 1",
    "2r1kr2/pppppppp/8/8/8/8/PPPPPPPP/2R1KR2 w CFcf - 0 1",
];

/// Every kind of step a random game can take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    Play(Move),
    Null,
}

/// A random step; rare moves are preferred where there are any. `None` if the game is over.
pub(super) fn random_step(random: &mut Random, position: &Position) -> Option<Step> {
    let moves = position.legal_moves();
    if moves.is_empty() || position.halfmove_clock() > 90 {
        return None;
    }
    if !position.is_check() && random.below(12) == 0 {
        return Some(Step::Null);
    }
    let is_rare = |m: &&Move| m.is_castling() || m.is_en_passant() || m.promotion().is_some();
    let rare: Vec<Move> = moves.iter().filter(is_rare).copied().collect();
    if !rare.is_empty() && random.below(2) == 0 {
        return Some(Step::Play(rare[random.below(rare.len())]));
    }
    Some(Step::Play(moves[random.below(moves.len())]))
}
