//! Random networks and random lines of moves, for tests.

use koel_board::{Move, Position};
use koel_random::Rng;

use super::features::FEATURES;
use super::raw_weights::RawWeights;
use super::weights::OUTPUT_BUCKETS;

/// Returns random weights, small enough that no sum can overflow.
pub(crate) fn random_weights<const K: usize, const N: usize>(seed: u64) -> RawWeights {
    let mut rng = Rng::new(seed);
    let mut numbers = |count: usize, limit: usize| -> Vec<i16> {
        (0..count).map(|_| (rng.below(2 * limit + 1) as i64 - limit as i64) as i16).collect()
    };
    RawWeights {
        feature_weights: numbers(K * FEATURES * N, 60),
        feature_biases: numbers(N, 100),
        output_weights: numbers(OUTPUT_BUCKETS * 2 * N, if N > 256 { 30 } else { 120 }),
        output_biases: numbers(OUTPUT_BUCKETS, 5_000).into_iter().map(i32::from).collect(),
        qb: 181,
    }
}

/// Positions in which castling, promotions and en passant are near; two are of Chess960.
pub(super) const STARTS: [&str; 6] = [
    koel_board::START_FEN,
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2pp1pp1/3k4/8/8/4K3/1PP1PP2/8 w - - 0 1",
    "1rkr4/pppppppp/8/8/8/8/PPPPPPPP/1RKR4 w BDbd - 0 1",
    "2r1kr2/pppppppp/8/8/8/8/PPPPPPPP/2R1KR2 w CFcf - 0 1",
];

/// A step of a random line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    Play(Move),
    Null,
}

/// Returns a random step, or `None` if the game is over. Castling, promotions and en passant are
/// preferred where they are possible.
pub(super) fn random_step(rng: &mut Rng, position: &Position) -> Option<Step> {
    let moves = position.legal_moves();
    if moves.is_empty() || position.halfmove_clock() > 90 {
        return None;
    }
    if !position.is_check() && rng.below(12) == 0 {
        return Some(Step::Null);
    }
    let is_rare = |m: &&Move| m.is_castling() || m.is_en_passant() || m.promotion().is_some();
    let rare: Vec<Move> = moves.iter().filter(is_rare).copied().collect();
    if !rare.is_empty() && rng.below(2) == 0 {
        return Some(Step::Play(rare[rng.below(rare.len())]));
    }
    Some(Step::Play(moves[rng.below(moves.len())]))
}
