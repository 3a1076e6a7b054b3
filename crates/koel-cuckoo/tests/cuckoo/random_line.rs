//! Random lines in which positions repeat often: where they start, and how a move is chosen.

use koel_random::Rng;
use shakmaty::{Bitboard, Move, Position, Role};

use crate::oracle::{Line, is_reversible};

/// Starting positions in which much can repeat.
pub(crate) const STANDARD: [&str; 25] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    // Castling rights that can be lost inside a cycle.
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b KQkq - 0 1",
    "4k2r/7p/8/8/8/8/P7/R3K3 w Qk - 0 1",
    // En passant in the first position, then captures that are illegal because of a pin.
    "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    "5kbq/3Q2n1/6p1/r3PpKn/2n5/8/8/q7 w - f6 7 4",
    "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1",
    // Few pieces: king triangulation.
    "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
    "8/8/8/8/8/8/p7/2k4K b - - 0 1",
    "8/8/3k4/8/3r4/8/1Q6/K7 w - - 0 1",
    "8/5k2/r4p2/8/8/1R3P2/5K2/8 w - - 0 1",
    // Locked pawn structures.
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "4k2n/1b6/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/1B6/N3K3 w - - 0 1",
    "k7/p1p5/P1P5/8/8/5p1p/5P1P/7K w - - 0 1",
    "1k6/1p1p1p2/1P1P1P1b/8/8/B1p1p1p1/2P1P1P1/6K1 w - - 0 1",
    // Pins and checks.
    "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/4q3/R3K2R w KQ - 0 1",
    "6k1/5ppp/8/8/8/8/q4PPP/3Q2K1 w - - 0 1",
    "r4nk1/1p1b1N1p/4p1p1/p2pP3/1r1q4/5R2/3Q1PPP/2R2NK1 w - - 2 28",
    // Pieces of one type that can swap squares.
    "1n2k1n1/8/8/8/8/8/8/1N2K1N1 w - - 0 1",
    "2b1kb2/8/8/8/8/8/8/2B1KB2 w - - 0 1",
    "q2qk2q/8/8/8/8/8/8/Q2QK2Q w - - 0 1",
    "r5k1/r7/8/8/8/8/5R2/1K3R2 w - - 0 1",
];

/// Starting positions with the castling rules of Chess960.
pub(crate) const CHESS960: [&str; 6] = [
    "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1",
    "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w KQkq - 0 1",
    "rk5r/8/8/8/8/8/8/RK5R w KQkq - 0 1",
    // Castling that moves only the rook.
    "6kr/8/8/8/8/8/8/6KR w Kk - 0 1",
    "2rk1r2/8/8/8/8/8/8/2RK1R2 b KQkq - 0 1",
    "rk2r3/8/8/3pP3/8/8/8/RK2R3 w KQkq d6 0 1",
];

/// Chooses mostly reversible moves, and among them mostly moves back to squares left recently.
pub(crate) fn choose(line: &Line, rng: &mut Rng) -> Option<Move> {
    let legal: Vec<Move> = line.now().steps.iter().map(|step| step.played).collect();
    let quiet: Vec<Move> = legal.iter().copied().filter(|&played| is_reversible(played)).collect();
    if legal.is_empty() || quiet.is_empty() || rng.below(100) < 3 {
        return (!legal.is_empty()).then(|| legal[rng.below(legal.len())]);
    }
    let recent = line.plies().min([2, 4, 6, 8, 12][rng.below(5)]);
    let turn = line.now().position.turn();
    let ours = |plies: usize| line.ago(plies).position.board().by_color(turn);
    let left = (1..=recent).fold(Bitboard::EMPTY, |left, plies| left | ours(plies));
    let back: Vec<Move> =
        quiet.iter().copied().filter(|played| left.contains(played.to())).collect();
    let kings = quiet.iter().copied().filter(|played| played.role() == Role::King);
    let chosen = match rng.below(10) {
        0..5 if !back.is_empty() => back,
        5..7 if kings.clone().next().is_some() => kings.collect(),
        _ => quiet,
    };
    Some(chosen[rng.below(chosen.len())])
}
