//! The weights of the terms in centipawns, fitted to self-play games.

/// A middlegame and an endgame value.
pub(super) type Weight = [i32; 2];

/// The middlegame values and the endgame values of a term that depends on a number.
pub(super) type Table<const N: usize> = [[i32; N]; 2];

/// The value of a pawn, knight, bishop, rook and queen.
pub(super) const MATERIAL: Table<5> = [[69, 339, 354, 466, 1075], [131, 393, 424, 701, 1237]];
/// The piece-square tables, pawn to king: files a to d, which e to h mirror, from the first rank up.
pub(super) const SQUARES: [Table<32>; 6] = [
    [
        [
            0, 0, 0, 0, -12, 6, -9, -5, -10, -4, -1, 5, -9, -11, 7, 18, -4, 5, 5, 13, 10, 21, 29,
            33, 58, 73, 71, 80, 0, 0, 0, 0,
        ],
        [
            0, 0, 0, 0, 9, 5, 6, 10, -3, -1, 2, 6, 10, 9, -3, -10, 24, 14, 14, 0, 52, 63, 47, 42,
            80, 93, 107, 102, 0, 0, 0, 0,
        ],
    ],
    [
        [
            -68, -19, -22, -13, -22, -16, -6, -4, -12, 1, 5, 11, -5, 5, 15, 16, -5, 15, 30, 26,
            -18, 18, 35, 48, -37, -20, 20, 21, -107, -60, -30, -22,
        ],
        [
            -39, -37, -14, -10, -25, -13, -5, 3, -16, 1, 3, 20, -7, 6, 17, 23, -6, 10, 27, 29, -14,
            2, 16, 21, -25, -9, -1, 6, -61, -35, -20, -14,
        ],
    ],
    [
        [
            -12, -1, -6, -12, 9, 15, 8, 12, 6, 14, 14, 6, -1, 6, 9, 17, -3, 4, 15, 23, -4, 13, 17,
            16, -17, 1, -3, -6, -26, -14, -28, -26,
        ],
        [
            -19, -9, -6, -3, -12, -10, -2, 0, -2, 1, 6, 13, -4, 8, 12, 9, -1, 11, 9, 11, 3, 2, 5,
            4, -6, -2, 2, -1, -12, -11, -8, -6,
        ],
    ],
    [
        [
            -11, -8, 0, 9, -28, -13, -5, -2, -25, -11, -9, -8, -20, -12, -8, -2, -11, -5, 3, 8, -2,
            10, 12, 18, 17, 15, 27, 29, 14, 11, 10, 16,
        ],
        [
            -7, -5, -2, -10, -7, -7, -3, -5, -1, 0, -2, -6, 4, 5, 7, 0, 9, 6, 6, 3, 11, 10, 6, 4,
            14, 13, 9, 4, 12, 9, 12, 9,
        ],
    ],
    [
        [
            -8, -14, -8, 0, -15, -5, 5, -2, -5, 7, -3, -2, -4, -4, -4, -7, -8, -7, 0, 1, 4, 6, 11,
            16, -5, -22, 1, 2, -8, 4, 14, 16,
        ],
        [
            -23, -22, -20, -18, -18, -20, -16, -8, -7, 3, 12, 12, 1, 19, 25, 35, 9, 23, 29, 39, -4,
            9, 24, 35, -4, 16, 23, 32, 0, 10, 14, 16,
        ],
    ],
    [
        [
            20, 27, 5, -13, 8, 6, -11, -30, -19, -9, -27, -45, -39, -28, -44, -66, -38, -31, -41,
            -60, -30, -20, -30, -50, -30, -19, -30, -50, -40, -20, -30, -50,
        ],
        [
            -46, -41, -16, -21, -28, -13, 3, 8, -22, -2, 9, 14, -19, 4, 18, 26, -11, 10, 20, 31,
            -5, 19, 24, 25, -24, 7, 11, 10, -61, -34, -21, -14,
        ],
    ],
];
/// The bonus of the side to move.
pub(super) const TEMPO: Weight = [24, 12];
/// The right to castle, for each wing.
pub(super) const CASTLING_RIGHT: Weight = [21, -1];
/// An isolated pawn.
pub(super) const ISOLATED: Weight = [-9, -17];
/// A doubled pawn: defended by a pawn, or not.
pub(super) const DOUBLED: Table<2> = [[-4, -3], [-13, -24]];
/// A pawn beside another, by rank.
pub(super) const PHALANX: Table<8> = [[0, 6, 5, 10, 29, 60, 0, 0], [0, -4, 7, 14, 28, 79, 0, 0]];
/// A pawn defended by a pawn, by rank.
pub(super) const DEFENDED: Table<8> = [[0, 0, 15, 10, 19, 35, 0, 0], [0, 0, 13, 3, 18, 36, 1, 0]];
/// Knight mobility, by the number of squares.
pub(super) const KNIGHT_MOBILITY: Table<9> =
    [[-32, -14, -7, -2, 2, 7, 9, 11, 14], [-50, -36, -18, -6, 5, 13, 14, 17, 11]];
/// Bishop mobility.
pub(super) const BISHOP_MOBILITY: Table<14> = [
    [-24, -12, -4, 2, 5, 9, 12, 14, 17, 23, 24, 29, 33, 35],
    [-56, -27, -17, -2, 3, 9, 13, 20, 17, 21, 21, 21, 24, 27],
];
/// Rook mobility.
pub(super) const ROOK_MOBILITY: Table<15> = [
    [-36, -20, -7, -2, -7, -1, -1, 1, 5, 5, 9, 14, 16, 18, 19],
    [-59, -33, -18, -5, 0, 9, 14, 18, 21, 23, 30, 32, 31, 30, 29],
];
/// Queen mobility.
pub(super) const QUEEN_MOBILITY: Table<28> = [
    [
        -25, -13, -9, -7, -5, -5, -3, 1, 1, 2, 5, 3, 7, 10, 8, 12, 11, 15, 15, 16, 17, 18, 19, 20,
        21, 22, 23, 24,
    ],
    [
        -45, -40, -34, -28, -22, -16, -9, -3, 2, 5, 11, 13, 17, 22, 25, 27, 27, 33, 33, 33, 34, 35,
        35, 36, 38, 39, 40, 41,
    ],
];
/// The bishop pair.
pub(super) const BISHOP_PAIR: Weight = [23, 56];
/// A knight, for each own pawn above five.
pub(super) const KNIGHT_PER_PAWN: Weight = [4, 6];
/// A rook, for each own pawn above five.
pub(super) const ROOK_PER_PAWN: Weight = [-2, -2];
/// A knight on an outpost: defended by a pawn, or not.
pub(super) const KNIGHT_OUTPOST: Table<2> = [[29, 13], [18, 7]];
/// A bishop on an outpost: defended by a pawn, or not.
pub(super) const BISHOP_OUTPOST: Table<2> = [[27, 8], [13, 0]];
/// A knight that can reach a defended outpost.
pub(super) const KNIGHT_NEAR_OUTPOST: Weight = [20, 11];
/// A knight or bishop right behind a pawn.
pub(super) const MINOR_BEHIND_PAWN: Weight = [3, 6];
/// A knight, a bishop, for each king step to its own king.
pub(super) const MINOR_FAR_FROM_KING: Table<2> = [[-3, -1], [-2, -2]];
/// A bishop, for each own pawn on squares of its colour.
pub(super) const BISHOP_PAWNS: Weight = [-2, -8];
/// A bishop, for each such pawn times each own blocked pawn on the central files.
pub(super) const BISHOP_BLOCKED_CENTRE: Weight = [-1, -2];
/// A bishop on a diagonal through the centre that no pawn blocks.
pub(super) const LONG_DIAGONAL: Weight = [13, 0];
/// A rook on a file without pawns.
pub(super) const ROOK_FILE: Weight = [29, 8];
/// A rook on the seventh rank with the king on the eighth.
pub(super) const ROOK_SEVENTH: Weight = [6, 14];
/// A rook shut in by its own king.
pub(super) const ROOK_SHUT_IN: Weight = [-7, -10];
/// A passed pawn, by rank.
pub(super) const PASSED: Table<8> = [[0, 1, 3, 2, 19, 64, 104, 0], [0, 6, 15, 34, 63, 78, 103, 0]];
/// A passed pawn whose next square is empty, by rank.
pub(super) const PASSED_FREE: Table<8> =
    [[0, -1, 0, 1, 7, 15, 30, 0], [0, 1, 4, 13, 25, 34, 66, 0]];
/// A passed pawn whose next square is empty and not attacked, by rank.
pub(super) const PASSED_SAFE_STEP: Table<8> =
    [[0, -1, -2, 5, 8, 15, 24, 0], [0, 1, 4, 11, 16, 32, 40, 0]];
/// A passed pawn whose path is free of the enemy king and its attacks, by rank.
pub(super) const PASSED_SAFE_WAY: Table<8> =
    [[0, 0, -1, 4, 9, 17, 29, 0], [0, 3, 6, 15, 26, 45, 57, 0]];
/// A passed pawn whose next square is defended, by rank.
pub(super) const PASSED_HELPED: Table<8> =
    [[0, -1, 0, 2, 7, 14, 21, 0], [0, -1, 3, 8, 12, 20, 26, 0]];
/// The distance of the enemy king to the next square, times the weight of the rank.
pub(super) const PASSED_ENEMY_KING: Table<8> =
    [[-5, -3, -1, -3, -3, 1, 2, 1], [-12, -16, -5, 3, 14, 16, 17, 16]];
/// The distance of the own king to the next square, times the weight of the rank.
pub(super) const PASSED_OWN_KING: Table<8> =
    [[2, 0, 3, 0, -4, -2, -5, -6], [9, 12, 3, -2, -3, -6, -6, -5]];
/// A passed pawn with an own rook behind it.
pub(super) const PASSED_ROOK_BEHIND: Weight = [4, 13];
/// A passed pawn that the enemy king cannot catch.
pub(super) const PASSED_UNSTOPPABLE: Weight = [0, 282];
/// An insufficiently defended piece attacked by the king.
pub(super) const THREAT_BY_KING: Weight = [13, 35];
/// An attacked piece without defence.
pub(super) const HANGING: Weight = [20, 25];
/// A square attacked by both sides that the enemy does not hold.
pub(super) const RESTRICTED: Weight = [3, 0];
/// The rearmost own pawn before the king, by the distance of its file from the edge and by rank
/// (0: none).
pub(super) const SHELTER: [Table<7>; 4] = [
    [[-4, 30, 32, 18, 12, 10, 0], [7, -8, -2, -3, -1, -2, 0]],
    [[-25, 26, 18, -12, -11, -5, -10], [4, -1, -3, -1, -3, 0, 0]],
    [[-16, 36, 7, 2, 7, 3, -10], [4, -4, 1, -2, 1, -2, 0]],
    [[-22, 8, -5, -13, -10, -21, -30], [3, 1, 1, 1, 0, 1, 1]],
];
/// The rearmost enemy pawn before the king, by rank (0: none).
pub(super) const STORM: Table<7> = [[-5, 20, -42, -20, -11, -4, -3], [0, 3, 5, 1, 2, -3, -2]];
/// No pawn on the wing of the king.
pub(super) const WING_WITHOUT_PAWNS: Weight = [-13, -54];
/// King danger to begin with: with an enemy queen, or without.
pub(super) const DANGER_BASE: Table<2> = [[58, -648], [0, 0]];
/// King danger for each knight, bishop, rook and queen that attacks the king ring.
pub(super) const DANGER_ATTACKER: Table<4> = [[91, 76, 63, 44], [10, 10, 10, 10]];
/// King danger for each attack on a square next to the king.
pub(super) const DANGER_ATTACK: Weight = [44, 5];
/// King danger for each attacked square of the king ring.
pub(super) const DANGER_WEAK: Weight = [95, 9];
/// King danger if a knight, bishop, rook or queen can give check on a safe square.
pub(super) const DANGER_SAFE_CHECK: Table<4> = [[422, 288, 487, 243], [20, 20, 20, 30]];
/// King danger for each unsafe square of check of a knight, bishop or rook.
pub(super) const DANGER_CHECK: Table<3> = [[77, 82, 91], [5, 5, 5]];
/// King danger for each attack on the wing of the king, and for each defence.
pub(super) const DANGER_WING: Table<2> = [[13, -16], [3, 0]];
