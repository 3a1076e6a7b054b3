//! The plain numbers: what a piece is worth, and where.
//!
//! They are Koel's own, set by hand from common knowledge and never tuned: pawns gain towards
//! promotion, knights want the centre, rooks the seventh rank, and kings hide until the endgame.
//! Self-play begins with them, so that nothing a network learns comes from elsewhere.

use crate::pair::Pair;
use crate::side::column;

/// What the right to move is worth, in centipawns.
pub(crate) const TEMPO: i32 = 12;

/// Middlegame and endgame worth of each role, pawn to king, in centipawns.
const MATERIAL: [[i16; 2]; 6] =
    [[88, 112], [335, 300], [350, 318], [480, 545], [1010, 985], [0, 0]];

/// One side's half of the board for files a to d, from the eighth rank down; files e to h mirror
/// it, so that nothing prefers a wing.
type Half = [[i16; 4]; 8];

const PAWN: [Half; 2] = [
    [
        [0, 0, 0, 0],
        [60, 75, 70, 80],
        [8, 20, 32, 38],
        [-8, 4, 6, 22],
        [-14, -4, 4, 20],
        [-12, -4, 0, 4],
        [-12, 6, -4, -10],
        [0, 0, 0, 0],
    ],
    [
        [0, 0, 0, 0],
        [110, 108, 100, 96],
        [62, 64, 52, 44],
        [24, 20, 10, 4],
        [8, 6, -2, -6],
        [0, 2, -2, 0],
        [4, 4, 6, 6],
        [0, 0, 0, 0],
    ],
];

const KNIGHT: [Half; 2] = [
    [
        [-110, -60, -30, -22],
        [-40, -20, 20, 22],
        [-18, 18, 36, 46],
        [-4, 14, 28, 34],
        [-12, 4, 16, 20],
        [-20, 0, 10, 16],
        [-26, -18, -4, 2],
        [-70, -24, -24, -14],
    ],
    [
        [-60, -36, -20, -14],
        [-26, -10, -2, 6],
        [-14, 2, 18, 20],
        [-6, 10, 22, 28],
        [-8, 6, 20, 26],
        [-16, 0, 8, 18],
        [-26, -12, -4, 2],
        [-40, -34, -16, -10],
    ],
];

const BISHOP: [Half; 2] = [
    [
        [-26, -14, -28, -26],
        [-18, 2, -4, -6],
        [-4, 12, 16, 18],
        [-4, 4, 14, 26],
        [0, 6, 8, 22],
        [4, 14, 14, 10],
        [8, 16, 14, 4],
        [-12, 0, -8, -10],
    ],
    [
        [-12, -12, -8, -6],
        [-6, -2, 2, 0],
        [2, 2, 6, 4],
        [0, 8, 10, 14],
        [-4, 6, 12, 14],
        [-6, 2, 8, 12],
        [-12, -8, -2, 2],
        [-18, -10, -10, -4],
    ],
];

const ROOK: [Half; 2] = [
    [
        [14, 12, 10, 16],
        [16, 16, 28, 32],
        [-4, 10, 12, 16],
        [-14, -6, 4, 8],
        [-22, -12, -8, -2],
        [-26, -12, -8, -6],
        [-28, -12, -6, -4],
        [-14, -8, 4, 12],
    ],
    [
        [12, 10, 12, 8],
        [14, 14, 10, 6],
        [8, 8, 6, 4],
        [6, 4, 6, 2],
        [4, 4, 4, 0],
        [-4, 0, -4, -4],
        [-6, -6, -2, -4],
        [-6, -4, 0, -4],
    ],
];

const QUEEN: [Half; 2] = [
    [
        [-8, 4, 14, 16],
        [-6, -22, 2, 2],
        [4, 4, 12, 16],
        [-8, -8, 0, 2],
        [-8, -6, -4, -4],
        [-8, 2, -2, -2],
        [-16, -4, 6, 4],
        [-10, -14, -8, 4],
    ],
    [
        [0, 10, 14, 16],
        [-4, 16, 24, 32],
        [-4, 8, 24, 34],
        [8, 22, 28, 38],
        [0, 18, 24, 34],
        [-8, 2, 14, 14],
        [-18, -20, -14, -8],
        [-24, -22, -18, -14],
    ],
];

const KING: [Half; 2] = [
    [
        [-40, -20, -30, -50],
        [-30, -20, -30, -50],
        [-30, -20, -30, -50],
        [-40, -30, -40, -60],
        [-40, -30, -45, -65],
        [-20, -10, -30, -45],
        [12, 10, -14, -34],
        [16, 34, 6, -12],
    ],
    [
        [-60, -34, -20, -14],
        [-24, 6, 10, 10],
        [-6, 18, 22, 22],
        [-12, 14, 24, 28],
        [-18, 4, 20, 26],
        [-22, -2, 10, 18],
        [-30, -10, 2, 6],
        [-52, -34, -20, -22],
    ],
];

/// White's worth by role (pawn to king) and square.
pub(crate) static WORTH: [[Pair; 64]; 6] = {
    let halves = [&PAWN, &KNIGHT, &BISHOP, &ROOK, &QUEEN, &KING];
    let mut worth = [[Pair::ZERO; 64]; 6];
    let mut index = 0;
    while index < 6 * 64 {
        let (role, square) = (index / 64, index % 64);
        let (rank, column) = (7 - square / 8, column(square % 8));
        let [middlegame, endgame] = halves[role];
        worth[role][square] = Pair::new(
            (MATERIAL[role][0] + middlegame[rank][column]) as i32,
            (MATERIAL[role][1] + endgame[rank][column]) as i32,
        );
        index += 1;
    }
    worth
};
