//! Random lines of moves and mirror images of positions, for tests.

use koel_board::{Move, Position};
use koel_random::Rng;

/// Positions in which castling, promotions and en passant are near; two are of Chess960.
pub(crate) const STARTS: [&str; 8] = [
    koel_board::START_FEN,
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2pp1pp1/3k4/8/8/4K3/1PP1PP2/8 w - - 0 1",
    "1rkr4/pppppppp/8/8/8/8/PPPPPPPP/1RKR4 w BDbd - 0 1",
    "2r1kr2/pppppppp/8/8/8/8/PPPPPPPP/2R1KR2 w CFcf - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "2b1k3/1P3p2/4p1p1/3pP2p/P2P3P/2B3P1/5P2/6K1 w - - 0 1",
];

/// A step of a random line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    Play(Move),
    Null,
}

impl Step {
    pub(crate) fn apply(self, position: &mut Position) {
        match self {
            Step::Play(m) => position.play(m),
            Step::Null => position.play_null(),
        }
    }
}

/// Returns the first position of a random game and the numbers that choose its moves, the same ones
/// every time.
pub(crate) fn random_game(game: usize) -> (Position, Rng) {
    (Position::from_fen(STARTS[game % STARTS.len()]).unwrap(), Rng::new(game as u64))
}

/// Returns a random move, or `None` if the game is over. Castling, promotions and en passant are
/// preferred where they are possible.
pub(crate) fn random_move(rng: &mut Rng, position: &Position) -> Option<Move> {
    let moves = position.legal_moves();
    if moves.is_empty() || position.halfmove_clock() > 90 {
        return None;
    }
    let is_rare = |m: &&Move| m.is_castling() || m.is_en_passant() || m.promotion().is_some();
    let rare: Vec<Move> = moves.iter().filter(is_rare).copied().collect();
    let choice = if !rare.is_empty() && rng.below(2) == 0 { &rare[..] } else { &moves[..] };
    Some(choice[rng.below(choice.len())])
}

/// Returns a random move or null move, or `None` if the game is over.
pub(crate) fn random_step(rng: &mut Rng, position: &Position) -> Option<Step> {
    let is_null = !position.is_check() && rng.below(12) == 0;
    random_move(rng, position).map(|m| if is_null { Step::Null } else { Step::Play(m) })
}

/// Visits all positions of a number of random games.
pub(crate) fn walk(games: usize, mut visit: impl FnMut(&Position)) {
    for game in 0..games {
        let (mut position, mut rng) = random_game(game);
        for _ in 0..120 {
            visit(&position);
            let Some(m) = random_move(&mut rng, &position) else { break };
            position.play(m);
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
