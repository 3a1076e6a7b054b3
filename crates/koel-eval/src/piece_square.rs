//! Material with piece-square tables, blended by game phase. (Piece-Square Tables; Tapered Eval.)
//!
//! The values are Koel's own, set by hand from common knowledge and never tuned: pawns gain towards
//! promotion, knights want the centre, rooks the seventh rank, and kings hide until the endgame.
//! The self-play games of the first network were played with them, so that nothing a network
//! learns comes from another engine.

use koel_board::{Color, Position, Role};

use crate::centipawns::Centipawns;

/// The bonus of the side to move, in centipawns.
const TEMPO: i32 = 12;

/// The game phase with all pieces on the board.
const FULL_PHASE: i32 = 24;

/// The contribution of each piece to the game phase, by role, pawn to king.
const PHASES: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// Middlegame and endgame value of each role, pawn to king, in centipawns.
const MATERIAL: [[i16; 2]; 6] =
    [[88, 112], [335, 300], [350, 318], [480, 545], [1010, 985], [0, 0]];

/// Bonuses from the eighth rank down, in centipawns: those of files a to d in the middlegame and
/// those in the endgame. Files e to h mirror them.
type Bonuses = [[[i16; 4]; 2]; 8];

const PAWN: Bonuses = [
    [[0, 0, 0, 0], [0, 0, 0, 0]],
    [[60, 75, 70, 80], [110, 108, 100, 96]],
    [[8, 20, 32, 38], [62, 64, 52, 44]],
    [[-8, 4, 6, 22], [24, 20, 10, 4]],
    [[-14, -4, 4, 20], [8, 6, -2, -6]],
    [[-12, -4, 0, 4], [0, 2, -2, 0]],
    [[-12, 6, -4, -10], [4, 4, 6, 6]],
    [[0, 0, 0, 0], [0, 0, 0, 0]],
];

const KNIGHT: Bonuses = [
    [[-110, -60, -30, -22], [-60, -36, -20, -14]],
    [[-40, -20, 20, 22], [-26, -10, -2, 6]],
    [[-18, 18, 36, 46], [-14, 2, 18, 20]],
    [[-4, 14, 28, 34], [-6, 10, 22, 28]],
    [[-12, 4, 16, 20], [-8, 6, 20, 26]],
    [[-20, 0, 10, 16], [-16, 0, 8, 18]],
    [[-26, -18, -4, 2], [-26, -12, -4, 2]],
    [[-70, -24, -24, -14], [-40, -34, -16, -10]],
];

const BISHOP: Bonuses = [
    [[-26, -14, -28, -26], [-12, -12, -8, -6]],
    [[-18, 2, -4, -6], [-6, -2, 2, 0]],
    [[-4, 12, 16, 18], [2, 2, 6, 4]],
    [[-4, 4, 14, 26], [0, 8, 10, 14]],
    [[0, 6, 8, 22], [-4, 6, 12, 14]],
    [[4, 14, 14, 10], [-6, 2, 8, 12]],
    [[8, 16, 14, 4], [-12, -8, -2, 2]],
    [[-12, 0, -8, -10], [-18, -10, -10, -4]],
];

const ROOK: Bonuses = [
    [[14, 12, 10, 16], [12, 10, 12, 8]],
    [[16, 16, 28, 32], [14, 14, 10, 6]],
    [[-4, 10, 12, 16], [8, 8, 6, 4]],
    [[-14, -6, 4, 8], [6, 4, 6, 2]],
    [[-22, -12, -8, -2], [4, 4, 4, 0]],
    [[-26, -12, -8, -6], [-4, 0, -4, -4]],
    [[-28, -12, -6, -4], [-6, -6, -2, -4]],
    [[-14, -8, 4, 12], [-6, -4, 0, -4]],
];

const QUEEN: Bonuses = [
    [[-8, 4, 14, 16], [0, 10, 14, 16]],
    [[-6, -22, 2, 2], [-4, 16, 24, 32]],
    [[4, 4, 12, 16], [-4, 8, 24, 34]],
    [[-8, -8, 0, 2], [8, 22, 28, 38]],
    [[-8, -6, -4, -4], [0, 18, 24, 34]],
    [[-8, 2, -2, -2], [-8, 2, 14, 14]],
    [[-16, -4, 6, 4], [-18, -20, -14, -8]],
    [[-10, -14, -8, 4], [-24, -22, -18, -14]],
];

const KING: Bonuses = [
    [[-40, -20, -30, -50], [-60, -34, -20, -14]],
    [[-30, -20, -30, -50], [-24, 6, 10, 10]],
    [[-30, -20, -30, -50], [-6, 18, 22, 22]],
    [[-40, -30, -40, -60], [-12, 14, 24, 28]],
    [[-40, -30, -45, -65], [-18, 4, 20, 26]],
    [[-20, -10, -30, -45], [-22, -2, 10, 18]],
    [[12, 10, -14, -34], [-30, -10, 2, 6]],
    [[16, 34, 6, -12], [-52, -34, -20, -22]],
];

/// The value of a piece in the middlegame and in the endgame.
type Tapered = [i32; 2];

/// Material and bonus of White's pieces, by role (pawn to king) and square.
static VALUES: [[Tapered; 64]; 6] = {
    let bonuses = [&PAWN, &KNIGHT, &BISHOP, &ROOK, &QUEEN, &KING];
    let mut values = [[[0; 2]; 64]; 6];
    let mut index = 0;
    while index < 6 * 64 {
        let (role, square) = (index / 64, index % 64);
        let (rank, file) = (7 - square / 8, square % 8);
        let column = if file < 4 { file } else { 7 - file };
        let [middlegame, endgame] = bonuses[role][rank];
        values[role][square] = [
            (MATERIAL[role][0] + middlegame[column]) as i32,
            (MATERIAL[role][1] + endgame[column]) as i32,
        ];
        index += 1;
    }
    values
};

/// Returns the evaluation of a position for the side to move, computed from scratch.
pub(crate) fn evaluate(position: &Position) -> Centipawns {
    let (mut sums, mut phase) = ([0; 2], 0);
    for (values, (role, weight)) in VALUES.iter().zip(Role::ALL.into_iter().zip(PHASES)) {
        for (color, sign) in [(Color::White, 1), (Color::Black, -1)] {
            for square in position.pieces(color, role) {
                // Black's tables are White's, turned over.
                let square = color.fold_wb(square, square.flip_vertical());
                let [middlegame, endgame] = values[square.to_usize()];
                sums[0] += sign * middlegame;
                sums[1] += sign * endgame;
                phase += weight;
            }
        }
    }
    let phase = phase.min(FULL_PHASE);
    let white = (sums[0] * phase + sums[1] * (FULL_PHASE - phase)) / FULL_PHASE;
    Centipawns(TEMPO + position.turn().fold_wb(white, -white))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_is_balanced_but_for_the_move() {
        assert_eq!(evaluate(&Position::start()), Centipawns(TEMPO));
    }

    #[test]
    fn nine_queens_on_either_side_are_not_too_much() {
        let nine = Position::from_fen("QQQQQQQQ/Q7/8/8/8/8/8/K6k b - - 0 1").unwrap();
        assert!(evaluate(&nine).0 < -5_000);
        let eighteen = Position::from_fen("QQQQQQQQ/Q7/8/K7/8/8/k7/qqqqqqqq w - - 0 1");
        assert!(eighteen.is_err() || evaluate(&eighteen.unwrap()).0.abs() < 5_000);
    }
}
